package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// mostLines is the number of comparisons of a pair from which on an answer counts them.
const mostLines = 2

// Answer returns the answer of a document about pairs of sides, the best side first: the change of the chief
// comparisons, the price-performance, and the notes on them.
func Answer(views []*finding.PairView) finding.Answer {
	var out finding.Answer
	type answering struct {
		view  *finding.PairView
		chief []finding.Comparison
	}
	all := list.Map(views, func(v *finding.PairView) answering { return answering{v, chiefs(v.Pair)} })
	slices.SortStableFunc(all, func(a, b answering) int { return cmp.Compare(gain(b.chief), gain(a.chief)) })
	for i, a := range all {
		results, stats := resultsOf(a.view, a.chief)
		worse, better := appearances(a.view, a.chief)
		results = slices.Concat(worse, results, better)
		if i < mostLines {
			out.Next(nextOf(a.view, a.chief, results))
		}
		out.Results, out.Stats = append(out.Results, results...), append(out.Stats, stats...)
		perDollar(&out, a.view, a.chief)
		objections(&out, a.view, a.chief, len(views) > 1)
	}
	return out
}

// appearances returns a line for the differences without a ratio that aren't chief comparisons: those that are worse
// come before all else, since no percentage shows them.
func appearances(v *finding.PairView, chief []finding.Comparison) (worse, better []finding.Result) {
	found := list.Filter(distinctComparisons(v.Pair), func(c finding.Comparison) bool {
		same := func(o finding.Comparison) bool {
			return nameOf(o) == nameOf(c) && o.Metric == c.Metric && o.Per == c.Per
		}
		return appeared(c) && c.Verdict == trialset.Different && !slices.ContainsFunc(chief, same)
	})
	line := func(side string) []finding.Result {
		some := list.Filter(found, func(c finding.Comparison) bool { return c.Better == side })
		if len(some) == 0 {
			return nil
		}
		const named = 2
		var parts []string
		for _, c := range some[:min(named, len(some))] {
			part := c.Metric + " from " + differenceText(c)
			elsewhere := func(o finding.Comparison) bool { return nameOf(o) != nameOf(c) }
			if slices.ContainsFunc(found, elsewhere) {
				part += ", " + placeText(c, found)
			}
			parts = append(parts, part)
		}
		text := fmt.Sprintf("%s changes %s", subject(v), strings.Join(parts, ", "))
		if len(some) > named {
			text += fmt.Sprintf("; %d more such", len(some)-named)
		}
		return []finding.Result{finding.Plainly(changeOf(v, some[0]).Line(text))}
	}
	return line("a"), line("b")
}

// gain returns how much better side b is by the geometric mean of the comparisons with a ratio; 1 without one.
func gain(cs []finding.Comparison) float64 {
	sum, n := 0.0, 0
	for _, c := range cs {
		if !rated(c) || c.Ratio <= 0 {
			continue
		}
		n++
		if c.Direction == record.Lower {
			sum -= math.Log(c.Ratio)
		} else {
			sum += math.Log(c.Ratio)
		}
	}
	return math.Exp(sum / float64(max(1, n)))
}

// settledness orders verdicts by how much they decide: a difference or its absence, then that neither is known, then
// none.
func settledness(v trialset.Verdict) int {
	switch v {
	case trialset.Different, trialset.Equivalent:
		return 0
	case trialset.Undecided:
		return 1
	}
	return 2
}

// mostSettled returns the settledness of the comparison that decides most; that of none if there are none.
func mostSettled(cs []finding.Comparison) int {
	best := settledness("")
	for _, c := range cs {
		best = min(best, settledness(c.Verdict))
	}
	return best
}

// chiefs returns the comparisons that answer, those that decide most first: load lines, else primary metrics, else all
// that have a verdict. A load line that decides less than the loads that it is of, such as one of a single run, does
// not stand for them.
func chiefs(p finding.Pair) []finding.Comparison {
	whole := list.Filter(distinctComparisons(p), func(c finding.Comparison) bool {
		return c.Per == finding.PerMachine && !c.Refused
	})
	if telling := list.Filter(whole, func(c finding.Comparison) bool { return !carried(c) }); slices.ContainsFunc(telling,
		rated) {
		whole = telling
	}
	line := func(c finding.Comparison) bool { return loadline.IsLine(c.Metric) }
	lines := list.Filter(whole, func(c finding.Comparison) bool { return c.Primary && line(c) })
	others := list.Filter(whole, func(c finding.Comparison) bool { return c.Verdict != "" && !line(c) })
	if mostSettled(others) < mostSettled(lines) || !slices.ContainsFunc(lines, rated) && slices.ContainsFunc(whole,
		finding.Comparison.ByEstimate) {
		whole = list.Filter(whole, func(c finding.Comparison) bool { return !line(c) })
	}
	for _, want := range []func(finding.Comparison) bool{
		func(c finding.Comparison) bool { return c.Primary && line(c) },
		func(c finding.Comparison) bool { return c.Primary && (c.Verdict != "" || c.ByEstimate()) },
		func(c finding.Comparison) bool { return c.Verdict != "" },
		func(c finding.Comparison) bool { return c.Open && c.Metric == record.LatencyP99 },
		func(c finding.Comparison) bool { return c.Primary },
	} {
		if some := list.Filter(whole, want); len(some) > 0 {
			slices.SortStableFunc(some, func(a, b finding.Comparison) int {
				return cmp.Compare(settledness(a.Verdict), settledness(b.Verdict))
			})
			return some
		}
	}
	return nil
}

// resultsOf returns the mean over workloads, unless cells decide more, else a line for each chief comparison or, if
// there are many, their count; and their cards.
func resultsOf(v *finding.PairView, chief []finding.Comparison) ([]finding.Result, []block.Stat) {
	if o, ok := meanOf(v.Pair); ok && settledness(o.Verdict) <= mostSettled(chief) {
		change := finding.Change{Claim: claimed(v), Verdict: o.Verdict, Better: o.Better}
		mean := fmt.Sprintf("mean of %s at %s", figure.Count(o.Cells, "benchmark"), finding.LoadText(o.Load))
		change.Direction, change.Ratio = record.Higher, o.Around(*o.Ratio)
		change.N, change.Each, change.Confidence = o.N, figure.Round, o.Confidence
		result := change.Result()
		result.Text += ", " + mean
		return []finding.Result{result}, []block.Stat{placedStat(v, change.Stat(versus(v)+", "+mean))}
	}
	if len(chief) > mostLines {
		said, card := tallied(v, chief)
		return []finding.Result{finding.Plainly(said)}, []block.Stat{card}
	}
	var out []finding.Result
	var cards []block.Stat
	for _, c := range chief {
		change, label := changeOf(v, c), versus(v)+", "+metricName(c)
		if len(chief) > 1 {
			change.Place = placeText(c, chief)
			label += ", " + change.Place
		}
		if rated(c) {
			out = append(out, change.Result())
			cards = append(cards, placedStat(v, change.Stat(label)))
			continue
		}
		text := fmt.Sprintf("the %s of %s and %s has no ratio", metricName(c), subject(v), claimed(v).Object)
		if appeared(c) {
			text = fmt.Sprintf("%s changes %s from %s", subject(v), metricName(c), differenceText(c))
		}
		out = append(out, finding.Result{Sentence: change.Line(text), Place: change.Place})
	}
	return out, cards
}

// meanOf returns the mean over all workloads at the one load that has it.
func meanOf(p finding.Pair) (Overall, bool) {
	all := list.Filter(KindOverall.All(p), func(o Overall) bool { return o.Per == finding.PerMachine && o.Ratio != nil })
	if len(all) != 1 {
		return Overall{}, false
	}
	return all[0], true
}

// metricName names the metric of a comparison in an answer.
func metricName(c finding.Comparison) string {
	if loadline.IsLine(c.Metric) {
		return "load limit"
	}
	return c.Metric
}

// versus names the sides: the levels of a factor with its name once.
func versus(v *finding.PairView) string { return v.LabelB + " vs " + v.A }

// placeText names the cell of a comparison among others.
func placeText(c finding.Comparison, among []finding.Comparison) string {
	same := list.Filter(among, func(o finding.Comparison) bool { return o.Workload == c.Workload })
	label := finding.SplitOf(comparedParams(same)).Behind(c.Shown(), c.Load)
	if len(same) == len(among) && label != "" {
		return label
	}
	return figure.Joined(c.Workload, label)
}

// subject names side b as the subject of a sentence.
func subject(v *finding.PairView) string { return claimed(v).Subject }

// claimed returns a claim about two sides.
func claimed(v *finding.PairView) figure.Claim {
	a, b := axis.Subjects(v.By, v.A, v.B)
	return figure.Claim{Subject: b, Object: a, Per: finding.PerMachine}
}

// changeOf returns a comparison's change.
func changeOf(v *finding.PairView, c finding.Comparison) finding.Change {
	a, b := axis.Subjects(v.By, v.A, v.B)
	return finding.Change{Claim: claimOf(c, a, b), Verdict: c.Verdict, Better: c.Better, Values: valuesText(c)}
}

// claimOf returns a comparison's change in words, with names of its sides.
func claimOf(c finding.Comparison, a, b string) figure.Claim {
	return figure.Claim{Subject: b, Object: a, Metric: c.Metric, Unit: c.Unit, Load: loadline.IsLine(c.Metric), Per: c.Per,
		Direction: c.Direction, Ratio: c.Change(), Within: c.Verdict == trialset.Equivalent, N: c.N, Each: c.Each(),
		Confidence: c.Confidence}
}

// valuesText returns the figures of both sides, and the rate at which they were measured; "" if one is unknown.
func valuesText(c finding.Comparison) string {
	if !figure.IsFinite(c.A) || !figure.IsFinite(c.B) || c.Per != finding.PerMachine {
		return ""
	}
	u := figure.ScaleFor(figure.UnitOf(c.Counted(), c.Unit), c.A, c.B)
	b, a := u.Text(c.B, figure.Digits), u.Text(c.A, figure.Digits)
	if a == b && c.A != c.B {
		b, a = u.Text(c.B, figure.FineDigits), u.Text(c.A, figure.FineDigits)
	}
	return b + " vs " + a + finding.AtRate(c.Load, c.Counted())
}

// placedStat returns a pair's card with its place in a table of many sides.
func placedStat(v *finding.PairView, s block.Stat) block.Stat {
	s.Of, s.Column = v.LabelB, "vs "+v.A
	return s
}

// tallied counts comparisons by verdict, and gives the range of their changes if they are of one metric.
func tallied(v *finding.PairView, cs []finding.Comparison) (block.Sentence, block.Stat) {
	var order []string
	counts := map[string]int{}
	for _, c := range cs {
		word := changeOf(v, c).Word()
		if counts[word] == 0 {
			order = append(order, word)
		}
		counts[word]++
	}
	out := block.Sentence{Lead: order[0], Tone: finding.VerdictInk(cs[0].Verdict)}
	if len(order) > 1 {
		out = block.Sentence{Lead: finding.Mixed, Tone: block.Strong}
	}
	var parts []string
	for _, word := range order {
		parts = append(parts, fmt.Sprintf("%s in %d", strings.ToLower(word), counts[word]))
	}
	tally := fmt.Sprintf(": %s of %d benchmarks", figure.Joined(parts...), len(cs))
	card := block.Stat{Label: fmt.Sprintf("%s, %d comparisons", versus(v), len(cs)), Text: parts[0], Tag: out.Lead,
		Tone: out.Tone, Sure: figure.Joined(parts[1:]...), Short: fmt.Sprintf("of %d comparisons", len(cs))}
	claim, least, most, ok := ranged(v, cs)
	switch {
	case !ok:
		out.Text = fmt.Sprintf("%s vs %s%s", claim.Subject, claim.Object, tally)
		return out, placedStat(v, card)
	case out.Lead == finding.Equal:
		out.Text = claim.Alike()
	default:
		out.Text = claim.Headline(certainty(cs), least.Ratio, most.Ratio, briefPlaces(placeText(least, cs),
			placeText(most, cs))...)
	}
	change := figure.PercentSpan(least.Ratio, most.Ratio)
	if unjudged(cs) {
		card = block.Stat{Label: versus(v) + ", " + metricName(cs[0]), Text: change, Short: metricName(cs[0]),
			Sure: fmt.Sprintf("of %d comparisons", len(cs))}
		out.Text += fmt.Sprintf(" across %d benchmarks (%s, no interval)", len(cs), cmp.Or(countText(cs), "few runs"))
		return out, placedStat(v, card)
	}
	if len(order) == 1 {
		tally = fmt.Sprintf(" in all %d benchmarks", len(cs))
	}
	out.Text += tally
	card.Sure = strings.TrimPrefix(card.Sure+"; "+metricName(cs[0])+" "+change, "; ")
	return out, placedStat(v, card)
}

// briefPlaces returns the places if a line has room for both; none otherwise.
func briefPlaces(places ...string) []string {
	const room = 20 // columns
	if slices.ContainsFunc(places, func(p string) bool { return len(p) > room }) {
		return nil
	}
	return places
}

// unjudged reports whether no comparison has a verdict.
func unjudged(cs []finding.Comparison) bool {
	return !slices.ContainsFunc(cs, func(c finding.Comparison) bool { return c.Verdict != "" })
}

// certainty returns the certainty of the estimates of several comparisons.
func certainty(cs []finding.Comparison) figure.Certainty {
	if slices.ContainsFunc(
		cs,
		func(c finding.Comparison) bool { return c.Verdict == "" || c.Verdict == trialset.Undecided },
	) {
		return figure.Observed
	}
	return figure.Proved
}

// ranged returns the claim about several comparisons of one metric, with the smallest and the largest change;
// false if there are several metrics.
func ranged(
	v *finding.PairView,
	cs []finding.Comparison,
) (claim figure.Claim, least, most finding.Comparison, ok bool) {
	some := list.Filter(cs, rated)
	if len(some) < 2 || slices.ContainsFunc(some, func(c finding.Comparison) bool { return c.Metric != some[0].Metric }) {
		return claimed(v), least, most, false
	}
	least, most = extremes(some)
	return changeOf(v, some[0]).Claim, least, most, true
}

// extremes returns the comparisons with the smallest and the largest change, of those with a ratio.
func extremes(cs []finding.Comparison) (least, most finding.Comparison) {
	some := list.Filter(cs, rated)
	slices.SortStableFunc(some, byRatio)
	return some[0], some[len(some)-1]
}

func byRatio(a, b finding.Comparison) int { return cmp.Compare(a.Ratio, b.Ratio) }

// perDollar adds the price-performance of the chief comparisons that have it, and the prices. If none has it,
// the prices remain.
func perDollar(out *finding.Answer, v *finding.PairView, chief []finding.Comparison) {
	type figureOf struct {
		name   trialset.Key
		metric string
	}
	of := map[figureOf]bool{}
	for _, c := range chief {
		of[figureOf{nameOf(c), c.Metric}] = true
	}
	found := list.Filter(v.Verdicts, func(c finding.Comparison) bool {
		return c.Per == perDollarUnit && !c.Refused && rated(c) && of[figureOf{nameOf(c), c.Metric}]
	})
	hourly := hourlyText(v.BasisB, v.BasisA)
	if len(found) == 0 {
		out.Costs = append(out.Costs, priceLine(v)...)
		return
	}
	slices.SortStableFunc(found, byRatio)
	least, most := found[0], found[len(found)-1]
	change := changeOf(v, least)
	text := ""
	said, basis := change.Phrase()
	if len(found) > 1 {
		text = figure.PercentSpan(least.Ratio, most.Ratio)
		said = change.Headline(certainty(found), least.Ratio, most.Ratio)
		basis = fmt.Sprintf("range of %d results", len(found)) // no interval
	} else if least.Bounded() && least.Verdict != trialset.Undecided {
		basis = change.SureLead() + " " + basis
	}
	place := ""
	if len(found) == 1 && len(chief) > 1 {
		place = placeText(least, chief)
	}
	out.Cost(said + inParentheses(basis, place, hourly))
	card := block.Stat{Kind: block.ValueStat, Label: versus(v) + ", per dollar", Text: text, Sure: hourly}
	if len(found) == 1 {
		of := change.Stat("")
		card.Text, card.Sure, card.Tag, card.Tone = of.Text, strings.Join(figure.NonEmpty(of.Sure, hourly), "; "), of.Tag,
			of.Tone
	}
	card.Of, card.Column = v.LabelB, "per dollar"
	out.Stats = append(out.Stats, card)
}

// perDollarUnit is the basis of figures per dollar.
const perDollarUnit = "dollar"

// inParentheses returns parts after a sentence; "" without any.
func inParentheses(parts ...string) string {
	if parts = figure.NonEmpty(parts...); len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// priceLine compares the prices of two machines. If one is known, it names the flag that sets the other.
func priceLine(v *finding.PairView) []block.Sentence {
	a, b, claim := v.BasisA, v.BasisB, claimed(v)
	if a == nil || b == nil {
		return nil
	}
	text := ""
	switch hourly, ratio := hourlyText(b, a), b.PricePerHour/a.PricePerHour; {
	case hourly == "" && a.PricePerHour > 0 && !b.Priced():
		text = onePriceText(claim.Object, a, claim.Subject)
	case hourly == "" && b.PricePerHour > 0 && !a.Priced():
		text = onePriceText(claim.Subject, b, claim.Object)
	case hourly == "":
		return nil
	case ratio == 1:
		text = fmt.Sprintf("%s costs as much as %s (%s)", claim.Subject, claim.Object, hourly)
	case ratio >= figure.ManyTimes:
		text = fmt.Sprintf("%s costs %s as much as %s (%s)", claim.Subject, figure.Factor(ratio), claim.Object, hourly)
	case ratio > 1:
		text = fmt.Sprintf("%s costs %s more than %s (%s)", claim.Subject, figure.Amount(ratio), claim.Object, hourly)
	default:
		text = fmt.Sprintf("%s costs %s less than %s (%s)", claim.Subject, figure.Amount(ratio), claim.Object, hourly)
	}
	var out finding.Answer
	out.Cost(text)
	return out.Costs
}

// onePriceText states the price of one machine, and the flag that sets the other.
func onePriceText(known string, b *finding.Basis, unknown string) string {
	return fmt.Sprintf("%s costs $%s/h, and the price of %s is unknown: --price %s=USD", known,
		figure.Exact(b.PricePerHour), unknown, unknown)
}

// hourlyText returns the prices of both sides; "" if one is not known.
func hourlyText(b, a *finding.Basis) string {
	if a == nil || b == nil || a.PricePerHour == 0 || b.PricePerHour == 0 {
		return ""
	}
	return fmt.Sprintf("$%s/h vs $%s/h", figure.Exact(b.PricePerHour), figure.Exact(a.PricePerHour))
}

// objections adds the notes that may change the chief comparisons, and those on the pair.
func objections(out *finding.Answer, v *finding.PairView, chief []finding.Comparison, several bool) {
	pair := ""
	if several {
		pair = versus(v)
	}
	object := func(o finding.Objection) {
		o.Place = figure.Joined(pair, o.Place)
		out.Object(o)
	}
	for _, m := range v.Missing {
		if m.Metric == "" || m.Deciding {
			object(finding.ObjectionBy(m.Why, m.Cell))
		}
	}
	all := distinctComparisons(v.Pair)
	for _, c := range all {
		for _, f := range c.Flags {
			decidable := trialset.Decidable(record.Metric{Better: c.Direction})
			if f.Code == "too-few-for-ranks" && !c.Primary && decidable && apart(c) {
				o := finding.ObjectionBy(f, placeText(c, all))
				o.Text = fmt.Sprintf("It takes %v %v to confirm that %s went from %s", f.Args[2], f.Args[3], c.Metric,
					levelsText(c))
				object(o)
			}
		}
	}
	with := map[string]int{} // the chief comparisons that have a note, by headline
	for _, c := range chief {
		headlines := list.Map(c.Flags, note.Note.Headline)
		slices.Sort(headlines)
		for _, headline := range slices.Compact(headlines) {
			with[headline]++
		}
	}
	for _, c := range chief {
		for _, f := range c.Flags {
			if !weakens(f) || !mayChange(c, f) {
				continue
			}
			at := ""
			if with[f.Headline()] < len(chief) {
				at = placeText(c, chief)
			}
			object(finding.ObjectionBy(f, figure.Joined(sideText(v, f), at)))
		}
	}
	for _, w := range v.Warnings {
		object(finding.ObjectionBy(w, sideText(v, w)))
	}
}

// The sides of a comparison, as notes name them.
const (
	sideA = "baseline"
	sideB = "candidate"
)

// sideText names the side or the machine that a note is about; "" if it is about both.
func sideText(v *finding.PairView, n note.Note) string {
	switch n.Code {
	case "of-side":
		return map[any]string{sideA: v.LabelA, sideB: v.LabelB}[n.Args[0]]
	case "of-machine":
		return fmt.Sprint(n.Args[0])
	}
	return ""
}

// mayChange reports whether a note can change a comparison. The scatter of runs and of pairs cannot where there is an
// interval, which includes it, and a drift cannot that is smaller than the distance from the interval to no difference.
func mayChange(c finding.Comparison, f note.Note) bool {
	if !c.Bounded() {
		return true
	}
	switch {
	case f.Code == "pairs-vary" || f.Code == "of-side" && f.About().Code == "replicates-vary":
		return false
	case f.Code == "trials-drift" && c.Verdict == trialset.Different:
		distance := min(math.Abs(math.Log(*c.Lo)), math.Abs(math.Log(*c.Hi)))
		return math.Log1p(f.Size()) >= distance
	}
	return true
}
