package selftest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"plimsoll/internal/judge"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// setting is the truth about two machines.
type setting struct {
	name   string
	effect float64 // ln of the ratio of b to a, the means of the noise included
	shift  float64 // what is added to b's noise to give it; effect, unless the noise has a mean
	noise  noise
	drift  drift // nil: none
}

// equal is two machines that are alike.
func equal(name string, n noise) setting { return setting{name: name, noise: n} }

// faster is two machines of which b carries a share gain more.
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

// outcome is what a session said of its setting.
type outcome struct {
	claim   bool // the interval leaves out equality
	wrong   bool // a claim of the wrong sign
	covered bool // the interval holds the truth
	pairs   int
}

func (s setting) outcome(iv stat.Interval, mean float64, pairs int) outcome {
	claim := iv.Excludes(0)
	return outcome{claim: claim, wrong: claim && mean*s.effect < 0, covered: !iv.Excludes(s.effect), pairs: pairs}
}

// fixed is a session of n pairs, judged once at its end.
func (in Instrument) fixed(s setting, n int, r *rand.Rand) (outcome, error) {
	c, err := in.compared(s, n, r, nil)
	if err != nil {
		return outcome{}, err
	}
	first := c[0]
	if first.Lo == nil {
		return outcome{}, fmt.Errorf("%s: a session of %d pairs has no interval: %v", s.name, n, first.Flags)
	}
	return s.outcome(stat.Interval{Lo: math.Log(*first.Lo), Hi: math.Log(*first.Hi)}, math.Log(first.Ratio), first.N), nil
}

// compared is what the judge says of a session of n pairs.
func (in Instrument) compared(s setting, n int, r *rand.Rand, basis func(record.Machine) judge.Basis) ([]judge.Comparison, error) {
	p := planOf(n, r.Uint64())
	trials, err := in.follow(p, s.machines(r, n).value, neverEnds)
	if err != nil {
		return nil, err
	}
	return in.judged(p, trials, basis)
}

func (in Instrument) judged(p record.Plan, trials []record.Trial, basis func(record.Machine) judge.Basis) ([]judge.Comparison, error) {
	c, err := in.Compare(trials, machineLines(), []record.PlanLine{{Hash: plan.Hash(p), Plan: p}}, judge.Options{Baseline: sideA, Basis: basis})
	if err != nil {
		return nil, fmt.Errorf("judging a simulated session: %w", err)
	}
	if len(c.Pairs) != 1 || len(c.Pairs[0].Verdicts) == 0 {
		return nil, fmt.Errorf("judging a simulated session: %d pairs of machines, one was simulated", len(c.Pairs))
	}
	return c.Pairs[0].Verdicts, nil
}

// sequential is a session that is looked at as the rule says, and stops when it decides.
func (in Instrument) sequential(s setting, r *rand.Rand) (outcome, error) {
	looks := in.Rule.Boundary.Looks
	most := looks[len(looks)-1]
	var last stat.Look
	_, err := in.follow(planOf(most, r.Uint64()), s.machines(r, most).value, func(done []record.Trial) bool {
		if n := len(done) / 2; len(done)%2 == 1 || last.N == n || !slices.Contains(looks, n) {
			return false
		}
		last = in.Rule.Decide(differences(done))
		return last.Verdict != stat.GoOn
	})
	if err != nil {
		return outcome{}, err
	}
	return s.outcome(last.Ratio.Hull, last.Ratio.Mean, last.N), nil
}

// differences are the log ratios of b to a by replicate, in the order of the replicates.
func differences(trials []record.Trial) []float64 {
	d := make([]float64, len(trials)/2)
	for _, t := range trials {
		sign := float64(2*t.Cell - 1)
		d[t.Replicate] += sign * math.Log(t.Values[0].Value)
	}
	return d
}
