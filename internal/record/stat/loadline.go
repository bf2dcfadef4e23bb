package stat

import (
	"fmt"
	"math"
)

// lineReach is the radius in ln(load) around the line, about 5%, within which probes contribute to its position. In
// simulated queues of one and of eight servers it halves the error of interpolation under large noise; a larger radius
// mistakes the bend of a steep curve for an earlier line.
const lineReach = .05

// LineAt is where latency crosses a limit in a sweep of load.
type LineAt struct {
	Load    float64 // in the unit of the loads; the highest load if not Crossed
	Crossed bool    // false: the highest load is still within the limit
	Probes  int     // probes that it rests on: 1 if not Crossed
}

// LoadLine returns the highest load whose latency is within the limit, given one latency for each load; loads must
// ascend, and all values must be positive. It returns false if no load is within.
//
// It interpolates ln(latency/limit) over ln(load) between the last load within and the next one. If the probes near the
// line do not rise monotonically, noise exceeds their steps and no two of them bracket the line; then it returns where
// a straight line through all of them crosses (least squares).
func LoadLine(loads, latencies []float64, limit float64) (LineAt, bool) {
	x, y := Logs(loads), make([]float64, len(loads))
	within := -1
	for i, l := range latencies {
		if y[i] = math.Log(l / limit); y[i] <= 0 {
			within = i
		}
	}
	switch {
	case within < 0:
		return LineAt{}, false
	case within == len(x)-1:
		return LineAt{Load: loads[within], Probes: 1}, true
	}
	at := x[within] - y[within]*(x[within+1]-x[within])/(y[within+1]-y[within])
	from, to := nearLine(x, at, within)
	if rises(y[from:to]) {
		return LineAt{Load: loads[within] * math.Exp(at-x[within]), Crossed: true, Probes: 2}, true
	}
	return regressLine(x, y, at, within), true
}

// nearLine returns the range of probes near a position, which always includes the two between which latency leaves the
// limit for good.
func nearLine(x []float64, at float64, within int) (from, to int) {
	from, to = within, within+2
	for from > 0 && at-x[from-1] <= lineReach {
		from--
	}
	for to < len(x) && x[to]-at <= lineReach {
		to++
	}
	return from, to
}

func rises(y []float64) bool {
	for i := range len(y) - 1 {
		if y[i+1] <= y[i] {
			return false
		}
	}
	return true
}

// regressLine iterates from a first guess to where the probes near it cross, until they stay the same. It keeps the
// guess if they do not rise at all.
func regressLine(x, y []float64, at float64, within int) LineAt {
	const rounds = 8 // two ranges can alternate
	out := LineAt{Crossed: true}
	for range rounds {
		from, to := nearLine(x, at, within)
		out.Probes = to - from
		mx, my := Mean(x[from:to]), Mean(y[from:to])
		slope := Slope(x[from:to], y[from:to])
		if !(slope > 0) {
			break
		}
		next := min(max(mx-my/slope, x[from]), x[to-1])
		if next == at {
			break
		}
		at = next
	}
	out.Load = math.Exp(at)
	return out
}

// Slope returns the slope of the least-squares line through points.
func Slope(x, y []float64) float64 {
	mx, my := Mean(x), Mean(y)
	xx, xy := 0.0, 0.0
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	return xy / xx
}

// Between returns y at position at by linear interpolation between the first two consecutive points that have it
// between them. It returns false if none have.
func Between(x, y []float64, at float64) (float64, bool) {
	for i, v := range x {
		if v == at {
			return y[i], true
		}
		if i > 0 && (x[i-1] < at) != (v < at) {
			return y[i-1] + (at-x[i-1])/(v-x[i-1])*(y[i]-y[i-1]), true
		}
	}
	return math.NaN(), false
}

// Fleet is a number of machines and the utilisation of each, as fractions of its load line.
type Fleet struct {
	Machines int
	Share    float64 // all machines up
	After    float64 // after the failures that the fleet is to survive
	Alarm    float64 // all machines up: above it the failures would leave less than the headroom
}

// mostMachines is the number of machines over which nobody has a fleet.
const mostMachines = 1e8

// FleetFor returns the smallest fleet that serves a demand with each machine at no more than the headroom's fraction of
// its load line, even after failures: N = ceil(demand / (headroom · line)) + failures. The alarm is at headroom · (N −
// failures) / N (docs/derivations.md#headroom). Demand and line are rates in the same unit; to be safe, pass the lower
// end of the line's interval.
func FleetFor(demand, line, headroom float64, failures int) (Fleet, error) {
	if !(demand > 0) || !(line > 0) || !(headroom > 0 && headroom <= 1) || failures < 0 {
		return Fleet{}, fmt.Errorf("no fleet for a demand of %g, a load line of %g, headroom %g and %d failures: rates "+
			"must be over 0, headroom at most 1", demand, line, headroom, failures)
	}
	needed := math.Ceil(demand / (headroom * line) * (1 - 1e-9)) // an excess that is due to rounding takes no machine
	if needed > mostMachines {
		return Fleet{}, fmt.Errorf("it takes %.3g machines, more than anybody has", needed)
	}
	n := int(needed) + failures
	return Fleet{Machines: n, Share: demand / float64(n) / line, After: demand / needed / line,
		Alarm: AlarmShare(n, failures, headroom)}, nil
}

// AlarmShare returns the fraction of its load line up to which each machine may run so that, after the failures, the
// remaining ones serve the whole load within the headroom's fraction: headroom · (N − failures) / N.
func AlarmShare(machines, failures int, headroom float64) float64 {
	return headroom * float64(machines-failures) / float64(machines)
}
