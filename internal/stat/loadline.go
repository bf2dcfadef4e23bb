package stat

import "math"

// lineReach is how far in ln(load) from the line a probe may lie and still have a say in
// where it is: about 5 %. In simulated queues of one and of eight servers that halves the
// error of interpolation where noise is large; wider ranges mistake the bend of a steep
// curve for an earlier line.
const lineReach = .05

// LineAt is where latency crosses a limit along a sweep of load.
type LineAt struct {
	Load    float64 // in the unit of the loads; the highest load where not Crossed
	Crossed bool    // false: the highest load is still within the limit
	Probes  int     // that say so: 1 where not Crossed
}

// LoadLine finds the highest load whose latency is within the limit, from one
// latency for each of several loads, which ascend; all are over 0. It is false where no
// load is within.
//
// Between the last load within and the one above it, it interpolates
// ln(latency/limit) over ln(load). Where the probes about the line do not rise one after
// the other, noise is larger than their steps and no two of them bracket the line;
// then it is where a straight line through all of them crosses (least squares).
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

// nearLine is the range of probes about a place; the two between which latency
// leaves the limit for good are always among them.
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

// regressLine moves from a first guess to where the probes about it cross,
// until these stay the same. It keeps the guess where they do not rise at all.
func regressLine(x, y []float64, at float64, within int) LineAt {
	const rounds = 8 // two ranges can name each other in turn
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

// slopeOf is the slope of the straight line through points, by least squares.
func slopeOf(x, y []float64) float64 {
	mx, my := Mean(x), Mean(y)
	xx, xy := 0.0, 0.0
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	return xy / xx
}

// Between reads y at a place of x by straight lines between neighbouring points,
// in their order: the first two that have it between them. It is false where none have.
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
