package compare

import (
	"fmt"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/codepath"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// likeForLike separates the comparable cells from the others, with the reasons for these.
func (x comparer) likeForLike(both []trialset.Matched) (may []trialset.Matched, refused []string) {
	for _, m := range both {
		if why, same := codepath.Unequal(x.axis.By, m, x.in.Fleet); why != "" && !same && !x.asked.AllowUnequalPaths {
			refused = append(refused, fmt.Sprintf("%s: %s", x.name(m), why))
			continue
		}
		may = append(may, m)
	}
	return may, refused
}

// name formats a cell as tables do.
func (x comparer) name(m trialset.Matched) string {
	p := m.Place
	p.Params = trialset.ParamsText(x.in.Wordings.Between(m).Of(m.Params))
	return p.String()
}

// flagKinds states the code path and the regime of each side, and flags unequal ones that are compared nevertheless.
func (x comparer) flagKinds(c *finding.Comparison, m trialset.Matched) {
	a, b := trialset.Valid(m.A), trialset.Valid(m.B)
	c.PathA, c.PathB = trialset.Common(a, record.KeyPath), trialset.Common(b, record.KeyPath)
	c.RegimeA, c.RegimeB = trialset.Common(a, record.KeyRegime), trialset.Common(b, record.KeyRegime)
	if !c.Primary {
		return
	}
	if why, _ := codepath.Unequal(x.axis.By, m, x.in.Fleet); why != "" {
		c.Flag("unequal-code-paths", why)
	}
	if c.RegimeA != "" && c.RegimeB != "" && c.RegimeA != c.RegimeB {
		c.Flag("unequal-regimes", regimeText(c.RegimeA), regimeText(c.RegimeB))
	}
}

func regimeText(regime string) string {
	switch regime {
	case record.RegimeBetween:
		return "cache in part"
	case record.RegimeDRAM:
		return "DRAM"
	}
	return regime
}
