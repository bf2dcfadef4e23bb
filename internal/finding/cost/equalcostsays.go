package cost

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	coded "plimsoll/internal/note"
	"plimsoll/internal/record"
)

// equalCostNotes states the throughput of both sides at equal cost.
func equalCostNotes(p finding.Pair, a, b string) []block.Sentence {
	e := KindEqualCost.Of(p)
	if e == nil {
		return nil
	}
	out := []block.Sentence{{Lead: "equal cost", Tone: block.Strong, Text: fmt.Sprintf("%d %s cost %s $/h, %d %s %s $/h: equal within %s %%; throughput is assumed linear in their number",
		e.NodesA, a, figure.Fixed(e.SpendA, 3), e.NodesB, b, figure.Fixed(e.SpendB, 3), figure.PercentOf(e.Within, 0))}}
	for _, c := range e.Cells {
		said := figure.Claim{
			Subject: fmt.Sprintf("%d %s", e.NodesB, b), Object: fmt.Sprintf("%d %s", e.NodesA, a), Verb: "handle", Metric: c.Metric, Per: "machine",
			Direction: record.Higher, Ratio: figure.Span{Value: c.Ratio, Lo: c.Lo, Hi: c.Hi}, N: c.N, Each: "run",
		}
		u := figure.ScaleFor(figure.UnitOf(c.Workload, c.Unit), c.A, c.B)
		where := finding.Placed(c.Workload, c.Wording.Of(c.Params), c.Load, c.Metric)
		text := fmt.Sprintf("%s: %s (%s against %s)", said.Sentence(), where, u.Text(c.B, figure.FineDigits), u.Text(c.A, figure.FineDigits))
		out = append(out, block.Sentence{Lead: "equal cost", Tone: block.Dim, Text: strings.Join(append([]string{text}, coded.Texts(c.Flags)...), "; ")})
	}
	if len(e.Cells) == 0 {
		out = append(out, block.Sentence{Lead: "equal cost", Tone: block.Warn, Text: "no throughput was compared"})
	}
	return out
}

func equalCostSaid(v *finding.PairView) []block.Block {
	return finding.Verdicts(equalCostNotes(v.Pair, v.LabelA, v.LabelB)...)
}
