package compare

import (
	"fmt"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// ByChance is the number of a pair's verdicts expected to be DIFFERENT by chance if the sides were equal. The same
// ratio per dollar, core or watt is not another verdict.
type ByChance struct {
	Verdicts int     `json:"verdicts"`
	Alpha    float64 `json:"alpha"`    // the largest error rate of one verdict
	Expected float64 `json:"expected"` // DIFFERENT verdicts of equal sides
}

// manyVerdicts is the number of verdicts from which it is reported: 10 at an error rate of 5% yield half a false one.
const manyVerdicts = 10

func byChance(p *finding.Pairing) []finding.Finding {
	return KindByChance.New(byChanceOf(p.Pair.Verdicts))
}

// byChanceOf returns nil if there are few verdicts.
func byChanceOf(cs []finding.Comparison) *ByChance {
	out := &ByChance{}
	for _, c := range cs {
		if c.Verdict != "" && c.Per == finding.PerMachine {
			out.Verdicts++
			out.Alpha, out.Expected = max(out.Alpha, c.Alpha), out.Expected+c.Alpha
		}
	}
	if out.Verdicts < manyVerdicts {
		return nil
	}
	return out
}

// byChanceSays compares the number of DIFFERENT verdicts with that expected by chance.
func byChanceSays(v *finding.PairView) []block.Block {
	c := KindByChance.Of(v.Pair)
	if c == nil {
		return nil
	}
	expected := "about " + figure.Fixed(c.Expected, 0)
	if c.Expected < 1 {
		expected = "perhaps one"
	}
	text := fmt.Sprintf("at an error rate of %s %s of these %d verdicts would be DIFFERENT by chance if the "+
		"sides were equal", figure.PercentText(c.Alpha), expected, c.Verdicts)
	return finding.Sentences(block.Sentence{Lead: "by chance", Tone: block.Warn, Text: text})
}
