package plan

import (
	"iter"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/record"
)

// round is one trial of each side of a group, side by side in time.
type round struct {
	kind      roundKind
	replicate int
	group     group
	times     times
}

type roundKind int

const (
	ordinaryRound roundKind = iota
	pilotRound              // its replicates are numbered down from -1
	extraRound              // its replicates follow those of the plan
)

// index counts the rounds of a kind from 0.
func (r round) index() int {
	if r.kind == pilotRound {
		return -1 - r.replicate
	}
	return r.replicate
}

// rounds iterates over the rounds of the plan in order, including finished ones: pilots, the replicates of all groups
// in turn, and extra pairs.
func (c *Course) rounds() iter.Seq[round] {
	return func(yield func(round) bool) {
		_ = c.pilotRounds(yield) && c.ordinaryRounds(yield) && c.extraRounds(yield)
	}
}

func (c *Course) pilotRounds(yield func(round) bool) bool {
	if c.plan.Pilot == nil {
		return true
	}
	for k := range maxPilots {
		for at, g := range c.groups {
			if !c.hasPilot(g) || k > 0 && !c.progressOf(at).second {
				continue
			}
			t := times{c.plan.WarmupS, c.plan.Pilot.DurationS * float64(k+1)}
			if !yield(round{pilotRound, -1 - k, g, t}) {
				return false
			}
		}
	}
	return true
}

func (c *Course) ordinaryRounds(yield func(round) bool) bool {
	for r := range c.plan.Replicates {
		for at, g := range c.groups {
			if r < c.replicates(at) && !yield(round{ordinaryRound, r, g, c.times(at)}) {
				return false
			}
		}
	}
	return true
}

func (c *Course) extraRounds(yield func(round) bool) bool {
	if c.plan.Stop == nil {
		return true
	}
	for at, g := range c.groups {
		for k := range c.progressOf(at).extra {
			if !yield(round{extraRound, c.plan.Replicates + k, g, c.times(at)}) {
				return false
			}
		}
	}
	return true
}

// extraPairs returns how many pairs to run in place of the disturbed ones among the first n. If more than half are
// disturbed, that is the machine's normal state, and others would be too.
func extraPairs(trials []record.Trial, n int) int {
	tainted := map[int]bool{}
	for _, t := range trials {
		if t.Measures() && t.Replicate < n && sequential.Tainted(t) {
			tainted[t.Replicate] = true
		}
	}
	if 2*len(tainted) > n {
		return 0
	}
	return len(tainted)
}
