package stat

import (
	"cmp"
	"math"
	"slices"
)

// FoundLine is the result of a search for the load line.
type FoundLine struct {
	Load    float64 // offered load at the line, op/s; the highest load within it if not Crossed
	Base    float64 // seconds; 0 if unknown
	Limit   float64 // seconds
	Crossed bool    // some probe lies above the line
	Probes  int     // that the estimate rests on
}

// Line estimates the load line from all probes of a search: a straight line of ln(latency/limit) over ln(load) through
// the nearby probes, weighted by their distance (tricube), iterated until it converges. Bisection decides where to
// probe, but is a poor estimator itself, because it only uses the side on which a probe lies
// (docs/method.md#load-lines). It returns false if there is no base, or no load is within the line.
func (s LineSearch) Line(done []LineProbe) (FoundLine, bool) {
	limit, ok := s.Limit(done)
	if !ok {
		return FoundLine{}, false
	}
	base, _ := s.Base(done)
	out := FoundLine{Base: base, Limit: limit}
	var carried []LineProbe // with a latency
	over := math.Inf(1)     // lowest load that was not sustained
	for _, p := range done {
		switch {
		case p.Void:
		case p.Over:
			over = min(over, p.Load)
		default:
			carried = append(carried, p)
		}
	}
	slices.SortStableFunc(carried, func(a, b LineProbe) int { return cmp.Compare(a.Load, b.Load) })
	loads, latencies := make([]float64, len(carried)), make([]float64, len(carried))
	for i, p := range carried {
		loads[i], latencies[i] = p.Load, p.Latency
	}
	first, ok := LoadLine(loads, latencies, limit)
	if !ok {
		return out, false
	}
	out.Load, out.Crossed, out.Probes = first.Load, first.Crossed, first.Probes
	if !first.Crossed {
		// The line lies between this load and the lowest one not sustained.
		if out.Crossed = !math.IsInf(over, 1); out.Crossed && over > first.Load {
			out.Load = math.Sqrt(first.Load * over)
		}
		return out, true
	}
	if at, n, ok := localLine(Logs(loads), logsOver(latencies, limit), math.Log(first.Load)); ok {
		out.Load, out.Probes = math.Exp(at), n
	}
	return out, true
}

func logsOver(latencies []float64, limit float64) []float64 {
	out := make([]float64, len(latencies))
	for i, l := range latencies {
		out[i] = math.Log(l / limit)
	}
	return out
}

// localLine returns the zero of a weighted straight line through the points near at.
func localLine(x, y []float64, at float64) (float64, int, bool) {
	n := 0
	for range localRounds {
		reach := reachOf(x, at)
		var sw, sx, sy, sxx, sxy float64
		n = 0
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range x {
			u := math.Abs(x[i]-at) / reach
			if u >= 1 {
				continue
			}
			w := math.Pow(1-u*u*u, 3)
			n++
			lo, hi = min(lo, x[i]), max(hi, x[i])
			sw, sx, sy = sw+w, sx+w*x[i], sy+w*y[i]
			sxx, sxy = sxx+w*x[i]*x[i], sxy+w*x[i]*y[i]
		}
		slope := (sw*sxy - sx*sy) / (sw*sxx - sx*sx)
		if n < 3 || !(slope > 0) {
			return 0, 0, false
		}
		next := min(max((sx-sy/slope)/sw, lo), hi)
		if math.Abs(next-at) < 1e-6 {
			break
		}
		at = next
	}
	return at, n, true
}

// reachOf returns the radius within which points count: up to the nearest few, and at least 8 %.
func reachOf(x []float64, at float64) float64 {
	far := make([]float64, len(x))
	for i := range x {
		far[i] = math.Abs(x[i] - at)
	}
	slices.Sort(far)
	return max(localReach, 1.001*far[min(localProbes, len(far))-1])
}
