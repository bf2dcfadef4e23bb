package main

import (
	"fmt"
	"math"
)

// probe is one open load as the session has it.
type probe struct {
	load    float64 // offered, operations per second
	latency float64 // seconds; 0 if the run failed
	late    float64 // seconds: the generator's own part of the latency, at the same statistic
	few     bool    // of fewer than 33 requests, among which the slowest of a hundred need not be
	over    bool    // the target did not handle the load
	fresh   bool    // of a run at the line found
}

// side is where a probe lies: within the limit, over it, or unknown.
type side int

const (
	unknown side = iota
	within
	above
)

// of returns a probe's side of a limit in seconds. A late generator only adds to latency: what is over the limit by no
// more than that could be on either side.
func (p probe) of(limit float64) side {
	switch {
	case p.over:
		return above
	case p.latency == 0:
		return unknown
	case p.latency <= limit && p.few:
		return unknown
	case p.latency <= limit:
		return within
	case p.latency-p.late <= limit:
		return unknown
	}
	return above
}

// statement is what is said of a line. Loads are operations per second, latencies seconds.
type statement struct {
	kind          string // limit, bracket, least, below or none
	at            float64
	lo, hi        float64
	within, above float64 // latencies at the ends of a bracket, or at below; 0: not handled
	contrary      int
	higher        int // probes within the limit above a lower bound
	confirmed     bool
	reason        string // of none: the note's code
}

// What a limit may at most be, by docs/derivations.md#searches: the ratio of its interval's half, and of a fresh run's
// latency.
const (
	widest   = 1.25
	mostOver = 1.25
)

// against returns what the probes of a search object to a statement.
func (s statement) against(probes []probe, limit float64) []string {
	e := evidence{probes: probes, most: limit}
	switch s.kind {
	case "limit":
		return e.limit(s)
	case "bracket":
		return e.bracket(s)
	case "least":
		return e.least(s)
	case "below":
		return e.below(s)
	}
	return e.none(s)
}

// evidence collects objections.
type evidence struct {
	probes []probe
	most   float64 // latency, seconds
	out    []string
}

func (e *evidence) object(format string, args ...any) {
	e.out = append(e.out, fmt.Sprintf(format, args...))
}

// sides counts the probes of a search on either side between two loads, both included.
func (e *evidence) sides(from, to float64) (in, over int) {
	for _, p := range e.probes {
		if p.fresh || p.load < from || p.load > to {
			continue
		}
		switch p.of(e.most) {
		case within:
			in++
		case above:
			over++
		case unknown:
		}
	}
	return in, over
}

// mostly objects if most probes up to a load are over the limit, or most from a load on within it.
func (e *evidence) mostly(upTo, from float64) {
	if in, over := e.sides(0, upTo); over > in {
		e.object("%d of %d probes up to %.4g/s were over the limit", over, in+over, upTo)
	}
	if in, over := e.sides(from, math.Inf(1)); in > over {
		e.object("%d of %d probes from %.4g/s on were within the limit", in, in+over, from)
	}
}

func (e *evidence) limit(s statement) []string {
	if !(s.lo <= s.at && s.at <= s.hi) {
		e.object("%.4g/s is not from %.4g to %.4g", s.at, s.lo, s.hi)
	}
	if s.hi > s.lo*widest*widest*1.001 {
		e.object("from %.4g to %.4g is no limit", s.lo, s.hi)
	}
	if in, _ := e.sides(0, s.hi); in == 0 {
		e.object("no probe up to %.4g/s was within the limit", s.hi)
	}
	if _, over := e.sides(s.lo, math.Inf(1)); over == 0 {
		e.object("no probe from %.4g/s on was over the limit", s.lo)
	}
	e.mostly(s.lo, s.hi)
	if s.confirmed && !e.confirmed() {
		e.object("no fresh run confirmed it")
	}
	if !s.confirmed {
		e.object("a limit is stated that no fresh run confirmed")
	}
	return e.out
}

// confirmed reports whether a fresh run was within the limit, or over it by no more than scatter may explain.
func (e *evidence) confirmed() bool {
	for _, p := range e.probes {
		if p.fresh && !p.over && p.latency > 0 && p.latency <= mostOver*e.most {
			return true
		}
	}
	return false
}

// told reports whether some probe at a load had the latency that is stated of it.
func (e *evidence) told(load, latency float64, want side) bool {
	for _, p := range e.probes {
		had := p.latency
		if p.over {
			had = 0
		}
		if near(p.load, load) && near(had, latency) && p.of(e.most) == want {
			return true
		}
	}
	return false
}

// near is equal to the four digits that a sentence has.
func near(a, b float64) bool { return math.Abs(a-b) <= .006*math.Max(math.Abs(a), math.Abs(b)) }

func (e *evidence) bracket(s statement) []string {
	if !e.told(s.lo, s.within, within) {
		e.object("no probe at %.4g/s was within the limit with %.4g ms", s.lo, 1e3*s.within)
	}
	if !e.told(s.hi, s.above, above) {
		e.object("no probe at %.4g/s was over the limit with %.4g ms", s.hi, 1e3*s.above)
	}
	if s.lo >= s.hi {
		e.object("%.4g is not below %.4g", s.lo, s.hi)
	}
	_, lower := e.sides(0, s.lo)
	higher, _ := e.sides(s.hi, math.Inf(1))
	if lower+higher != s.contrary {
		e.object("%d probes contradict it, and it says %d", lower+higher, s.contrary)
	}
	e.mostly(s.lo, s.hi)
	return e.out
}

func (e *evidence) least(s statement) []string {
	if in, _ := e.sides(s.at*.999, s.at*1.001); in == 0 {
		e.object("no probe at %.4g/s was within the limit", s.at)
	}
	if in, over := e.sides(s.at*1.001, math.Inf(1)); in != s.higher {
		e.object("%d of %d probes above it were within the limit, and it states %d", in, in+over, s.higher)
	}
	e.mostly(s.at, math.Inf(1))
	return e.out
}

func (e *evidence) below(s statement) []string {
	if !e.told(s.at, s.above, above) {
		e.object("no probe at %.4g/s was over the limit with %.4g ms", s.at, 1e3*s.above)
	}
	if in, over := e.sides(0, math.Inf(1)); in >= over {
		e.object("%d of %d probes were within the limit", in, in+over)
	}
	e.mostly(0, s.at)
	return e.out
}

func (e *evidence) none(s statement) []string {
	if in, over := e.sides(0, math.Inf(1)); in+over > 0 {
		e.object("no line is stated (%s), although %d probes were within the limit and %d over it", s.reason, in, over)
	}
	return e.out
}
