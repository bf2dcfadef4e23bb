package stat

import (
	"math"
	"slices"
)

// LoadSweep is a sweep of rates over all that a machine carries, for a picture of the whole range.
type LoadSweep struct {
	Capacity float64   // about the most that is carried, operations per second
	Shares   []float64 // of it, ascending
}

const (
	sweepEnds  = 2 // loads in a row that were not carried: what lies above tells nothing new
	sweepLower = 5 // loads below the shares, each a third of the one before
)

// Next is the next rate, or false where the sweep is over. It goes up through the shares, and ends with the second load
// in a row that was not carried. Then, while CPU use is known and was nowhere below 20 %, it goes down by thirds: a closed load that was
// taken for the capacity can be far above it, and without a base there is no line.
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

// upward is how many of the probes were on the way up.
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

// based says whether a sweep has a base, or cannot get one by lower loads: where CPU use is not known, it is not known there either.
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

// Based marks which probes are of the base: of a sweep all low loads, and all others whose CPU use is known to be below 20 %.
func (s LoadSweep) Based(made []LineProbe) []LineProbe {
	out := slices.Clone(made)
	for i := range out {
		out[i].Base = out[i].Load <= baseShare*s.Capacity || out[i].CPU < idleLimit
	}
	return out
}
