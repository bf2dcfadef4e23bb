package selftest

import (
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// knownBad returns gates for the limits of the method, and for other ways of measuring the same machines.
func (t tests) knownBad() ([]Gate, error) {
	out, err := t.beyond()
	if err != nil {
		return nil, err
	}
	naive, err := t.otherwise()
	if err != nil {
		return nil, err
	}
	few, err := t.beyondImports()
	if err != nil {
		return nil, err
	}
	out = append(append(out, naive...), few...)
	for i := range out {
		out[i] = shown(out[i])
	}
	return out, nil
}

// beyond returns gates for noise that no number of runs on the same machines can overcome.
func (t tests) beyond() ([]Gate, error) {
	kept, err := t.sequential(equal("AR .6", repeating(.6)))
	if err != nil {
		return nil, err
	}
	lame := equal("contaminated, A only", independent(contaminated, gauss(.02)))
	lame.effect = -contamination()
	oneSided, err := t.fixed(lame, driftPairs)
	if err != nil {
		return nil, err
	}
	return []Gate{
		shareGate("A/A until decided, each machine repeats .6 of its last run: claims", claims(kept), len(kept), AtMost,
			aaGate),
		shareGate("10 pairs, one run of ten slow on one side only: interval holds the mean", covered(oneSided), len(oneSided),
			AtLeast, coverGate),
	}, nil
}

// otherwise returns gates for the same machines, measured in ways that Plimsoll avoids.
func (t tests) otherwise() ([]Gate, error) {
	var out []Gate
	inBlocks := t
	inBlocks.in.Next = blocked
	for _, s := range driftSettings() {
		got, err := inBlocks.fixed(s, driftPairs)
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate("the same in blocks AAA…BBB, "+s.name+": claims", claims(got), len(got), AtMost, aaGate))
	}
	repeated, err := stat.Repeated(alpha, stat.UsualPairs)
	if err != nil {
		return nil, err
	}
	peeking := t
	peeking.in.UntilDecided = byRule(ordinary(repeated.Looks))
	got, err := peeking.sequential(equal("normal, sd 2%", normal(.02)))
	if err != nil {
		return nil, err
	}
	return append(out, shareGate("A/A until decided, looked at with plain 95% CIs: claims", claims(got), len(got),
		AtMost, aaGate)), nil
}

// blocked is Next in another order: all trials of one side before those of the other.
func blocked(p record.Plan, done []record.Trial) (record.Order, bool) {
	if len(done) == len(p.Cells)*p.Replicates {
		return record.Order{}, false
	}
	cell, replicate := len(done)/p.Replicates, len(done)%p.Replicates
	c := p.Cells[cell]
	return record.Order{
		Slot: record.Slot{Plan: plan.Hash(p), Replicate: replicate, Position: cell}, DurationS: p.DurationS, Host: c.Host,
		Sides: []record.Side{{Cell: cell, Workload: c.Workload, Load: c.Load}},
	}, true
}
