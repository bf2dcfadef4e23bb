package factorial

import (
	"math"

	"plimsoll/internal/stat"
)

// Gap is the ratio of the machines at one combination; nil where a side has too few values for an interval.
func (d Design) Gap(at int, c stat.Contrast) *Gap {
	g := Gap{Levels: d.levels(at), Ratio: math.Exp(c.Mean), Lo: math.Exp(c.Interval.Lo), Hi: math.Exp(c.Interval.Hi)}
	if math.IsInf(c.Interval.Lo, 0) {
		return nil
	}
	return &g
}
