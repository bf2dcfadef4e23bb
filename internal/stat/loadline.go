package stat

import (
	"math"
	"slices"
)

// lineReach is how far in ln(load) from the line a probe may lie and still have a
// say in where it is: 10 %.
const lineReach = .1

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
// Between the last load within and the one above it, it interpolates ln(latency/limit) over
// ln(load). Where the probes about the line do not rise one after the other, noise is
// larger than their steps and no two of them bracket the line; then it is where a
// straight line through all of these crosses (least squares).
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
	probes := 2
	if !slices.IsSortedFunc(y[from:to], rising) {
		at, probes = regressLine(x, y, at, within)
	}
	return LineAt{Load: math.Exp(at), Crossed: true, Probes: probes}, true
}

// nearLine is the range of probes about a place, the two that bracket the line
// always among them.
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

// rising makes equal readings be out of order.
func rising(a, b float64) int {
	if a < b {
		return -1
	}
	return 1
}
