package selftest

import "math"

// aaGate is the maximum share of A/A comparisons that may claim a difference.
const aaGate = .06

// coverGate is the minimum share of intervals that must contain the truth at the stop.
const coverGate = .945

// equalMachines returns gates for comparisons of equal machines.
func (t tests) equalMachines() ([]Gate, error) {
	var out []Gate
	for _, s := range []setting{
		equal("normal, sd 2%", normal(.02)), equal("normal, sd 4%", normal(.04)), equal("Student's t, 3", both(student)),
		equal("exponential", both(slowed)), equal("contaminated", both(contaminated)), equal("bimodal", both(bimodal)),
	} {
		got, err := t.sequential(s)
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate("A/A until decided, "+s.name+": claims", claims(got), len(got), AtMost, aaGate))
	}
	got, err := t.fixed(equal("normal, sd 2%", normal(.02)), 5)
	return append(out, shareGate("A/A of 5 pairs, normal, sd 2%: claims", claims(got), len(got), AtMost, aaGate)), err
}

// disturbances are noise of pairs of 2% with runs that stall, of both sides and of one, alone and in bursts.
func disturbances() []struct {
	name  string
	noise noise
} {
	return []struct {
		name  string
		noise noise
	}{
		{"one run in 30 stalls", both(stalled(1. / 30))}, {"one run in 10 stalls", both(stalled(1. / 10))},
		{"one run in 30 of one side stalls", independent(stalled(1./30), gauss(.02/math.Sqrt2))},
		{"bursts", bursts},
	}
}

// disturbed returns gates for comparisons of which runs stall: equal machines are not called different, and 5% are
// found as if none had stalled, if one run in 30 does.
func (t tests) disturbed() ([]Gate, error) {
	var out []Gate
	for _, d := range disturbances() {
		got, err := t.sequential(equal(d.name, d.noise))
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate("A/A until decided, "+d.name+": claims", claims(got), len(got), AtMost, aaGate))
		if got, err = t.sequential(faster("+5%, "+d.name, .05, d.noise)); err != nil {
			return nil, err
		}
		least := .99
		if d.name == "one run in 10 stalls" {
			least = .8
		}
		out = append(out, shareGate("+5%, "+d.name+": found", claims(got), len(got), AtLeast, least),
			shareGate("+5%, "+d.name+": interval holds the truth", covered(got), len(got), AtLeast, coverGate),
			shareGate("+5%, "+d.name+": wrong sign", wrong(got), len(got), AtMost, .002))
	}
	return out, nil
}

// driftPairs is the number of pairs of sessions under drift.
const driftPairs = 10

func driftSettings() []setting {
	still := normal(.01 * 1.4142135623730951) // 1% of each side
	return []setting{
		{name: "ramp of 3%", noise: still, drift: ramp},
		{name: "step of 3%", noise: still, drift: step},
		{name: "wandering, AR .9 of 2%", noise: still, drift: wander},
	}
}

// drifts returns gates for comparisons of equal machines while both drift.
func (t tests) drifts() ([]Gate, error) {
	var out []Gate
	for _, s := range driftSettings() {
		got, err := t.fixed(s, driftPairs)
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate("A/A of 10 pairs, "+s.name+": claims", claims(got), len(got), AtMost, aaGate))
	}
	return out, nil
}

// unequalMachines returns gates for comparisons of machines with different throughput.
func (t tests) unequalMachines() ([]Gate, error) {
	var out []Gate
	bad, sessions := 0, 0
	for _, c := range []struct {
		setting
		found, pairs float64
	}{
		{faster("+5%, sd 2%", .05, normal(.02)), .99, 6},
		{faster("+5%, sd 4%", .05, normal(.04)), .99, 12},
		{faster("+2%, sd 2%", .02, normal(.02)), .95, 30},
	} {
		got, err := t.sequential(c.setting)
		if err != nil {
			return nil, err
		}
		pairs := make([]int, len(got))
		for i, o := range got {
			pairs[i] = o.pairs
		}
		out = append(out,
			shareGate(c.name+": found", claims(got), len(got), AtLeast, c.found),
			medianGate(c.name+": pairs, median", pairs, c.pairs),
			shareGate(c.name+": interval holds the truth", covered(got), len(got), AtLeast, coverGate))
		bad, sessions = bad+wrong(got), sessions+len(got)
	}
	return append(out, shareGate("effects of 2% and more: wrong sign", bad, sessions, AtMost, .002)), nil
}
