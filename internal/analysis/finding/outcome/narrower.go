package outcome

import (
	"fmt"
	"math"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// usable is the half-width of an interval, as a fraction, that a step aims for if the present one is of no use.
const usable = .1

// narrower returns the flag that would give the figures of cells an interval, or one narrow enough to rely on; "" if
// all have one. The cell that needs most runs counts.
func narrower(cells []finding.Cell) string {
	few, wide, imported, most := false, false, false, 0
	for _, c := range cells {
		switch s := finding.SpanOf(c.Estimate); {
		case !measured(c) || c.AtLeast:
		case !s.Bounded() && c.N < estimate.MinReplicates:
			few, imported = true, imported || c.Imported
		case s.TooWide() && *s.Lo > 0 && !c.Imported:
			wide = true
			if n := stat.RunsFor(math.Log(*s.Hi / *s.Lo)/2, c.N, math.Log1p(usable), stat.MostPairs); n == 0 || most < 0 {
				most = -1 // too many
			} else {
				most = max(most, n)
			}
		}
	}
	switch {
	case wide && most < 0:
		return "the machine is too noisy for these figures; find the noise: plimsoll machine --for 60s"
	case wide:
		return fmt.Sprintf("about %d runs would narrow the interval to ±%g%%: --replicates %d", most, 100*usable, most)
	case few && imported:
		return fmt.Sprintf("a confidence interval needs %d runs", estimate.MinReplicates)
	case few:
		return fmt.Sprintf("a confidence interval needs %d runs: --replicates %d", estimate.MinReplicates,
			estimate.MinReplicates)
	}
	return ""
}
