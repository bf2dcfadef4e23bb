package selftest

import (
	"math"
	"math/rand/v2"
	"slices"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// stopping carries out a session of a plan with interim analyses on two machines.
type stopping func(in Instrument, p record.Plan, m *machines) (said, error)

// sequential runs a session that may end at any of its interim analyses.
func (in Instrument) sequential(s setting, r *rand.Rand) (outcome, error) {
	b, err := stat.Repeated(alpha, stat.UsualPairs)
	if err != nil {
		return outcome{}, err
	}
	p := planOf(b.Looks[len(b.Looks)-1], r.Uint64())
	p.Stop = &record.Stop{Looks: b.Looks, Alone: plan.DefaultReplicates, Futile: stat.FutileBelow}
	if s.whole {
		p.Stop.Futile = 0
	}
	v, err := in.UntilDecided(in, p, s.machines(r, p.Replicates))
	return s.outcome(v), err
}

// atLooks leaves the end of the session to Next, and the estimate to the judge.
func atLooks(in Instrument, p record.Plan, m *machines) (said, error) {
	trials, err := in.follow(p, m.value, neverEnds)
	if err != nil {
		return said{}, err
	}
	cs, err := in.judged(p, trials, nil)
	if err != nil {
		return said{}, err
	}
	return saidBy(cs[0])
}

// byRule ends sessions by another rule than the plan's.
func byRule(rule stat.Rule) stopping {
	return func(in Instrument, p record.Plan, m *machines) (said, error) {
		p.Stop = nil
		var last stat.Interim
		_, err := in.follow(p, m.value, func(done []record.Trial) bool {
			if n := len(done) / 2; len(done)%2 == 1 || last.N == n || !slices.Contains(rule.Boundary.Looks, n) {
				return false
			}
			last = rule.Decide(differences(done))
			return last.Verdict != stat.GoOn
		})
		return said{last.Ratio.Hull, last.Ratio.Mean, last.N}, err
	}
}

// ordinary returns a rule that uses the interval of a single analysis at every interim analysis.
func ordinary(looks []int) stat.Rule {
	b := stat.Fixed(alpha)
	b.Looks = looks
	return stat.RuleFor(b, margin, false)
}

// differences returns the log ratios of b to a in the order of the replicates.
func differences(trials []record.Trial) []float64 {
	d := make([]float64, len(trials)/2)
	for _, t := range trials {
		sign := float64(2*t.Cell - 1)
		d[t.Replicate] += sign * math.Log(t.Values[0].Value)
	}
	return d
}
