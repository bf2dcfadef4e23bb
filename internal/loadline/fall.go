package loadline

import (
	"math"

	"plimsoll/internal/estimate"
	"plimsoll/internal/note"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// DeepestFall returns the deepest fall of a metric from one load to a higher one, if it is more than noise.
func (r Ramp) DeepestFall(metric string) (trialset.Key, note.Note) {
	c := r.Having(metric).Curve
	points, _ := c.Logs(metric)
	from, to, depth := 0, 0, 0.0
	for j := range points {
		for i := range j {
			if fall := points[i].Mean() - points[j].Mean(); fall > depth {
				from, to, depth = i, j, fall
			}
		}
	}
	if depth <= noiseOf(points, from, to) {
		return trialset.Key{}, note.Note{}
	}
	where := func(i int) string { return trialset.LoadOf(c.Points[i].Trials[0]) }
	fall := -100 * math.Expm1(-depth)
	if single(points) {
		return c.Points[to].At(), note.New("goes-backwards-of-one", metric, fall, where(to), where(from), 100*estimate.MaxCV)
	}
	return c.Points[to].At(), note.New("goes-backwards", metric, fall, where(to), where(from))
}

// noiseOf returns how far the means of two loads may differ by noise alone, in logs. If no load was measured twice, it
// is the scatter allowed for replicates.
func noiseOf(points []stat.Point, from, to int) float64 {
	if single(points) {
		return -math.Log1p(-estimate.MaxCV)
	}
	return stat.LeastDifference(points, points[from], points[to], estimate.Alpha)
}

// single reports whether no point has two values.
func single(points []stat.Point) bool {
	for _, p := range points {
		if len(p.Logs) > 1 {
			return false
		}
	}
	return true
}
