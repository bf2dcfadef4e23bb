package outcome

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/estimate"
)

// narrower returns the flag that would give the figures of cells an interval, or one narrow enough to rely on; "" if
// all have one. The cell that needs most runs counts.
func narrower(cells []finding.Cell) string {
	tooFew, tooWide, imported, most := false, false, false, 0
	for _, c := range cells {
		switch s := c.Estimate; {
		case !measured(c) || c.AtLeast:
		case !s.Bounded() && c.N < estimate.MinReplicates:
			tooFew, imported = true, imported || c.Imported
		case s.TooWide() && *s.Lo > 0 && !c.Imported:
			tooWide = true
			if n := finding.RunsToNarrow(s, c.N); n == 0 || most < 0 {
				most = -1 // too many
			} else {
				most = max(most, n)
			}
		}
	}
	switch {
	case tooWide && most < 0:
		return "the machine is too noisy for these figures; " + finding.FindNoise
	case tooWide:
		return finding.NarrowStep(most, false)
	case tooFew:
		return finding.IntervalStep(estimate.MinReplicates, "runs", finding.RunsFlag(estimate.MinReplicates, imported))
	}
	return ""
}
