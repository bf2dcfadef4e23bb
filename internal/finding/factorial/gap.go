package factorial

import (
	"math"

	"plimsoll/internal/stat"
)

// Gap is the ratio of two machines at one combination of levels.
type Gap struct {
	Levels []string `json:"levels"` // of the factors, in their order
	Ratio  float64  `json:"ratio"`
	Lo     float64  `json:"lo"`
	Hi     float64  `json:"hi"`
}

// gap returns the ratio of the machines at one combination; nil if a side has too few values for an interval.
func (d design) gap(at int, c stat.Contrast) *Gap {
	g := Gap{Levels: d.levels(at), Ratio: math.Exp(c.Mean), Lo: math.Exp(c.Interval.Lo), Hi: math.Exp(c.Interval.Hi)}
	if math.IsInf(c.Interval.Lo, 0) {
		return nil
	}
	return &g
}
