package stat

import (
	"math"
	"slices"
)

// curve is how a latency can follow the load: limit/latency = a − (a−1)·(load/line)^k, where a is the limit over the
// latency without load. Up to the line it is within 10% of the p99 of M/M/c with 1 to 16 servers
// (docs/derivations.md#searches). A large k is a cliff.
type curve struct{ k, a float64 }

// belief is a distribution over a grid of ln of the load at the line, with the mean scatter and slope there.
type belief struct {
	x, mass        []float64
	scatter, slope float64 // of ln of a probe's latency at the line; of ln of latency over ln of load there
}

// curves returns those that a search weighs.
func curves() (out []curve) {
	for _, k := range []float64{.2, .5, 1, 1.6, 2.5, 4, 6.5, 10, 16, 25} {
		for _, a := range []float64{1.07, 1.2, 1.4, 1.65, 2, 2.6, 3.6, 6, 12} {
			out = append(out, curve{k, a})
		}
	}
	return out
}

// noiseFactor is a standard deviation of latency, as a multiple of the expected one, and its probability before any
// probe.
type noiseFactor struct{ times, mass float64 }

func noiseFactors() []noiseFactor { return []noiseFactor{{.4, .3}, {1, 1}, {2.5, .3}} }

const (
	coarseGrid = 81
	fineGrid   = 81
	unlikely   = 1e-3 // the mass on either side that the fine grid leaves out
	// queueNoise times the cube root of limit/duration is about the standard deviation of ln of a probe's latency where
	// that is far over the one without load. Queues rise and fall, the slower the longer they are.
	queueNoise   = 1.6
	unknownNoise = .28 // that of 5 s and 20 ms
	steadyShare  = .2  // of it, at a load at which nothing waits
	misfit       = .02 // of the curve at the line, and by how much it grows with 1 − limit/latency
	misfitGrows  = .2
	tailFree     = 4.  // of Student's t for the scatter: stalls are frequent
	unitMass     = 25. // keeps products of variances near 1
)

// observed has the probes of a search, relative to a limit.
type observed struct {
	x, rate, noise []float64 // ln of load; limit/latency; variance of its ln by requests and lateness
	over           []float64 // ln of the loads that were not sustained
	expected       float64   // standard deviation of ln of latency far over that without load
}

// observe converts the probes that could be measured. A latency may be less by the generator's lateness: its middle is
// taken, with so much more doubt.
func observe(done []LineProbe, limit float64) observed {
	out := observed{expected: unknownNoise}
	seconds, timed := 0.0, 0.0
	for _, p := range done {
		switch {
		case p.Void || !p.Over && !(p.Latency > 0) || p.Few && p.Latency <= limit:
			continue
		case p.Over:
			out.over = append(out.over, math.Log(p.Load))
			continue
		}
		least := max(p.Latency-p.Late, p.Latency/20)
		late := math.Log(p.Latency/least) / 2
		out.x, out.rate = append(out.x, math.Log(p.Load)), append(out.rate, limit/math.Sqrt(p.Latency*least))
		out.noise = append(out.noise, p.Noise*p.Noise+late*late)
		if p.Seconds > 0 {
			seconds, timed = seconds+p.Seconds, timed+1
		}
	}
	if timed > 0 {
		out.expected = queueNoise * math.Cbrt(limit*timed/seconds)
	}
	return out
}

// posterior returns the belief about the line: on a coarse grid first, and then on a fine one where it can lie.
func (s LineSearch) posterior(done []LineProbe, limit float64) belief {
	lo, hi := s.span(done, limit)
	seen := observe(done, limit)
	curves := curves()
	coarse, each := s.believe(seen, grid(lo, hi, coarseGrid), curves, []noiseFactor{{1, 1}})
	most := slices.Max(each)
	kept := curves[:0]
	for i, m := range each {
		if m >= unlikely*most {
			kept = append(kept, curves[i])
		}
	}
	step := (hi - lo) / (coarseGrid - 1)
	lo, hi = max(lo, math.Log(coarse.quantile(unlikely))-step), min(hi, math.Log(coarse.quantile(1-unlikely))+step)
	fine, _ := s.believe(seen, grid(lo, hi, fineGrid), kept, noiseFactors())
	return fine
}

func grid(lo, hi float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = lo + (hi-lo)*float64(i)/float64(n-1)
	}
	return out
}

// span returns the range of ln of loads that a line is sought in.
func (s LineSearch) span(done []LineProbe, limit float64) (lo, hi float64) {
	lo, hi = math.Log(searchFrom*s.Capacity), math.Log(searchTo*s.Capacity)
	if s.Objective > 0 || s.Swept {
		lo = min(lo, math.Log(max(searchLowest*s.Capacity, s.Least)))
	}
	if s.Around > 0 {
		lo, hi = min(lo, math.Log(s.Around)-3*aroundSpread), max(hi, math.Log(s.Around)+3*aroundSpread)
	}
	for _, p := range done {
		if p.Side(limit) == Within && p.Load > searchBeyond*s.Capacity {
			hi = max(hi, math.Log(searchClimb*p.Load))
		}
	}
	return lo, hi
}

// believe returns the belief over a grid, and the mass of each curve. It uses no logarithms: a search weighs a million
// curves, and 60 probes leave masses above 1e-250.
func (s LineSearch) believe(seen observed, x []float64, curves []curve, noises []noiseFactor) (belief, []float64) {
	b, each := belief{x: x, mass: make([]float64, len(x))}, make([]float64, len(curves))
	n := len(seen.x)
	tails, g2, own := make([]float64, n), make([]float64, n), make([]float64, n)
	variances := make([]float64, len(noises))
	for j, noise := range noises {
		variances[j] = noise.times * seen.expected * noise.times * seen.expected
	}
	priors := make([]float64, len(x))
	for at := range x {
		priors[at] = s.prior(seen, x[at])
	}
	total, variance := 0.0, 0.0
	for c, curve := range curves {
		k, a := curve.k, curve.a
		rises := make([]float64, n)
		for i := range n {
			rises[i] = math.Exp(k * (seen.x[i] - x[0]))
		}
		g := steadyShare + 1 - 1/a // at the line
		for at := range x {
			falls := (a - 1) * math.Exp(k*(x[0]-x[at]))
			for i, rate := range seen.rate {
				u := max(0, a-falls*rises[i])
				off := (u - rate) / max(.5, (u+rate)/2)
				g, m := steadyShare+1-u/a, misfit+misfitGrows*math.Abs(1-u)
				tails[i], g2[i], own[i] = off*off/tailFree, g*g, seen.noise[i]+m*m
			}
			for j, v := range variances {
				// Student's t of four degrees of freedom: s⁴/(s² + off²/4)^2.5
				scale, tail := 1., 1.
				for i := range n {
					s2 := own[i] + v*g2[i]
					scale, tail = scale*s2*unitMass, tail*(s2+tails[i])*unitMass
				}
				m := priors[at] * noises[j].mass * (scale / tail) * (scale / tail) / math.Sqrt(tail)
				b.mass[at] += m
				each[c] += m
				variance += m * v * g * g
				b.slope += m * k * (a - 1)
				total += m
			}
		}
	}
	if b.scatter, b.slope = math.Sqrt(variance/total), b.slope/total; !(b.slope > 0) {
		// Only hundreds of probes, which no search makes, leave no mass that a number can express.
		b.mass, each = slices.Repeat([]float64{1}, len(x)), slices.Repeat([]float64{1}, len(curves))
	}
	return b, each
}

// prior returns what an earlier search and the loads that were not sustained say of a line.
func (s LineSearch) prior(seen observed, x float64) float64 {
	out := 1.0
	if s.Around > 0 {
		z := (x - math.Log(s.Around)) / aroundSpread
		out = math.Exp(-z*z/2) + .01
	}
	for _, over := range seen.over {
		if x < over {
			out *= surestOver
		} else {
			out *= 1 - surestOver
		}
	}
	return out
}

// shift multiplies the mass on one side of a load by sure, and the rest by 1 − sure.
func (b belief) shift(at float64, up bool, sure float64) {
	for i, x := range b.x {
		if (x < at) != up {
			b.mass[i] *= sure
		} else {
			b.mass[i] *= 1 - sure
		}
	}
}

func (b belief) total() float64 {
	sum := 0.0
	for _, m := range b.mass {
		sum += m
	}
	return sum
}

// median returns the load with half of the mass on either side.
func (b belief) median() float64 { return b.quantile(.5) }

// quantile returns the load with a share of the mass below it, between two of the grid.
func (b belief) quantile(q float64) float64 {
	total, sum := b.total(), 0.0
	for i, m := range b.mass {
		if sum+m >= q*total && m > 0 {
			step := 0.0
			if i > 0 {
				step = b.x[i] - b.x[i-1]
			}
			return math.Exp(b.x[i] - step/2 + step*(q*total-sum)/m)
		}
		sum += m
	}
	return math.Exp(b.x[len(b.x)-1])
}
