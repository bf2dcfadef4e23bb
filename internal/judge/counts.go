package judge

import (
	"fmt"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/integrity"
	"plimsoll/internal/trialset"
)

// flagCounts says what is left out of a comparison, and what of an import's numbering is not there.
func flagCounts(c *finding.Comparison, s trialset.Sample, m trialset.Matched) {
	if s.Alone != [2]int{} {
		c.Flag("without-partner", sidesOf(s.Alone))
	}
	if s.Paired || !trialset.Imported(m.A) && !trialset.Imported(m.B) {
		return
	}
	missing := integrity.Missing(integrity.Numbers(m.A), integrity.Numbers(m.B)) + integrity.Missing(integrity.Numbers(m.B), integrity.Numbers(m.A))
	switch {
	case missing > 0:
		c.Flag("runs-missing", len(s.A), len(s.B), missing)
	case len(s.A) != len(s.B):
		c.Flag("runs-unequal", len(s.A), len(s.B))
	}
}

func sidesOf(n [2]int) string {
	switch {
	case n[0] == 0:
		return fmt.Sprintf("%d of side b", n[1])
	case n[1] == 0:
		return fmt.Sprintf("%d of side a", n[0])
	}
	return fmt.Sprintf("%d of side a, %d of side b", n[0], n[1])
}
