package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/compare"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// manySaid is how many comparisons of one workload get a sentence each; more are
// counted, and their table tells the rest.
const manySaid = 6

// overallSaid returns a sentence for each mean, among the verdicts.
func overallSaid(v *finding.PairView) []block.Block {
	var out []block.Sentence
	for _, o := range compare.KindOverall.All(v.Pair) {
		if repeats(finding.Comparison{Per: o.Per}, v.BasisA, v.BasisB) {
			continue
		}
		over := fmt.Sprintf("geometric mean over %s (%s) at %s", figure.Count(len(o.Workloads), "workload"), figure.Count(o.Cells, "cell"), o.Load)
		if o.Ratio == nil {
			out = append(out, block.Sentence{Lead: "no mean", Tone: block.Warn, Text: fmt.Sprintf("%s: %s", over, o.Why.Text())})
			continue
		}
		said := figure.Claim{Subject: v.LabelB, Object: v.LabelA, Verb: "carries", Per: o.Per, Direction: record.Higher,
			Ratio: figure.Span{Value: *o.Ratio, Lo: o.Lo, Hi: o.Hi}, Within: o.Verdict == trialset.Equivalent, N: o.N, Each: "round"}
		out = append(out, block.Sentence{Lead: verdictText(o.Verdict), Tone: verdictInk(o.Verdict), Text: said.Sentence() + ": " + over})
	}
	return finding.Verdicts(out...)
}

// saidOf is a sentence for each primary comparison of a workload, or, of many, one
// that counts them for each basis. How many CPUs a side lacks is said of one cell of a
// sweep only, and so is never too much.
func saidOf(group []finding.Comparison, split finding.Split, a, b string) []block.Sentence {
	var each, extra, costs []block.Sentence
	comparisons := 0
	tally := map[string]*verdicts{}
	var order []string
	for _, c := range group {
		if !c.Primary && c.Verdict == "" || idle(c) {
			continue
		}
		comparisons++
		each = append(each, comparisonNote(c, split, a, b))
		each = append(each, breakEvenNotes(c, a, b)...)
		costs = append(costs, perOpNotes(c, a, b, split.Label(c.Params, c.Load)+": ")...)
		extra = append(extra, repeatNotes(c)...)
		each = append(each, repeatNotes(c)...)
		lacks := append(extraNotes(c, a, b), replacementNotes(c, a, b)...)
		extra = append(extra, lacks...)
		each = append(each, lacks...)
		if tally[c.Per] == nil {
			tally[c.Per] = &verdicts{}
			order = append(order, c.Per)
		}
		tally[c.Per].add(c)
	}
	if comparisons <= manySaid {
		return each
	}
	var out []block.Sentence
	for _, per := range order {
		out = append(out, block.Sentence{Lead: "verdicts", Tone: block.Dim, Text: fmt.Sprintf("%s%s: %s", group[0].Workload, figure.PerUnit(per), tally[per].text(a, b))})
	}
	if len(costs) <= manySaid {
		out = append(out, costs...)
	}
	return append(out, extra...)
}

// verdicts counts what comparisons concluded.
type verdicts struct{ a, b, equivalent, undecided, none int }

func (v *verdicts) add(c finding.Comparison) {
	switch {
	case c.Verdict == trialset.Different && c.Better == "a":
		v.a++
	case c.Verdict == trialset.Different:
		v.b++
	case c.Verdict == trialset.Equivalent:
		v.equivalent++
	case c.Verdict == trialset.Undecided:
		v.undecided++
	default:
		v.none++
	}
}

func (v verdicts) text(a, b string) string {
	var parts []string
	add := func(n int, before, after string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s%d%s", before, n, after))
		}
	}
	add(v.b, b+" is better in ", "")
	add(v.a, a+" is better in ", "")
	add(v.equivalent, "", " EQUIVALENT")
	add(v.undecided, "", " UNDECIDED")
	add(v.none, "", " without a verdict")
	return figure.Count(v.a+v.b+v.equivalent+v.undecided+v.none, "comparison") + ", " + strings.Join(parts, ", ")
}
