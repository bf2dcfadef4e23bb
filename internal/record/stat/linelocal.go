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
	Tilt    float64 // variance of its slope, likewise
	Free    float64 // degrees of freedom of Scatter, by the weights of the probes
}

// Bracket is where a line lies by the sides of its probes alone.
type Bracket struct {
	Within   LineProbe // the highest load that is likely to be below the line; Load is 0 if there is none
	Above    LineProbe // the lowest load that is likely to be above it; likewise
	Contrary int       // probes beyond these two that contradict them
	Higher   int       // without Above: probes within the limit at loads above Within, which others there contradict
	Likely   bool      // both lie on their side of the line in all likelihood; false: one may have been disturbed
}

// The ratios of loads between which a line is located.
const (
	widest  = 1.30 // of the probes on either side of it, whose latencies say where between them it lies
	tighter = 1.15 // of its bracket, if the upper load was not sustained, so that its latency says nothing
)

// Line estimates the load line from all probes of a search that are not in doubt: a straight line of ln(latency/limit)
// over ln(load) through the nearby probes, weighted by their distance (tricube) and less if they stray (Huber),
// iterated until it converges. Bisection decides where to probe, but is a poor estimator itself, because it only uses
// the side on which a probe lies (docs/derivations.md#searches). It returns false if there is no base, or no load is
// within the line: then the bracket alone is known.
func (s LineSearch) Line(done []LineProbe) (FoundLine, bool) {
	limit, ok := s.Limit(done)
	if !ok {
		return FoundLine{}, false
	}
	base, _ := s.Base(done)
	out := FoundLine{Base: base, Limit: limit, Bracket: s.Bracket(done, limit)}
	var loads, latencies []float64
	for _, p := range byLoad(done) {
		if !p.Over && p.Side(limit) != InDoubt {
			loads, latencies = append(loads, p.Load), append(latencies, p.Latency)
		}
	}
	first, ok := LoadLine(loads, latencies, limit)
	if out.Load = out.Within.Load; !ok {
		return out, false
	}
	if s.Swept {
		return s.swept(out, first, loads, latencies, done), true
	}
	if f, ok := localLine(Logs(loads), risen(latencies, limit), math.Log(first.Load), extentFor(done)); first.Crossed &&
		ok && f.gap(Logs(loads)) <= math.Log(widest) {
		out.take(f, loads, latencies)
		return out, true
	}
	if first.Crossed && (nearFit{at: math.Log(first.Load)}).gap(Logs(loads)) <= math.Log(widest) {
		out.Crossed, out.Load, out.Probes = true, first.Load, first.Probes // their scatter is unknown
		return out, true
	}
	if gap := out.Above.Load / out.Within.Load; out.Likely && gap <= tighter {
		out.Crossed, out.Load = true, out.Within.Load*math.Sqrt(gap)
	}
	return out, true
}

// lowest returns the probe over the limit of the lowest load above the given one; else none.
func lowest(done []LineProbe, limit, from float64) LineProbe {
	for _, p := range byLoad(done) {
		if p.Side(limit) == Above && p.Load > from {
			return p
		}
	}
	return LineProbe{}
}

// highest returns the probe within the limit of the highest load below the given one.
func highest(done []LineProbe, limit, below float64) LineProbe {
	var out LineProbe
	for _, p := range byLoad(done) {
		if p.Side(limit) == Within && p.Load < below {
			out = p
		}
	}
	return out
}

// swept returns the line of fixed loads, which lies between any two of them.
func (s LineSearch) swept(out FoundLine, first LineAt, loads, latencies []float64, done []LineProbe) FoundLine {
	out.Load, out.Crossed = first.Load, first.Crossed
	f, ok := localLine(Logs(loads), risen(latencies, out.Limit), math.Log(first.Load), extentFor(done))
	if first.Crossed && ok {
		out.take(f, loads, latencies)
	}
	over := math.Inf(1)
	for _, p := range done {
		if p.Over {
			over = min(over, p.Load)
		}
	}
	if !out.Crossed && over > out.Load && !math.IsInf(over, 1) {
		out.Crossed, out.Load = true, math.Sqrt(out.Load*over)
	}
	return out
}

// take locates the line by the straight line through the probes about it.
func (l *FoundLine) take(f nearFit, loads, latencies []float64) {
	x, y := Logs(loads), risen(latencies, l.Limit)
	l.Crossed, l.Load, l.Probes = true, math.Exp(f.at), f.n
	l.Scatter, l.Slope, l.Height = f.scatter(x, y), f.slope, f.heightVariance(x)
	l.Tilt, l.Free = f.slopeVariance(x), f.free(x)
}

func byLoad(probes []LineProbe) []LineProbe {
	return slices.SortedStableFunc(slices.Values(probes), func(a, b LineProbe) int { return cmp.Compare(a.Load, b.Load) })
}

// Bracket returns the probes that a line of a limit lies between: in all likelihood of the posterior, or, where no
// probe is as likely to be on its side, as the probes themselves have it.
func (s LineSearch) Bracket(done []LineProbe, limit float64) Bracket {
	b := s.posterior(done, limit)
	out := b.between(done, limit)
	out.Likely = out.Within.Load > 0 && out.Above.Load > 0
	if out.Above.Load == 0 {
		out.Above = lowest(done, limit, max(out.Within.Load, b.median()))
	}
	if out.Within.Load == 0 {
		out.Within = highest(done, limit, cmp.Or(out.Above.Load, math.Inf(1)))
	}
	for _, p := range done {
		side := p.Side(limit)
		if side == Above && p.Load <= out.Within.Load || side == Within && out.Above.Load > 0 && p.Load >= out.Above.Load {
			out.Contrary++
		}
		if side == Within && out.Above.Load == 0 && p.Load > out.Within.Load {
			out.Higher++
		}
	}
	return out
}

// between returns the probes beyond the likely places of the line on either side.
func (b belief) between(done []LineProbe, limit float64) Bracket {
	lo, hi := b.quantile(doubtAbout/2), b.quantile(1-doubtAbout/2)
	if !slices.ContainsFunc(done, func(p LineProbe) bool { return p.Side(limit) == Above }) {
		lo = math.Inf(1) // the highest load within the limit is the least that can be said
	}
	if !slices.ContainsFunc(done, func(p LineProbe) bool { return p.Side(limit) == Within }) {
		hi = 0 // and the lowest one over it the most
	}
	var out Bracket
	for _, p := range done {
		switch side := p.Side(limit); {
		case side == Within && p.Load <= lo && p.Load > out.Within.Load:
			out.Within = p
		case side == Above && p.Load >= hi && (out.Above.Load == 0 || p.Load < out.Above.Load):
			out.Above = p
		}
	}
	return out
}

// risen returns how far latencies have risen to the limit: 1 − limit/latency, which is 0 at the line, and there is ln
// of their ratio. Of a queue it is nearly a straight line in the load, where ln bends upwards, and however long a
// latency is, it is at most 1.
func risen(latencies []float64, limit float64) []float64 {
	out := make([]float64, len(latencies))
	for i, l := range latencies {
		out[i] = 1 - limit/l
	}
	return out
}

// localLine returns the weighted straight line through the points near at whose zero is its place.
func localLine(x, y []float64, at float64, of extent) (nearFit, bool) {
	var f nearFit
	for range localRounds {
		f = fitNear(x, y, at, of)
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
	lo, hi     float64   // outermost points
	trust      []float64 // weight of each point by how far it strays from the line, 0 to 1
}

// fitNear fits a line to the points near at, and again with less weight for those that stray.
func fitNear(x, y []float64, at float64, of extent) nearFit {
	f := nearFit{at: at, reach: of.about(x, at), lo: math.Inf(1), hi: math.Inf(-1), trust: make([]float64, len(x))}
	for i := range x {
		f.trust[i] = 1
		if f.near(x[i]) > 0 {
			f.n++
			f.lo, f.hi = min(f.lo, x[i]), max(f.hi, x[i])
		}
	}
	for range huberRounds {
		f.fit(x, y)
		var off []float64
		for i := range x {
			if f.near(x[i]) > 0 {
				off = append(off, math.Abs(f.off(x[i], y[i])))
			}
		}
		if len(off) < 4 {
			break
		}
		slices.Sort(off)
		from := huberAt * max(Quantile(off, .5)*madToSD, leastScatter)
		for i := range x {
			f.trust[i] = min(1, from/math.Abs(f.off(x[i], y[i])))
		}
	}
	f.fit(x, y)
	return f
}

const (
	huberRounds  = 3
	madToSD      = 1.4826
	leastScatter = .02
)

func (f *nearFit) fit(x, y []float64) {
	var sxx, sxy float64
	f.sw, f.sx, f.sy = 0, 0, 0
	for i := range x {
		w := f.weight(i, x[i])
		f.sw, f.sx, f.sy = f.sw+w, f.sx+w*x[i], f.sy+w*y[i]
		sxx, sxy = sxx+w*x[i]*x[i], sxy+w*x[i]*y[i]
	}
	f.slope = (f.sw*sxy - f.sx*f.sy) / (f.sw*sxx - f.sx*f.sx)
}

// off returns how far a point lies above the line.
func (f nearFit) off(x, y float64) float64 { return y - f.sy/f.sw - f.slope*(x-f.sx/f.sw) }

func (f nearFit) weight(i int, x float64) float64 { return f.near(x) * f.trust[i] }

// near returns the weight of a place by its distance.
func (f nearFit) near(x float64) float64 {
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
		off := f.off(x[i], y[i])
		sum += f.weight(i, x[i]) * off * off
	}
	free := f.free(x)
	return math.Sqrt(sum / f.sw * (free + 2) / free)
}

// free returns the degrees of freedom of the scatter: those of as many equal points as the weights are worth; at least
// a half.
func (f nearFit) free(x []float64) float64 {
	sww := 0.0
	for i := range x {
		w := f.weight(i, x[i])
		sww += w * w
	}
	return max(.5, f.sw*f.sw/sww-2)
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
		w, off := f.weight(i, x[i]), x[i]-f.sx/f.sw
		sww, sxx = sww+w*w, sxx+w*off*off
	}
	off := f.at - f.sx/f.sw
	return sww / f.sw / f.sw * (1 + off*off*f.sw/sxx)
}

// slopeVariance returns the variance of the line's slope, in units of that of a point.
func (f nearFit) slopeVariance(x []float64) float64 {
	var sxx, swxx float64
	for i := range x {
		w, off := f.weight(i, x[i]), x[i]-f.sx/f.sw
		sxx, swxx = sxx+w*off*off, swxx+w*w*off*off
	}
	return swxx / sxx / sxx
}

// extent is which probes about a line count: within a radius in ln of load, and as many of the nearest.
type extent struct {
	reach   float64
	nearest int
}

// extentFor returns which probes about a line count at least: where they scatter more, so that more of them are needed,
// the bend of the curve matters less.
func extentFor(done []LineProbe) extent {
	noise := noiseOf(done)
	if noise < littleNoise {
		return extent{leastReach, fewNearby}
	}
	return extent{min(max(leastReach, 2*noise), mostReach), moreNearby}
}

// about returns the radius within which points about a place count.
func (e extent) about(x []float64, at float64) float64 {
	far := make([]float64, len(x))
	for i := range x {
		far[i] = math.Abs(x[i] - at)
	}
	slices.Sort(far)
	return max(e.reach, 1.001*far[min(e.nearest, max(fewNearby, len(far)/2), len(far))-1])
}
