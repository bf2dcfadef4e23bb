package explain

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/figure"
)

// byFactors states how the gap in CPU time changes with the factors of a factorial that includes the cell and ran on
// both machines; in words only if its index is not in stated yet.
func (x *Explanation) byFactors(all []factorial.MachineByFactor, m trialset.Matched, stated map[int]bool) {
	for at, f := range all {
		if f.Metric != factorial.AttributedCPU || f.Change == nil || !slices.ContainsFunc(m.A, f.Holds) {
			continue
		}
		x.GapByFactor = f.Shares
		if stated[at] {
			return
		}
		stated[at] = true
		x.Doubts = append(x.Doubts, f.Doubts...)
		for i, s := range f.Shares {
			if s.Excludes(1) {
				x.More = append(x.More, x.factorText(f.Factors[i], s))
			}
		}
		return
	}
}

func (x *Explanation) factorText(f factorial.TwoLevels, s factorial.Share) string {
	how, lo, hi := "rises", *s.Lo-1, *s.Hi-1
	if s.Ratio < 1 {
		how, lo, hi = "falls", 1-*s.Hi, 1-*s.Lo
	}
	with := ""
	if len(s.Alias) > 0 {
		with = " (or with " + strings.Join(s.Alias, " x ") + ", confounded with it)"
	}
	return fmt.Sprintf("from %s to %s%s, CPU time per operation of %s over that of %s %s by %.1f to %.1f%%",
		f.Factor+"="+figure.Short(f.From, f.To), figure.Short(f.To, f.From), with, x.labelB, x.labelA, how, 100*lo, 100*hi)
}
