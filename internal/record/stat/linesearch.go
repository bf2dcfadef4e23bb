package stat

import (
	"math"
	"slices"
)

// LineProbe is one measurement at a rate in a search for the load line.
type LineProbe struct {
	Load    float64 // offered, op/s
	Latency float64 // seconds, of the statistic in question, from the intended start; unset if Over
	Late    float64 // seconds of it, at most, that are the generator's own lateness
	Noise   float64 // standard deviation of ln of Latency by the number of its requests; 0 if unknown
	Seconds float64 // measured for; 0 if unknown
	CPU     float64 // %; NaN if unknown
	Few     bool    // of so few requests that Latency within a limit proves nothing
	Over    bool    // the load was not sustained
	Void    bool    // not measurable, for example because the generator failed: nothing else is read
	Base    bool    // made to measure the latency without queueing
}

// Side is where a probe lies.
type Side int

// The sides of a line. A probe in doubt was not measurable, over the limit by no more than the generator was late, or
// within it with too few requests to meet the slowest of a hundred. A late generator only adds to latency, so that a
// probe within the limit is within it however late the generator was.
const (
	InDoubt Side = iota
	Within
	Above
)

// Side returns the side of a latency limit, in seconds, that a probe lies on.
func (p LineProbe) Side(limit float64) Side {
	switch {
	case p.Void:
		return InDoubt
	case p.Over:
		return Above
	case p.Latency <= limit && p.Few:
		return InDoubt
	case p.Latency <= limit:
		return Within
	case p.Latency-p.Late > limit:
		return Above
	}
	return InDoubt
}

// anyOn reports whether some probe is on a side of a limit.
func anyOn(done []LineProbe, side Side, limit float64) bool {
	return slices.ContainsFunc(done, func(p LineProbe) bool { return p.Side(limit) == side })
}

// LineSearch is a search for a load line: it chooses the next probe from those so far.
type LineSearch struct {
	Capacity  float64 // approximate maximum throughput, op/s
	Around    float64 // the line according to an earlier search; 0: none
	Objective float64 // latency in seconds; 0: twice that of the base
	Probes    int     // near the line
	Least     float64 // op/s: lower loads have too few requests in a probe's time; 0 if unknown
	Swept     bool    // the loads are fixed, and the line is located between any two of them
}

const (
	idleLimit    = 20.0 // CPU use in % below which there is no queueing
	baseProbes   = 3
	mostBase     = 6
	baseShare    = .16  // of the capacity: the maximum load of a base probe
	searchFrom   = 0.2  // of the capacity (docs/derivations.md#searches)
	searchLowest = .005 // the same for an objective, which has no base that it follows from
	searchTo     = 1.2
	searchBeyond = 1.1 // of the capacity: above it the capacity was underestimated
	searchClimb  = 1.5 // of the highest load within the limit, if that is the case
	searchGrid   = 801
	aroundSpread = 0.15 // of ln of the line between searches
	surest       = 0.98 // that a probe which is not in doubt is below the generator's limit
	surestOver   = 0.95 // that the line is below a load that was not sustained
	limitedPrior = 0.5  // that the generator's limit lies within the searched loads
	voidSure     = 0.65 // that a void probe is above that limit: disturbances void probes as well
	besideVoid   = 0.03 // of ln of load: how far from a void probe the next one is at least
	halvings     = 4    // near the line, before other places than the median say more
	enoughLowest = 3    // probes over the limit at the lowest load that is searched
	past         = 1.05 // the likely places of the line, as a ratio: where its bracket is sought
	doubtAbout   = .03  // that a line is outside of its bracket
	lineRatio    = 2.0  // of the base latency
)

// LineStep is the next probe of a search.
type LineStep struct {
	Load float64
	Base bool
}

// Next returns the next probe, or false if the search is over. Base probes are at 5, 10 and 15% of the capacity, and
// lower if CPU use there is not below 20%; an objective needs no base, and has one low probe. Then it halves the
// posterior of the line, initially uniform over ln of 0.2 to 1.2 times the capacity, again and again
// (docs/derivations.md#searches).
func (s LineSearch) Next(done []LineProbe) (LineStep, bool) {
	if load, more := s.nextBase(done); more {
		return LineStep{load, true}, true
	}
	limit, ok := s.Limit(done)
	near := nearLineProbes(done)
	told := slices.DeleteFunc(slices.Clone(near), func(p LineProbe) bool { return p.Side(limit) == InDoubt })
	if !ok || len(told) >= s.Probes || len(near) >= 2*s.Probes {
		return LineStep{}, false
	}
	from, _ := s.span(done, limit)
	lowest := 0
	for _, p := range done {
		if p.Side(limit) == Above && math.Log(p.Load) <= from+math.Log(past) {
			lowest++
		}
	}
	if lowest >= enoughLowest {
		return LineStep{}, false // nothing is within the limit
	}
	load := s.place(s.posterior(done, limit), done, limit, len(told))
	return LineStep{Load: s.measurable(load, near, limit)}, true
}

// place returns where the next probe says most: the median of the posterior finds the line fastest. Once it is nearly
// found, by so many near it that are not in doubt, probes on both sides of it tell its slope, and those beyond its
// likely places bracket it.
func (s LineSearch) place(b belief, done []LineProbe, limit float64, near int) float64 {
	if near < halvings {
		return b.median()
	}
	lo, hi := b.quantile(doubtAbout/2), b.quantile(1-doubtAbout/2)
	switch bracket := b.between(done, limit); {
	case bracket.Above.Load == 0:
		return hi * past
	case bracket.Within.Load == 0:
		return lo / past
	case near%2 == 0:
		return b.quantile(.2)
	}
	return b.quantile(.8)
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
	case s.Objective > 0:
		return .10 * s.Capacity, true
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
	if s.Objective > 0 {
		return tried == 0
	}
	return tried < baseProbes || idle < baseProbes && tried < mostBase
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

// Base returns the median latency of the low probes below 20% CPU, in seconds; false if there is none. It is not their
// mean, because on a shared machine one probe in twelve had a p99 ten times that of the others, which put the line 15%
// too high.
func (s LineSearch) Base(done []LineProbe) (float64, bool) {
	idle := s.IdleLatencies(done)
	if len(idle) == 0 {
		return 0, false
	}
	slices.Sort(idle)
	return Quantile(idle, .5), true
}

// IdleLatencies returns the latencies of all low probes below 20% CPU.
func (s LineSearch) IdleLatencies(done []LineProbe) (out []float64) {
	for _, p := range done {
		if s.low(p) && p.idle() {
			out = append(out, p.Latency)
		}
	}
	return out
}

// low reports whether a probe was made at a load that nothing waits at: one of the base, or one that came to lie there.
// Low CPU use alone does not tell: what waits for a disk or another service uses little at any load.
func (s LineSearch) low(p LineProbe) bool { return p.Base || p.Load <= baseShare*s.Capacity }

// LowLatencies returns the least and the greatest latency at low loads, whatever the CPU use there: a server that still
// compiles uses CPU at any load. It returns false if there is none.
func (s LineSearch) LowLatencies(done []LineProbe) (least, most float64, ok bool) {
	least = math.Inf(1)
	for _, p := range done {
		if s.low(p) && !p.Over && !p.Void {
			least, most, ok = min(least, p.Latency), max(most, p.Latency), true
		}
	}
	return least, most, ok
}

// Limit returns the latency at the line, in seconds.
func (s LineSearch) Limit(done []LineProbe) (float64, bool) {
	if s.Objective > 0 {
		return s.Objective, true
	}
	base, ok := s.Base(done)
	return lineRatio * base, ok
}

// measurable returns the load to probe instead of the given one if it is rather above what the generator can make:
// probes in doubt say nothing about the line, but where each one is in doubt the search has to go where it can measure.
// Disturbances make doubt as well, so that it takes several.
func (s LineSearch) measurable(load float64, done []LineProbe, latency float64) float64 {
	lo, hi := s.span(done, latency)
	limit := belief{x: grid(lo, hi, searchGrid), mass: make([]float64, searchGrid)}
	for i := range limit.mass {
		limit.mass[i] = limitedPrior / searchGrid
	}
	none := 1 - limitedPrior
	for _, p := range done {
		sure, told := voidSure, p.Side(latency) != InDoubt || p.Few // the generator made the load, however low
		if told {
			sure = surest
		}
		limit.shift(math.Log(p.Load), told, sure)
		if none *= sure; !told {
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
	if n := len(done); n > 0 && done[n-1].Side(latency) == InDoubt &&
		math.Abs(math.Log(load/done[n-1].Load)) < besideVoid {
		load = done[n-1].Load * math.Exp(besideVoid) // not the very same again
	}
	return load
}
