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
	Scatter float64 // standard deviation of ln of their latencies about the local line; 0 if unknown
	Slope   float64 // of the local line: ln of latency over ln of load
	Height  float64 // variance of the local line's height at Load, in units of that of a probe
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
	x, y := Logs(loads), logsOver(latencies, limit)
	if f, ok := localLine(x, y, math.Log(first.Load)); ok {
		out.Load, out.Probes, out.Scatter, out.Slope, out.Height = math.Exp(f.at), f.n, f.scatter(x, y), f.slope,
			f.heightVariance(x)
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

// localLine returns the weighted straight line through the points near at whose zero is its place.
func localLine(x, y []float64, at float64) (nearFit, bool) {
	var f nearFit
	for range localRounds {
		f = fitNear(x, y, at)
		if f.n < 3 || !(f.slope > 0) {
			return f, false
		}
		next := min(max((f.sx-f.sy/f.slope)/f.sw, f.lo), f.hi)
		if math.Abs(next-at) < 1e-6 {
			break
		}
		at = next
	}
	f.at = at
	return f, true
}

// nearFit is a straight line through the points near a place, weighted by their distance from it.
type nearFit struct {
	at, reach  float64
	n          int
	sw, sx, sy float64
	slope      float64
	lo, hi     float64 // outermost points
}

func fitNear(x, y []float64, at float64) nearFit {
	f := nearFit{at: at, reach: reachOf(x, at), lo: math.Inf(1), hi: math.Inf(-1)}
	var sxx, sxy float64
	for i := range x {
		w := f.weight(x[i])
		if w == 0 {
			continue
		}
		f.n++
		f.lo, f.hi = min(f.lo, x[i]), max(f.hi, x[i])
		f.sw, f.sx, f.sy = f.sw+w, f.sx+w*x[i], f.sy+w*y[i]
		sxx, sxy = sxx+w*x[i]*x[i], sxy+w*x[i]*y[i]
	}
	f.slope = (f.sw*sxy - f.sx*f.sy) / (f.sw*sxx - f.sx*f.sx)
	return f
}

func (f nearFit) weight(x float64) float64 {
	u := math.Abs(x-f.at) / f.reach
	if u >= 1 {
		return 0
	}
	return math.Pow(1-u*u*u, 3)
}

// scatter returns the standard deviation of the points about the line; 0 of two.
func (f nearFit) scatter(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		off := y[i] - f.sy/f.sw - f.slope*(x[i]-f.sx/f.sw)
		sum += f.weight(x[i]) * off * off
	}
	return math.Sqrt(sum / f.sw * float64(f.n) / max(1, float64(f.n-2)))
}

// heightVariance returns the variance of the line's height at its place, in units of that of a point.
func (f nearFit) heightVariance(x []float64) float64 {
	var sww, sxx float64
	for i := range x {
		w, off := f.weight(x[i]), x[i]-f.sx/f.sw
		sww, sxx = sww+w*w, sxx+w*off*off
	}
	off := f.at - f.sx/f.sw
	return sww / f.sw / f.sw * (1 + off*off*f.sw/sxx)
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
