package stat

import (
	"math"
	"slices"
)

// LoadSweep is a sweep of rates over the whole range of a machine.
type LoadSweep struct {
	Capacity float64   // approximate maximum throughput, op/s
	Shares   []float64 // of it, ascending
}

const (
	sweepEnds  = 2 // consecutive loads that were not sustained end the sweep: higher ones add nothing
	sweepLower = 5 // loads below the shares, each a third of the one before
)

// Next returns the next rate, or false if the sweep is over. It ascends through the shares until the second consecutive
// load that was not sustained. Then, while CPU use is known and was never below 20%, it descends by thirds: a closed
// loop can overestimate the capacity by far, and without a base there is no line.
func (s LoadSweep) Next(done []LineProbe) (load float64, more bool) {
	up := s.upward(done)
	if up < len(s.Shares) && up == len(done) && !gaveUp(done) {
		return s.Shares[up] * s.Capacity, true
	}
	if len(done) == 0 || len(done)-up >= sweepLower || based(done) {
		return 0, false
	}
	lowest := math.Inf(1)
	for _, p := range done {
		lowest = min(lowest, p.Load)
	}
	return lowest / 3, true
}

// upward returns the number of probes on the way up.
func (s LoadSweep) upward(done []LineProbe) int {
	for i := 1; i < len(done); i++ {
		if done[i].Load < done[i-1].Load {
			return i
		}
	}
	return len(done)
}

func gaveUp(done []LineProbe) bool {
	n := len(done)
	return n >= sweepEnds && !slices.ContainsFunc(done[n-sweepEnds:], func(p LineProbe) bool { return !p.Over })
}

// based reports whether a sweep has a base, or cannot get one at lower loads: if CPU use is unknown, it is unknown
// there too.
func based(done []LineProbe) bool {
	carried, known := false, false
	for _, p := range done {
		if p.Over || p.Void {
			continue
		}
		carried = true
		if !math.IsNaN(p.CPU) {
			if known = true; p.CPU < idleLimit {
				return true
			}
		}
	}
	return carried && !known
}

// Based marks the base probes: in a sweep all low loads, and all others whose CPU use is known to be below 20%.
func (s LoadSweep) Based(made []LineProbe) []LineProbe {
	out := slices.Clone(made)
	for i := range out {
		out[i].Base = out[i].Load <= baseShare*s.Capacity || out[i].CPU < idleLimit
	}
	return out
}
