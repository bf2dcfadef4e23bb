package compare

import (
	"fmt"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

// ByChance says how many of a pair's verdicts would be DIFFERENT by chance, were the sides alike in
// everything. The same ratio put per dollar, core or watt is not another verdict.
type ByChance struct {
	Verdicts int     `json:"verdicts"`
	Alpha    float64 `json:"alpha"`    // the largest error rate of one
	Expected float64 `json:"expected"` // DIFFERENT, of alike sides
}

// manyVerdicts is from how many on it is said: at an error rate of 5 % half a false one is
// expected of 10.
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

// chanceSaid holds many verdicts against chance.
func chanceSaid(v *finding.PairView) []block.Block {
	c := KindByChance.Of(v.Pair)
	if c == nil {
		return nil
	}
	expected := "about " + figure.Fixed(c.Expected, 0)
	if c.Expected < 1 {
		expected = "perhaps one"
	}
	return finding.Sentences(block.Sentence{Lead: "by chance", Tone: block.Warn, Text: fmt.Sprintf("at an error rate of %s %s of these %d verdicts would be DIFFERENT, were the sides alike", figure.PercentText(c.Alpha), expected, c.Verdicts)})
}
