package compare

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"slices"
	"strings"
)

// effects returns the effect of every factor of the plans on each cell at its first level: the ratio of each other
// level to it, from pairs only.
func effects(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, factor := range axis.FactorsOf(in.PlanLines) {
		ax, err := axis.New(factor, "", nil, in.Condensed, in.PlanLines)
		if err != nil {
			continue // measured at one level so far: no effect
		}
		x, of := comparer{in: in, axis: ax}, ax.Sides(in.Condensed)
		for _, to := range ax.Levels[1:] {
			out = append(out, x.effectsOf(of(ax.Levels[0], to), to)...)
		}
	}
	return out
}

// effectsOf returns the effects of one level.
func (x comparer) effectsOf(trials []record.Trial, to string) []finding.Finding {
	var out []finding.Finding
	from := x.axis.Levels[0]
	both, _, _ := x.axis.Match(trials, from, to)
	for _, m := range both {
		for _, c := range x.compareCell(finding.Pair{A: from, B: to}, m, &gaps{}) {
			if !c.Paired {
				continue
			}
			e := Effect{Factor: x.axis.By, From: from, To: to, Per: c.Per, Ratio: c.Ratio, Bounds: c.Bounds,
				Verdict: c.Verdict, N: c.N, Confidence: c.Confidence, better: c.Better, settles: settles(c)}
			out = append(out, finding.About(c.Metric, KindEffect.New(&e, trialset.KeyOf(m.A[0], "", nil)))...)
		}
	}
	return out
}

// Effect is one factor's effect on one benchmark's metric: the document of
// `effects` in `show --json`.
type Effect struct {
	Factor string  `json:"factor"`
	From   string  `json:"from"`
	To     string  `json:"to"`
	Per    string  `json:"per"`
	Ratio  float64 `json:"ratio"`
	figure.Bounds
	Verdict trialset.Verdict `json:"verdict,omitempty"`
	N       int              `json:"n"`
	// of the interval, as a fraction; 0.95 if missing
	Confidence float64 `json:"confidence,omitempty"`

	better  string // the side that wins, as a Comparison has it
	settles string // the step that would settle it; "" if it is settled
}

// effectSays states the factors' effects on the primary metrics.
func effectSays(v *finding.View) []block.Block {
	var out []block.Sentence
	for _, c := range v.Cells {
		if !c.Primary {
			continue
		}
		for _, e := range KindEffect.All(c) {
			text := effectSentence(c, e)
			if len(v.Cells) > 1 {
				text = v.Place(c.Without(e.Factor)) + ": " + text
			}
			out = append(out, block.Sentence{Lead: "effect", Tone: block.Dim, Text: text})
		}
	}
	return finding.Sentences(out...)
}

func effectSentence(c finding.Cell, e Effect) string {
	said := figure.Claim{
		Subject: e.Factor + "=" + figure.Short(e.To, e.From), Object: e.Factor + "=" +
			figure.Short(e.From, e.To),
		Metric: c.Metric, Unit: c.Unit, Per: e.Per, Direction: c.Better,
		Ratio: e.Around(e.Ratio), Within: e.Verdict == trialset.Equivalent, N: e.N, Each: figure.Pair,
	}
	text := said.Sentence()
	if said.Ratio.Bounded() {
		text += " (" + figure.N(e.N) + ")"
	}
	if e.Verdict != "" {
		text += ": " + string(e.Verdict)
	}
	return text
}

// mostEffects is the number of effects up to which an answer has a line for each.
const mostEffects = 2

// effectAnswer returns a line for each level of a factor against the first one, if its levels are all that was measured
// and are few: the user asked for their difference.
func effectAnswer(v *finding.View) finding.Answer {
	var out finding.Answer
	cells := list.Filter(v.Cells, func(c finding.Cell) bool { return c.Primary })
	if len(cells) < 2 || len(cells) > mostEffects+1 || finding.CountMachines(cells) > 1 {
		return out
	}
	from := cells[0]
	effects := list.Filter(KindEffect.All(from), func(e Effect) bool {
		return e.Per == finding.PerMachine && e.Verdict != "" && e.Bounded()
	})
	if len(effects) != len(cells)-1 || slices.ContainsFunc(effects,
		func(e Effect) bool { return e.Factor != effects[0].Factor }) {
		return out
	}
	for i, e := range effects {
		to := cells[i+1]
		if to.Metric != from.Metric {
			return finding.Answer{}
		}
		versus := strings.TrimPrefix(e.Factor, from.Workload+".") + "=" + figure.Short(e.To, e.From) + " vs " +
			figure.Short(e.From, e.To)
		change := e.change(from, to)
		out.Results = append(out.Results, change.Result())
		out.Next(e.settles)
		out.Stats = append(out.Stats, change.Stat(versus+", "+from.Metric))
	}
	return out
}

// change returns the effect as answers word it.
func (e Effect) change(from, to finding.Cell) finding.Change {
	object, subject := axis.Subjects(e.Factor, e.From, e.To)
	return finding.Change{Claim: figure.Claim{Subject: subject, Object: object, Metric: from.Metric, Unit: from.Unit,
		Load: loadline.IsLine(from.Metric), Per: e.Per, Direction: from.Better,
		Ratio: e.Around(e.Ratio), N: e.N, Each: figure.Pair, Confidence: e.Confidence},
		Verdict: e.Verdict, Better: e.better, Values: to.EstimateText() + " vs " + from.EstimateText() +
			finding.AtRate(to.Load, to.Counted())}
}
