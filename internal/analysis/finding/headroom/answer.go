package headroom

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// Bounds reports whether the reason for which there is no load line is an answer all the same: a bound of it.
func Bounds(why note.Note) bool {
	return why.Code == "line-below" || why.Code == "line-below-unhandled"
}

// Unanswered returns why searches told nothing of their load lines, by cell.
func Unanswered(cells []finding.Cell) []string {
	var out []string
	for _, c := range cells {
		if why := KindLoadLine.Why(c); c.Primary && c.Load == record.KeySearched && Chief(c) == nil && !why.IsZero() &&
			!Bounds(why) {
			out = append(out, fmt.Sprintf("no load line of %s: %s", c.Workload, why.Text()))
		}
	}
	return out
}

// answer returns a result for each chief load line of a view, the highest first.
func answer(v *finding.View) finding.Answer {
	type limit struct {
		of, machine string
		line        loadline.Line
		imported    bool
	}
	var found []limit
	var out finding.Answer
	for _, c := range v.Cells {
		if l := Chief(c); l != nil {
			found = append(found, limit{v.Sweep(c), c.Machine, inUnitsOf(c.Workload, *l), c.Imported})
		} else if why := KindLoadLine.Why(c); !why.IsZero() && c.Primary && c.Load == record.KeySearched {
			s := block.Sentence{Lead: c.Workload, Tone: block.Bad, Text: v.Sweep(c) + "no load line: " + why.Remark()}
			if Bounds(why) {
				s.Tone, s.Text = block.Strong, v.Sweep(c)+why.Remark()
			}
			out.Results = append(out.Results, finding.Plainly(s))
		}
	}
	slices.SortStableFunc(found, func(a, b limit) int { return cmp.Compare(b.line.MaxSustained, a.line.MaxSustained) })
	for _, f := range found {
		rate, limit := limitAnswer(f.line)
		text := "handles " + rate + " at " + limit
		if missed := missedText(f.line); missed != "" {
			text = missed
		}
		if f.of != "" {
			text = strings.TrimSuffix(f.of, ": ") + " " + text
		}
		out.Results = append(out.Results, finding.Plainly(block.Sentence{Lead: v.Cells[0].Workload, Tone: block.Strong,
			Text: text}))
		out.Next(nextOf(f.line, f.imported))
		card := limitStat(v.Cells[0].Workload, strings.TrimSuffix(f.of, ": "), limit, f.line)
		card.Of, card.Column = f.machine, "handles at "+limit
		if f.line.Objective <= 0 { // the limits differ
			card.Column = "handles at 2 × idle " + latencyName(f.line.Statistic)
		}
		out.Stats = append(out.Stats, card)
		for _, d := range f.line.Doubts {
			out.Object(finding.ObjectionBy(d, strings.TrimSuffix(f.of, ": ")))
		}
	}
	return out
}

// missed reports whether a fresh run at a load line was over its limit, or did not handle the load.
func missed(c loadline.Confirmation) bool { return c.Failed == "" && !c.Confirmed }

// missedText states by how much the fresh runs missed the limit of a load line; "" if one confirmed it, or none was
// made. Such a load isn't an answer.
func missedText(l loadline.Line) string {
	n := len(l.Confirmations)
	if l.Between != nil && l.Between.Above != nil {
		return "" // the bracket is an answer, and states the fresh run
	}
	if n == 0 || slices.ContainsFunc(l.Confirmations, func(c loadline.Confirmation) bool { return !missed(c) }) {
		return ""
	}
	last := l.Confirmations[n-1]
	rate := figure.ScaleFor(l.Unit, last.Load).Text(last.Load, figure.Digits)
	if last.Latency == nil {
		return fmt.Sprintf("has no confirmed limit: a fresh run did not handle %s", rate)
	}
	return fmt.Sprintf("has no confirmed limit: %s of a fresh run at %s was %s, over the target of %s",
		latencyName(l.Statistic), rate, figure.Quantity(*last.Latency, "s"), figure.Quantity(last.Limit, "s"))
}

// nextOf returns the flags that would settle a load line; "" if it has a usable interval. If a fresh run missed the
// latency target, and that was derived from latency at low load, the step is to set the target.
func nextOf(l loadline.Line, imported bool) string {
	doubtful := l.Between != nil && l.Between.LeastBase > 0 || slices.ContainsFunc(l.Confirmations, missed)
	switch span := spanOf(l); {
	case doubtful && l.Objective <= 0 && l.Limit > 0:
		return fmt.Sprintf("set the latency target instead of deriving it from low load: --slo %s=%s",
			latencyName(l.Statistic), strings.ReplaceAll(figure.Quantity(l.Limit, "s"), " ", ""))
	case span.TooWide() && *l.Lo > 0:
		if n := finding.RunsToNarrow(span, l.N); n > 0 {
			return finding.NarrowStep(n, imported)
		}
	case l.N < figure.MinReplicates && !span.Bounded():
		return finding.IntervalStep(figure.MinReplicates, "runs", finding.RunsFlag(figure.MinReplicates, imported))
	}
	return ""
}

// limitStat returns the card of a load line.
func limitStat(workload, of, limit string, l loadline.Line) block.Stat {
	s := spanOf(l)
	u := figure.ScaleFor(l.Unit, s.Values()...)
	out := block.Stat{Kind: block.CapacityStat, Label: figure.Joined(workload, of, "at "+limit), Text: s.Estimate(u),
		Sure: finding.IntervalText(s, u, l.N)}
	if s.Bounded() {
		out.Short = u.Number(*s.Lo, figure.Digits) + " to " + u.Number(*s.Hi, figure.Digits)
	}
	switch {
	case l.AtMost != nil:
		out.Text, out.Sure = rangeText(l, u), "bounds, no interval"
	case l.SteeredBy != "" || !l.Crossed:
		out.Text, out.Sure = "≥ "+out.Text, lowerText(l)
	}
	return out
}

// limitAnswer returns the rate of a load line, and its latency limit with what bears the rate out.
func limitAnswer(l loadline.Line) (rate, limit string) {
	s := spanOf(l)
	u := figure.ScaleFor(l.Unit, s.Values()...)
	limit = limitText(l)
	switch text := betweenText(l, u); {
	case l.AtMost != nil:
		rate = rangeText(l, u)
		if text != "" {
			limit += ": " + text
		}
	case l.SteeredBy != "" || !l.Crossed:
		rate = fmt.Sprintf("at least %s, %s,", s.Estimate(u), lowerText(l))
	case l.OneSearch != nil:
		rate = oneText(l, s, u)
	default:
		rate = finding.SureText(s, u, l.N)
	}
	return rate, limit
}

// lowerText states which load a lower bound is. The highest load within the limit is the bound only if no load over the
// limit contradicts it.
func lowerText(l loadline.Line) string {
	switch {
	case l.N > 1:
		return fmt.Sprintf("the mean of the lower bounds of %d searches", l.N)
	case l.Between != nil && l.Between.Higher == 1:
		return "although 1 higher probe was within the limit"
	case l.Between != nil && l.Between.Higher > 1:
		return fmt.Sprintf("although %d higher probes were within the limit", l.Between.Higher)
	}
	return "the highest load within the limit"
}

// rangeText states the bounds of a line that was only bracketed.
func rangeText(l loadline.Line, u figure.Scale) string {
	return fmt.Sprintf("%s to %s", u.Number(l.MaxSustained, figure.Digits), u.Text(*l.AtMost, figure.Digits))
}

// spanOf returns the figure of a load line with its interval, if its replicates give one.
func spanOf(l loadline.Line) figure.Estimate {
	return l.Around(l.MaxSustained)
}

// oneText states the line of a single search, with where it can lie by its own probes.
func oneText(l loadline.Line, s figure.Estimate, u figure.Scale) string {
	by := "by the scatter of its probes"
	if len(l.Confirmations) > 0 && l.Confirmations[0].Confirmed {
		by += ", confirmed by a fresh run"
	}
	return fmt.Sprintf("%s (%s %s)", s.Estimate(u),
		l.OneSearch.Around(l.MaxSustained).Interval(u), by)
}

// betweenText states the probes that bracket a line, and the fresh run that did not confirm it; "" without such probes.
func betweenText(l loadline.Line, u figure.Scale) string {
	b := l.Between
	if b == nil || b.Above == nil {
		return ""
	}
	number := func(rate float64) string { return u.Prefixed(rate, figure.Digits) }
	at := func(p loadline.Bound) string { return number(p.Load) }
	if b.LeastBase > 0 {
		return fmt.Sprintf("at low load it was %s to %s, and the limit depends on which of these is believed",
			figure.Quantity(b.LeastBase, "s"), figure.Quantity(b.MostBase, "s"))
	}
	text := at(b.Within) + " was within it"
	if b.Within.Latency != nil {
		text += fmt.Sprintf(" (%s)", figure.Quantity(*b.Within.Latency, "s"))
	}
	text += ", " + at(*b.Above) + " was not"
	if b.Above.Latency != nil {
		text += fmt.Sprintf(" (%s)", figure.Quantity(*b.Above.Latency, "s"))
	} else {
		text += " handled"
	}
	if b.Contrary > 0 {
		text += fmt.Sprintf("; %s contradicted these", figure.Count(b.Contrary, "probe"))
	}
	if c := l.Confirmations; len(c) > 0 {
		switch last := c[len(c)-1]; {
		case last.Failed != "":
			text += fmt.Sprintf("; a fresh run at %s told nothing", number(last.Load))
		case !last.Confirmed:
			text += fmt.Sprintf("; a fresh run at %s did not confirm it", number(last.Load))
		}
	}
	return text
}

// perMonth returns the monthly cost of a fleet; infinity if it is unknown.
func perMonth(n loadline.Need) float64 {
	if n.PerMonth == nil {
		return math.Inf(1)
	}
	return *n.PerMonth
}
