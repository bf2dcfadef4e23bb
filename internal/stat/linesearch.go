package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// LineProbe is one measurement at a rate in a search for the load line.
type LineProbe struct {
	Load    float64 // offered, op/s
	Latency float64 // seconds, of the statistic in question; unset if Over
	CPU     float64 // %; NaN if unknown
	Over    bool    // the load was not sustained
	Void    bool    // not measurable, for example because the generator cannot keep up: nothing else is read
	Base    bool    // made to measure the latency without queueing
}

// LineSearch is a search for a load line: it chooses the next probe from those so far.
type LineSearch struct {
	Capacity  float64 // approximate maximum throughput, op/s
	Around    float64 // the line according to an earlier search; 0: none
	Objective float64 // latency in seconds; 0: twice that of the base
	Probes    int     // near the line
	Idle      int     // base probes below 20 % CPU that are enough; 0: three
}

const (
	idleLimit    = 20.0 // CPU use in % below which there is no queueing
	baseProbes   = 3
	mostBase     = 6
	baseShare    = .16 // of the capacity: the maximum load of a base probe
	searchFrom   = 0.2 // of the capacity (docs/method.md#load-lines)
	searchTo     = 1.2
	searchGrid   = 401
	latencyNoise = 0.10 // assumed, of ln of a latency
	aroundSpread = 0.15 // of ln of the line between searches
	surest       = 0.98
	leastSure    = 0.55
	limitedPrior = 0.5  // that the generator's limit lies within the searched loads
	voidSure     = 0.65 // that a void probe is above that limit: disturbances void probes as well
	besideVoid   = 0.03 // of ln of load: how far from a void probe the next one is at least
	localProbes  = 5    // that an estimate rests on, at least
	localReach   = 0.08 // of ln of load from the line, at least
	localRounds  = 12
	lineRatio    = 2.0 // of the base latency
)

// LineStep is the next probe of a search.
type LineStep struct {
	Load float64
	Base bool
}

// Next returns the next probe, or false if the search is over. Base probes are at 5, 10 and 15 % of the capacity, and
// lower if CPU use there is not below 20 %. Then it halves the posterior of the line, initially uniform over ln of 0.2
// to 1.2 times the capacity, again and again (probabilistic bisection; docs/method.md#load-lines).
func (s LineSearch) Next(done []LineProbe) (LineStep, bool) {
	if load, more := s.nextBase(done); more {
		return LineStep{load, true}, true
	}
	limit, ok := s.Limit(done)
	if !ok || len(nearLineProbes(done)) >= s.Probes {
		return LineStep{}, false
	}
	b := s.posterior(done, limit)
	return LineStep{Load: b.measurable(b.median(), nearLineProbes(done))}, true
}

func (s LineSearch) nextBase(done []LineProbe) (load float64, more bool) {
	tried, lowest := 0, 3*.05*s.Capacity
	for _, p := range done {
		if p.Base {
			tried++
			lowest = min(lowest, p.Load)
		}
	}
	switch {
	case !s.lacksBase(done):
		return 0, false
	case tried < baseProbes:
		// The highest first, which shows whether lower ones are needed.
		return s.Capacity * .05 * float64(baseProbes-tried), true
	}
	return lowest / 2, true
}

// lacksBase reports whether a search with these probes needs another base probe.
func (s LineSearch) lacksBase(done []LineProbe) bool {
	tried, idle := 0, 0
	for _, p := range done {
		if p.Base {
			tried++
			if p.idle() {
				idle++
			}
		}
	}
	enough := s.Idle
	if enough == 0 {
		enough = baseProbes
	}
	return tried < baseProbes || idle < enough && tried < mostBase
}

// Based marks the base probes among those made, in order: the leading ones, as many as the search asked for. A low load
// alone does not make one: if the capacity was overestimated, the line itself lies there, and a search that took its
// probes for base probes would never have enough near the line.
func (s LineSearch) Based(made []LineProbe) []LineProbe {
	out := slices.Clone(made)
	for i := range out {
		out[i].Base = s.lacksBase(out[:i]) && out[i].Load <= baseShare*s.Capacity
		if !out[i].Base {
			for k := i; k < len(out); k++ {
				out[k].Base = false
			}
			break
		}
	}
	return out
}

func (p LineProbe) idle() bool { return !p.Over && !p.Void && !(p.CPU >= idleLimit) }

func nearLineProbes(done []LineProbe) []LineProbe {
	return slices.DeleteFunc(slices.Clone(done), func(p LineProbe) bool { return p.Base })
}

// Base returns the median latency of the base probes, in seconds; false if none was below 20 % CPU. It is not their
// mean, because on a shared machine one probe in twelve had a p99 ten times that of the others, which put the line 15 %
// too high.
func (s LineSearch) Base(done []LineProbe) (float64, bool) {
	idle := IdleLatencies(done)
	if len(idle) == 0 {
		return 0, false
	}
	slices.Sort(idle)
	return Quantile(idle, .5), true
}

// IdleLatencies returns the latencies of the base probes below 20 % CPU.
func IdleLatencies(done []LineProbe) (out []float64) {
	for _, p := range done {
		if p.Base && p.idle() {
			out = append(out, p.Latency)
		}
	}
	return out
}

// Limit returns the latency at the line, in seconds.
func (s LineSearch) Limit(done []LineProbe) (float64, bool) {
	if s.Objective > 0 {
		return s.Objective, true
	}
	base, ok := s.Base(done)
	return lineRatio * base, ok
}

// belief is a distribution over a grid of ln of the load.
type belief struct{ x, mass []float64 }

// posterior returns the belief about the line: a void probe says nothing of it; each other one shifts mass to one side
// of its load, the more the farther its latency is from the limit.
func (s LineSearch) posterior(done []LineProbe, limit float64) belief {
	b := belief{make([]float64, searchGrid), make([]float64, searchGrid)}
	lo, hi := math.Log(searchFrom*s.Capacity), math.Log(searchTo*s.Capacity)
	if s.Around > 0 {
		lo, hi = min(lo, math.Log(s.Around)-3*aroundSpread), max(hi, math.Log(s.Around)+3*aroundSpread)
	}
	for i := range b.x {
		b.x[i] = lo + (hi-lo)*float64(i)/(searchGrid-1)
		b.mass[i] = 1
		if s.Around > 0 {
			z := (b.x[i] - math.Log(s.Around)) / aroundSpread
			b.mass[i] = math.Exp(-z*z/2) + .01
		}
	}
	for _, p := range nearLineProbes(done) {
		if !p.Void {
			b.update(p, limit)
		}
	}
	return b
}

// measurable returns the load to probe instead of the given one if it is rather above what the generator can make: void
// probes say nothing about the line, but where each one is void the search has to go where it can measure. Disturbances
// void probes as well, so that it takes several.
func (b belief) measurable(load float64, done []LineProbe) float64 {
	limit := belief{b.x, make([]float64, len(b.x))}
	for i := range limit.mass {
		limit.mass[i] = limitedPrior / float64(len(b.x))
	}
	none := 1 - limitedPrior
	for _, p := range done {
		sure := voidSure
		if !p.Void {
			sure = surest
		}
		limit.shift(math.Log(p.Load), !p.Void, sure)
		if none *= sure; p.Void {
			none *= (1 - sure) / sure
		}
	}
	below := 0.0
	for i, x := range limit.x {
		if x < math.Log(load) {
			below += limit.mass[i]
		}
	}
	limit.mass[len(limit.mass)-1] += none
	if total := limit.total(); below > total/2 {
		load = limit.median()
	}
	if n := len(done); n > 0 && done[n-1].Void && math.Abs(math.Log(load/done[n-1].Load)) < besideVoid {
		load = done[n-1].Load * math.Exp(besideVoid) // not the very same again
	}
	return load
}

func (b belief) update(p LineProbe, limit float64) {
	sure, above := surest, true
	if !p.Over {
		y := math.Log(p.Latency / limit)
		above = y > 0
		sure = distuv.UnitNormal.CDF(math.Abs(y) / max(1.5*latencyNoise, .05))
		sure = min(max(sure, leastSure), surest)
	}
	b.shift(math.Log(p.Load), !above, sure)
}

// shift multiplies the mass on one side of a load by sure, and the rest by what remains.
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
func (b belief) median() float64 {
	total, sum := b.total(), 0.0
	for i, m := range b.mass {
		if sum += m; sum >= total/2 {
			return math.Exp(b.x[i])
		}
	}
	return math.Exp(b.x[len(b.x)-1])
}
