package selftest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// setting is the truth about two machines.
type setting struct {
	name   string
	effect float64 // ln of the ratio of b to a, including the means of the noise
	shift  float64 // added to b's noise to give effect; equal to it unless the noise has a mean
	noise  noise
	drift  drift // nil: none

	whole bool // a session without a chance of a decision goes on to its last interim analysis
}

// equal returns two equal machines.
func equal(name string, n noise) setting { return setting{name: name, noise: n} }

// faster returns two machines, b with a share gain more throughput.
func faster(name string, gain float64, n noise) setting {
	e := math.Log1p(gain)
	return setting{name: name, effect: e, shift: e, noise: n}
}

func (s setting) machines(r *rand.Rand, n int) *machines {
	m := &machines{own: s.noise(r, n)}
	for i := range m.own[1] {
		m.own[1][i] += s.shift
	}
	if s.drift != nil {
		m.drift = s.drift(r, 2*n)
	}
	return m
}

// outcome is a session's conclusion about its setting.
type outcome struct {
	claim   bool // the interval excludes equality
	wrong   bool // a claim of the wrong sign
	covered bool // the interval contains the truth
	pairs   int

	off float64 // of the estimate from the truth, in half-widths of the interval
}

// said is a session's estimate of b over a, in logs.
type said struct {
	interval stat.Interval
	mean     float64 // the estimate
	pairs    int
}

func (s setting) outcome(v said) outcome {
	claim := v.interval.Excludes(0)
	return outcome{claim: claim, wrong: claim && v.mean*s.effect < 0, covered: !v.interval.Excludes(s.effect),
		pairs: v.pairs, off: (v.mean - s.effect) / v.interval.HalfWidth()}
}

// saidBy returns the judge's estimate of a session's throughput.
func saidBy(c finding.Comparison) (said, error) {
	if withheld(c) {
		return said{interval: stat.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}, mean: math.Log(c.Ratio), pairs: c.N}, nil
	}
	if !c.Bounded() {
		return said{}, fmt.Errorf("a simulated session of %d pairs has no interval: %v", c.N, c.Flags)
	}
	return said{estimate.LogsOf(c.Bounds), math.Log(c.Ratio), c.N}, nil
}

// fixed runs a session of n pairs, judged once at its end.
func (in Instrument) fixed(s setting, n int, r *rand.Rand) (outcome, error) {
	c, err := in.compared(s, n, r, nil)
	if err != nil {
		return outcome{}, err
	}
	v, err := saidBy(c[0])
	return s.outcome(v), err
}

// compared returns the judge's comparisons of a session of n pairs.
func (in Instrument) compared(s setting, n int, r *rand.Rand,
	basis func(record.Machine) finding.Basis) ([]finding.Comparison, error) {
	p := planOf(n, r.Uint64())
	trials, err := in.follow(p, s.machines(r, n).value, neverEnds)
	if err != nil {
		return nil, err
	}
	return in.judged(p, trials, basis)
}

func (in Instrument) judged(p record.Plan, trials []record.Trial,
	basis func(record.Machine) finding.Basis) ([]finding.Comparison, error) {
	c, err := in.Compare(trials, machineLines(), []record.PlanLine{{Hash: plan.Hash(p), Plan: p}},
		judge.Options{Baseline: sideA, Basis: basis})
	if err != nil {
		return nil, fmt.Errorf("judging a simulated session: %w", err)
	}
	if len(c.Pairs) != 1 || len(c.Pairs[0].Verdicts) == 0 {
		return nil, fmt.Errorf("judging a simulated session: %d pairs of machines, one was simulated", len(c.Pairs))
	}
	return c.Pairs[0].Verdicts, nil
}
