package stat

import (
	"cmp"
	"math"
	"slices"
)

// FoundLine is the result of a search for the load line: a place with its uncertainty if Crossed, and else the probes
// that it lies between.
type FoundLine struct {
	Load    float64 // offered load at the line, op/s; if not Crossed, that of Within
	Base    float64 // seconds; 0 if unknown
	Limit   float64 // seconds
	Crossed bool    // the line was located between probes that are close enough to each other
	Bracket
	Probes  int     // that the estimate rests on; 0: it lies in the middle of the bracket
	Scatter float64 // standard deviation of ln of their latencies about the local line; 0 if unknown
	Slope   float64 // of the local line: ln of latency over ln of load
	Height  float64 // variance of the local line's height at Load, in units of that of a probe
}

// Bracket is where a line lies by the sides of its probes alone.
type Bracket struct {
	Within   LineProbe // the highest load below the line; Load is 0 if there is none
	Above    LineProbe // the lowest load above it; likewise
	Contrary int       // probes on the wrong side
}

// The ratios of loads between which a line is located.
const (
	widest  = 1.30 // of the probes on either side of it, whose latencies say where between them it lies
	tighter = 1.15 // the same if the upper load was not sustained, so that its latency says nothing
)

// Line estimates the load line from all probes of a search that are not in doubt: a straight line of ln(latency/limit)
// over ln(load) through the nearby probes, weighted by their distance (tricube), iterated until it converges. Bisection
// decides where to probe, but is a poor estimator itself, because it only uses the side on which a probe lies
// (docs/method.md#load-lines). It returns false if there is no base, or no load is within the line: then the bracket
// alone is known.
func (s LineSearch) Line(done []LineProbe) (FoundLine, bool) {
	limit, ok := s.Limit(done)
	if !ok {
		return FoundLine{}, false
	}
	base, _ := s.Base(done)
	out := FoundLine{Base: base, Limit: limit, Bracket: BracketOf(done, limit)}
	out.Load = out.Within.Load
	if out.Load == 0 || out.Above.Load == 0 {
		return out, out.Load > 0
	}
	var loads, latencies []float64
	for _, p := range byLoad(done) {
		if !p.Over && p.Side(limit) != InDoubt {
			loads, latencies = append(loads, p.Load), append(latencies, p.Latency)
		}
	}
	if first, ok := LoadLine(loads, latencies, limit); ok && first.Crossed {
		x, y := Logs(loads), logsOver(latencies, limit)
		if f, ok := localLine(x, y, math.Log(first.Load)); ok && (s.Swept || f.gap(x) <= math.Log(widest)) {
			out.Crossed = true
			out.Load, out.Probes, out.Scatter, out.Slope, out.Height = math.Exp(f.at), f.n, f.scatter(x, y), f.slope,
				f.heightVariance(x)
			return out, true
		}
	}
	if gap := out.Above.Load / out.Within.Load; s.Swept || gap <= tighter {
		out.Crossed, out.Load = true, out.Within.Load*math.Sqrt(gap)
	}
	return out, true
}

func byLoad(probes []LineProbe) []LineProbe {
	return slices.SortedStableFunc(slices.Values(probes), func(a, b LineProbe) int { return cmp.Compare(a.Load, b.Load) })
}

// BracketOf returns the probes that a line lies between: where the fewest probes are on the wrong side of it. Where
// several places have as few, probes contradict each other, and the bracket spans them all.
func BracketOf(done []LineProbe, limit float64) Bracket {
	told := slices.DeleteFunc(byLoad(done), func(p LineProbe) bool { return p.Side(limit) == InDoubt })
	wrong := 0 // if the line lies below all
	for _, p := range told {
		if p.Side(limit) == Within {
			wrong++
		}
	}
	out := Bracket{Contrary: wrong}
	first, last := 0, 0
	for i, p := range told {
		if p.Side(limit) == Within {
			wrong--
		} else {
			wrong++
		}
		switch {
		case wrong < out.Contrary:
			out.Contrary, first, last = wrong, i+1, i+1
		case wrong == out.Contrary:
			last = i + 1
		}
	}
	for _, p := range told[:first] {
		if p.Side(limit) == Within {
			out.Within = p
		}
	}
	for _, p := range slices.Backward(told[last:]) {
		if p.Side(limit) == Above {
			out.Above = p
		}
	}
	return out
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

// gap returns the distance of the nearest points on either side of the line's place; infinite without one.
func (f nearFit) gap(x []float64) float64 {
	below, above := math.Inf(-1), math.Inf(1)
	for _, v := range x {
		if v <= f.at {
			below = max(below, v)
		}
		if v >= f.at {
			above = min(above, v)
		}
	}
	return above - below
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
