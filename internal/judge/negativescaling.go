package judge

import (
	"math"
	"strings"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// negativeScalingOf finds readings of sweeps of load that go backwards: throughput or latency
// that is lower at a higher load by more than noise. Each is a doubt of the cell of the
// higher load. Of throughput over CPUs a Scaling speaks where there is one: past its peak
// it may fall.
func negativeScalingOf(ramps []ramp, scalings map[place]scalingFinding) map[place][]note.Note {
	out := map[place][]note.Note{}
	for _, r := range ramps {
		for _, m := range metricsOf(r.trials()) {
			rate := m.Name == record.Throughput || m.Name == record.IOPS
			if _, latency := statisticOf(m); !latency && !rate || rate && scalings[r.last().at()].scaling != nil {
				continue
			}
			if at, n := r.deepestFall(m.Name); !n.IsZero() {
				out[at] = append(out[at], n)
			}
		}
	}
	return out
}

// backwards is the deepest fall of a metric from one load to a higher one, if it is
// more than noise.
func (r ramp) deepestFall(metric string) (place, note.Note) {
	c := r.having(metric).Curve
	points, _ := c.logs(metric)
	from, to, depth := 0, 0, 0.0
	for j := range points {
		for i := range j {
			if fall := points[i].Mean() - points[j].Mean(); fall > depth {
				from, to, depth = i, j, fall
			}
		}
	}
	if depth <= noiseOf(points, from, to) {
		return place{}, note.Note{}
	}
	where := func(i int) string { return loadOf(c.Points[i].Trials[0]) }
	fall := -100 * math.Expm1(-depth)
	if single(points) {
		return c.Points[to].at(), note.New("goes-backwards-of-one", metric, fall, where(to), where(from), 100*maxCV)
	}
	return c.Points[to].at(), note.New("goes-backwards", metric, fall, where(to), where(from))
}

// noiseOf is how far the means of two loads may lie apart by noise alone, in logs. Where no load was measured twice it is as much as
// replicates may vary.
func noiseOf(points []stat.Point, from, to int) float64 {
	if single(points) {
		return -math.Log1p(-maxCV)
	}
	return stat.LeastDifference(points, points[from], points[to], Alpha)
}

// single says whether no point has two values.
func single(points []stat.Point) bool {
	for _, p := range points {
		if len(p.Logs) > 1 {
			return false
		}
	}
	return true
}

// isBytes says whether a unit counts bytes, which no rate of operations is to be
// held against.
func isBytes(unit string) bool { return strings.HasPrefix(unit, "B") }
