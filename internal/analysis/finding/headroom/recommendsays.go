package headroom

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// latencyUnknown marks a fleet by peak throughput.
const latencyUnknown = "by peak throughput: latency at that load is not known"

// answerDemand returns the fleets for a demand on a workload.
func answerDemand(v *finding.View) finding.Answer {
	var all []Recommendation
	for _, c := range v.Cells {
		all = append(all, KindRecommendation.All(c)...)
	}
	return answerOf(all)
}

// answerDemandOfAll returns the fleets of all sides for a demand.
func answerDemandOfAll(c finding.Compared) finding.Answer { return answerOf(KindRecommendation.All(c)) }

func answerOf(all []Recommendation) finding.Answer {
	var out finding.Answer
	for _, r := range all {
		out.Stats = append(out.Stats, demandStats(r)...)
		for _, o := range objectionsTo(r) {
			out.Object(o)
		}
		out.Below = append(out.Below, fleetSection(r, nameIn(r, all)))
	}
	for _, of := range byWorkload(all) {
		chief := chiefOf(of)
		text := "for " + chief.demand() + " of " + nameIn(chief, all) + " " + conclusionText(chief)
		if len(of) > 1 {
			text += "; " + figure.Count(len(of)-1, "other setting") + " below"
		}
		out.Fleet(text)
	}
	return out
}

// byWorkload returns the recommendations of each workload.
func byWorkload(all []Recommendation) [][]Recommendation {
	var out [][]Recommendation
	for _, r := range all {
		at := slices.IndexFunc(out, func(of []Recommendation) bool { return of[0].Workload == r.Workload })
		if at < 0 {
			at, out = len(out), append(out, nil)
		}
		out[at] = append(out[at], r)
	}
	return out
}

// chiefOf returns the recommendation of a workload that comes first: the cheapest of its settings if these do the same
// work, and else the dearest, since the demand may be that of any of them.
func chiefOf(of []Recommendation) Recommendation {
	out := of[0]
	for _, r := range of[1:] {
		for name := range r.Params {
			if r.Params[name] != out.Params[name] && record.DefinesWork(r.Workload, name) {
				return slices.MaxFunc(of, func(a, b Recommendation) int { return cmp.Compare(a.cost(), b.cost()) })
			}
		}
	}
	return slices.MinFunc(of, func(a, b Recommendation) int { return cmp.Compare(a.cost(), b.cost()) })
}

// cost returns that of the fleet to take; more than any if there is none.
func (r Recommendation) cost() float64 {
	if able := r.able(); len(able) > 0 {
		return costOf(able[0])
	}
	return math.Inf(1)
}

// nameIn returns a recommendation's workload, with its setting if others are of the same workload.
func nameIn(r Recommendation, all []Recommendation) string {
	if len(list.Filter(all, func(o Recommendation) bool { return o.Workload == r.Workload })) == 1 {
		return r.Workload
	}
	return figure.Joined(r.Workload, finding.ParamsText(r.Wording.Of(r.Params)))
}

// demandStats returns the card of the cheapest fleet, and those of the others without a label, for tables alone.
func demandStats(r Recommendation) []block.Stat {
	out := []block.Stat{{Kind: block.CostStat, Text: "no fleet"}}
	for i, c := range r.able() {
		s := block.Stat{Kind: block.CostStat, Of: c.Machine, Column: "fleet for " + r.demand() + " of " + r.Workload,
			Text: figure.Count(*c.Need.Machines, "machine"), Best: slices.Contains(r.Take, c.Machine)}
		if c.Need.PerMonth != nil {
			s.Text, s.Short = figure.Dollars(*c.Need.PerMonth)+"/month", s.Text
		}
		out = append(out[:i], s)
	}
	out[0].Label, out[0].Sure = figure.Joined(r.Workload, "for "+r.demand()), conclusionText(r)
	return out
}

// demand states the demand with its unit.
func (r Recommendation) demand() string {
	return figure.ScaleFor(r.unit(), r.Demand).Text(r.Demand, figure.Digits)
}

func (r Recommendation) unit() string { return figure.UnitOf(r.Workload, r.Unit) }

// fleetSection returns the table of the fleets for a demand, the doubts, and in its last line which to take.
func fleetSection(r Recommendation, name string) block.Section {
	params := ""
	if name == r.Workload {
		params = finding.ParamsText(r.Wording.Of(r.Params))
	}
	out := block.Section{Title: "Fleets for " + r.demand() + " of " + name, Level: block.PartLevel, Fixed: figure.Joined(
		params, fmt.Sprintf("each at most at %s%% of its limit",
			figure.PercentOf(r.Headroom, 0)), failuresText(r.Failures))}
	if len(r.able()) > 0 {
		out.Blocks = append(out.Blocks, fleetTable(r))
	}
	out.Blocks = append(out.Blocks, finding.Blocks(slices.Concat(limits(r), prices(r), caveats(r)))...)
	out.Blocks = append(out.Blocks, block.Sentence{Tone: block.Strong, Text: conclusionText(r)})
	return out
}

func failuresText(n int) string {
	if n == 0 {
		return "no machine may fail"
	}
	return figure.Count(n, "machine") + " may fail"
}

// fleetTable returns a row for each machine.
func fleetTable(r Recommendation) block.Table {
	t := block.Table{Keys: 1, Spare: []string{"at CPU"}}
	alarmed := slices.ContainsFunc(r.Choices, func(c Choice) bool { return c.Need.AlarmCPU != nil })
	down := "one down"
	if r.Failures > 1 {
		down = fmt.Sprintf("%d down", r.Failures)
	}
	t.Columns = []block.Column{{Name: "machine"}, {Name: "number"}, {Name: "$/month", Right: true},
		{Name: "limit", Right: true}, {Name: "load each", Right: true}}
	if r.Failures > 0 {
		t.Columns = append(t.Columns, block.Column{Name: down, Right: true}, block.Column{Name: "alert", Right: true})
	}
	if r.Failures > 0 && alarmed {
		t.Columns = append(t.Columns, block.Column{Name: "at CPU", Right: true})
	}
	for _, c := range r.Choices {
		t.Rows = append(t.Rows, fleetRow(r, c)[:len(t.Columns)])
	}
	return t
}

// fleetRow returns all columns of a machine's fleet.
func fleetRow(r Recommendation, c Choice) []block.Cell {
	n := c.Need
	none := block.Cell{Text: figure.NoNumber, Tone: block.Dim}
	if n.Machines == nil {
		return []block.Cell{{Text: c.Machine}, none, none, none, none, none, none, none}
	}
	tone := block.Plain
	if slices.Contains(r.Take, c.Machine) {
		tone = block.Strong
	}
	u := rateScale(r, *n.Line)
	month, cpu := block.Cell{Text: "unknown", Tone: block.Dim}, none
	if n.PerMonth != nil {
		month = block.Cell{Text: strings.TrimPrefix(figure.Dollars(*n.PerMonth), "$"), Tone: tone}
	}
	if n.AlarmCPU != nil {
		cpu = block.Cell{Text: figure.Fixed(*n.AlarmCPU, 0) + "%"}
	}
	return []block.Cell{
		{Text: c.Machine, Tone: tone}, {Text: numberText(n), Tone: tone}, month, {Text: bare(u, *n.Line)},
		{Text: bare(rateScale(r, *n.Share**n.Line), *n.Share**n.Line) + ", " + figure.PercentOf(*n.Share, 0) + "%"},
		{Text: figure.PercentOf(*n.ShareAfter, 0) + "%"}, {Text: figure.PercentOf(*n.Alarm, 0) + "%"}, cpu,
	}
}

func rateScale(r Recommendation, v float64) figure.Scale { return figure.ScaleFor(r.unit(), v) }

// bare returns a rate with its prefix alone: the title has the unit.
func bare(u figure.Scale, v float64) string {
	prefix, _, scaled := strings.Cut(u.Unit, " ")
	if !scaled {
		return u.Number(v, figure.Digits)
	}
	return u.Number(v, figure.Digits) + prefix
}

// numberText states the machines that a demand needs, and those that may fail.
func numberText(n loadline.Need) string {
	if n.Failures == 0 {
		return fmt.Sprint(*n.Machines)
	}
	return fmt.Sprintf("%d + %d spare", *n.Machines-n.Failures, n.Failures)
}

// limits states the latency that the limits rest on.
func limits(r Recommendation) []block.Sentence {
	var g grouped
	for _, c := range r.Choices {
		if c.Limit != nil && c.Need.Machines != nil {
			g.add(fmt.Sprintf("%s ≤ %s", latencyName(c.Statistic), figure.Quantity(*c.Limit, "s")), c.Machine)
		}
	}
	if len(g.texts) == 0 {
		return nil
	}
	return []block.Sentence{
		{Lead: "limit", Tone: block.Dim, Text: "the lower end of the interval of the throughput at " + g.text()}}
}

// prices states where the prices are from.
func prices(r Recommendation) []block.Sentence {
	var g grouped
	for _, c := range r.Choices {
		if c.Need.PerMonth != nil {
			g.add(c.Need.PriceSource, c.Machine)
		}
	}
	if len(g.texts) == 0 {
		return nil
	}
	return []block.Sentence{
		{Lead: "price", Tone: block.Dim, Text: fmt.Sprintf("%s; a month has %d h", g.text(), HoursPerMonth)}}
}

// caveats states why a fleet, its price or its latency is not known.
func caveats(r Recommendation) []block.Sentence {
	var g grouped
	for _, c := range r.Choices {
		switch {
		case c.Need.Machines == nil:
			g.add("no fleet: "+c.Need.Why.Text(), c.Machine)
			continue
		case c.By == byPeak && c.Statistic == "":
			g.add(latencyUnknown, c.Machine)
		}
		if c.Fewest == nil {
			g.add("no interval: runs may scatter more than the fleets differ", c.Machine)
		}
		if c.Need.PerMonth == nil {
			g.add("no price is known\nhint: --price "+c.Machine+"=USD-PER-HOUR states one", c.Machine)
		}
	}
	var out []block.Sentence
	for _, text := range g.texts {
		said, hints := usage.Hints(text)
		if len(g.machines[text]) < len(r.Choices) {
			said = strings.Join(g.machines[text], ", ") + ": " + said
		}
		out = append(out, block.Sentence{Lead: "note", Tone: block.Warn, Text: said})
		for _, h := range hints {
			out = append(out, block.Sentence{Lead: "hint", Tone: block.Dim, Text: h})
		}
	}
	return out
}

// objectionsTo returns the caveats that may change which machine to take. A missing price is none: the conclusion says
// so.
func objectionsTo(r Recommendation) []finding.Objection {
	var out []finding.Objection
	for _, c := range r.Choices {
		if c.Need.Machines == nil {
			o := finding.ObjectionBy(c.Need.Why, c.Machine)
			o.Gravity = note.Decisive
			out = append(out, o)
			continue
		}
		if c.By == byPeak && c.Statistic == "" {
			out = append(out, finding.Objection{Text: "Fleets are sized by peak throughput: latency at that load is not known",
				Place: c.Machine, Gravity: note.Biased})
		}
		if c.Fewest == nil {
			out = append(out, finding.Objection{Text: "Fleets have no interval: noise may exceed the difference",
				Place: c.Machine, Gravity: note.Imprecise})
		}
	}
	return everywhere(out, len(r.Choices))
}

// everywhere returns objections, those that all of a number of machines share without a place.
func everywhere(all []finding.Objection, machines int) []finding.Objection {
	shared := map[string]int{}
	for _, o := range all {
		shared[o.Text]++
	}
	return list.Map(all, func(o finding.Objection) finding.Objection {
		if shared[o.Text] == machines {
			o.Place = ""
		}
		return o
	})
}

// grouped is texts with the machines that each holds for.
type grouped struct {
	texts    []string
	machines map[string][]string
}

func (g *grouped) add(text, machine string) {
	if g.machines == nil {
		g.machines = map[string][]string{}
	}
	if g.machines[text] == nil {
		g.texts = append(g.texts, text)
	}
	g.machines[text] = append(g.machines[text], machine)
}

// text joins the texts, each with its machines if there are several.
func (g grouped) text() string {
	if len(g.texts) == 1 {
		return g.texts[0]
	}
	return strings.Join(list.Map(g.texts, func(t string) string {
		return fmt.Sprintf("%s (%s)", t, strings.Join(g.machines[t], ", "))
	}), "; ")
}

// conclusionText says which machines to take, and what they save.
func conclusionText(r Recommendation) string {
	able := r.able()
	if len(able) == 0 {
		return "no fleet can be recommended: none of these machines is known to meet the demand"
	}
	first := able[0]
	fleet := fmt.Sprintf("%s: %s", first.Machine, figure.Count(*first.Need.Machines, "machine"))
	marked := ""
	if first.By == byPeak {
		marked = " (by peak throughput)"
	}
	switch {
	case len(r.Take) == 0:
		return "the fewest machines: " + fleet + marked + "; no price is known"
	case len(r.Take) > 1:
		return "take " + strings.Join(r.Take, " or ") + ": " + tiedText(r) + marked
	}
	text := fleet + " for " + figure.Dollars(*first.Need.PerMonth) + "/month" + marked
	if len(r.Choices) > 1 {
		text = "take " + text
	}
	if r.Saves == nil {
		return text
	}
	text += fmt.Sprintf(", saves %s (%s%%)", figure.DollarsBetween(*first.Need.PerMonth, *first.Need.PerMonth+*r.Saves),
		figure.Fixed(*r.SavesPct, 0))
	if len(r.Choices) > 2 {
		text += " over " + r.Over
	}
	return text
}

// tiedText gives the costs of fleets that are not told apart.
func tiedText(r Recommendation) string {
	tied := list.Filter(r.Choices, func(c Choice) bool { return slices.Contains(r.Take, c.Machine) })
	if !slices.ContainsFunc(tied, func(c Choice) bool {
		return dearer(*c.Need.PerMonth, *tied[0].Need.PerMonth) || c.Least != nil && dearer(*c.Need.PerMonth, *c.Least)
	}) {
		return "they cost the same, " + figure.Dollars(*tied[0].Need.PerMonth) + "/month"
	}
	return "their intervals do not tell them apart, " + strings.Join(list.Map(tied, costRange), " and ")
}

// costRange gives the monthly cost of a fleet, from that by the upper end of its interval.
func costRange(c Choice) string {
	if c.Least == nil || !dearer(*c.Need.PerMonth, *c.Least) {
		return figure.Dollars(*c.Need.PerMonth) + "/month"
	}
	return fmt.Sprintf("%s to %s/month", figure.Dollars(*c.Least), figure.Dollars(*c.Need.PerMonth))
}
