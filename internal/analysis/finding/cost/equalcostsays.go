package cost

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	coded "plimsoll/internal/record/note"
)

const equalCostLead = "equal cost"

// basisText states what the machines of both sides cost, and where their throughput is from.
func (e EqualCost) basisText(a, b string) string {
	text := fmt.Sprintf("%d %s cost %s $/h, %d %s %s $/h", e.NodesA, a, figure.Fixed(e.SpendA, 3), e.NodesB, b,
		figure.Fixed(e.SpendB, 3))
	if SameSpend(e.SpendA, e.SpendB) {
		text += fmt.Sprintf(": equal within %s%%", figure.PercentOf(e.Within, 0))
	} else {
		text += fmt.Sprintf(": %s, not equal within %s%%",
			figure.Percents(e.SpendB/e.SpendA, e.SpendB/e.SpendA, "more", "less"), figure.PercentOf(e.Within, 0))
	}
	if e.Assumed == assumedMeasured {
		return text + "; clusters of so many nodes were measured"
	}
	return text + "; throughput is assumed linear in their number"
}

// claimOf returns the difference of a cell in words.
func (e EqualCost) claimOf(c EqualCell, a, b string) figure.Claim {
	return figure.Claim{
		Subject: fmt.Sprintf("a cluster of %d %s", e.NodesB, b), Object: fmt.Sprintf("one of %d %s", e.NodesA, a),
		Metric: c.Metric, Unit: c.Unit, Load: loadline.IsLine(c.Metric), Per: "machine",
		Direction: c.direction, Ratio: c.Around(c.Ratio),
		Within: c.Verdict == trialset.Equivalent, N: c.N, Each: c.each,
	}
}

// answerEqualCost returns a line for each pair of clusters that were measured.
func answerEqualCost(c finding.Compared) finding.Answer {
	var out finding.Answer
	for _, p := range c.Pairs {
		e := KindEqualCost.Of(p)
		if e == nil || e.Assumed != assumedMeasured {
			continue
		}
		for _, cell := range e.Cells {
			change := finding.Change{Claim: e.claimOf(cell, p.A, p.B), Verdict: cell.Verdict, Better: cell.Better,
				Place: fmt.Sprintf("$%s/h vs $%s/h", figure.Fixed(e.SpendB, 3), figure.Fixed(e.SpendA, 3))}
			versus := fmt.Sprintf("%d %s vs %d %s", e.NodesB, p.B, e.NodesA, p.A)
			out.Results = append(out.Results, change.Result())
			out.Stats = append(out.Stats, change.Stat(versus+", "+cell.Metric))
			for _, f := range cell.Flags {
				if f.Code == "nodes-share-machine" {
					out.Object(finding.ObjectionBy(f, versus))
				}
			}
		}
	}
	return out
}

// equalCostNotes states the throughput of both sides at equal cost.
func equalCostNotes(p finding.Pair, a, b string) []block.Sentence {
	e := KindEqualCost.Of(p)
	if e == nil {
		return nil
	}
	out := []block.Sentence{{Lead: equalCostLead, Tone: block.Strong, Text: e.basisText(a, b)}}
	for _, c := range e.Cells {
		said := e.claimOf(c, a, b)
		u := figure.ScaleFor(figure.UnitOf(c.Workload, c.Unit), c.A, c.B)
		where := finding.Placed(c.Workload, c.Wording.Of(c.Params), c.Load, c.Metric)
		text := fmt.Sprintf("%s: %s (%s against %s)", said.Sentence(), where, u.Text(c.B, figure.FineDigits),
			u.Text(c.A, figure.FineDigits))
		if c.Verdict != "" {
			text += ": " + string(c.Verdict)
		}
		out = append(out, block.Sentence{Lead: equalCostLead, Tone: block.Dim,
			Text: strings.Join(append([]string{text}, coded.Texts(c.Flags)...), "; ")})
	}
	if len(e.Cells) == 0 {
		out = append(out, block.Sentence{Lead: equalCostLead, Tone: block.Warn, Text: "no throughput was compared"})
	}
	return out
}

func equalCostSaid(v *finding.PairView) []block.Block {
	return finding.Verdicts(equalCostNotes(v.Pair, v.LabelA, v.LabelB)...)
}
