package stat

import "math"

// lineReach is the radius in ln(load) around the line, about 5 %, within which probes contribute to its position. In
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
		slope := slopeOf(x[from:to], y[from:to])
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

// slopeOf returns the slope of the least-squares line through points.
func slopeOf(x, y []float64) float64 {
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
