package selftest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
)

// series is another tool's results for two sides, without information on when they were measured. draw returns ln of
// each replicate, in order.
type series struct {
	name   string
	n      int // replicates of each side
	effect float64
	draw   func(r *rand.Rand, n int) [2][]float64
}

// Replicates of a side in the rows of imports.
const (
	fewImported  = 10
	someImported = 12
	manyImported = 20
	seconds      = 3600 // of one run
)

// imports returns gates for results of other tools, of which only values and order are known
// (docs/derivations.md#order-of-runs).
func (t tests) imports() ([]Gate, error) {
	var out []Gate
	for _, s := range []series{
		{"independent, sd 2%", manyImported, 0, both(gauss(.02))},
		{"each repeats .3 of the one before", manyImported, 0, chained(.3)},
		{"each repeats .6 of the one before", manyImported, 0, chained(.6)},
		{"each repeats .9 of the one before", manyImported, 0, chained(.9)},
		{"1% a run on one machine, all of a and then all of b", fewImported, 0, inTurn(.02, rising(.01))},
		{"one machine that wanders, AR .9 of 2%, all of a and then all of b", manyImported, 0, inTurn(0, wander)},
		{"one side steps by 5%", someImported, 0, onB(.01, stepping)},
		{"one side warms up from 70%", someImported, 0, onB(.01, warming)},
	} {
		got, err := t.imported(s)
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate(fmt.Sprintf("import, A/A of %d, %s: claims", s.n, s.name), claims(got), len(got), AtMost,
			aaGate))
	}
	few := t
	few.n = max(4, t.n/100)
	got, err := few.imported(series{"seconds of one run", seconds, 0, chained(.9)})
	if err != nil {
		return nil, err
	}
	out = append(out, shareGate(fmt.Sprintf("import, A/A of %d seconds of one run per side, AR .9: claims", seconds),
		claims(got), len(got), AtMost, aaGate))
	found, err := t.imported(series{"+5%", fewImported, math.Log(1.05),
		func(r *rand.Rand, n int) [2][]float64 { return shifted(both(gauss(.02))(r, n), math.Log(1.05)) }})
	if err != nil {
		return nil, err
	}
	lost := number(found, func(o outcome) bool { return !o.claim || o.wrong })
	return append(out,
		shareGate("import, +5% of 10 independent replicates per side, sd 2% each: not found", lost, len(found), AtMost, .02),
		shareGate("import, +5% of 10 independent replicates per side: interval holds the truth", covered(found), len(found),
			AtLeast, coverGate)), nil
}

// beyondImports returns gates for effects that so few replicates cannot show.
func (t tests) beyondImports() ([]Gate, error) {
	var out []Gate
	for _, s := range []series{
		{"each repeats .9 of the one before", fewImported, 0, chained(.9)},
		{"3% in all on one machine, all of a and then all of b", fewImported, 0, inTurn(.01, ramp)},
	} {
		got, err := t.imported(s)
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate(fmt.Sprintf("import, A/A of only %d, %s: claims", s.n, s.name), claims(got), len(got),
			AtMost, aaGate))
	}
	return out, nil
}

func (t tests) imported(s series) ([]outcome, error) {
	return many(t, fmt.Sprintf("import of %d, %s", s.n, s.name), func(r *rand.Rand) (outcome, error) {
		p := record.Plan{
			Name: "import of a file", Session: "simulated", Claim: plan.ClaimMachine, Margin: margin, Alpha: alpha,
			Replicates: s.n,
			Imported:   &record.Imported{Format: "csv", File: "a file"}, Cells: planOf(s.n, DefaultSeed).Cells,
		}
		hash, logs := plan.Hash(p), s.draw(r, s.n)
		var trials []record.Trial
		for side, values := range logs {
			for i, log := range values {
				o := record.Order{Slot: record.Slot{Plan: hash, Replicate: i + 1}, Sides: []record.Side{
					{Cell: side, Workload: p.Cells[side].Workload, Load: p.Cells[side].Load}}}
				trial := trialOf(o, 0, []record.Value{throughput(1e9 * math.Exp(log))})
				trial.Keys[record.KeyImported] = "csv"
				trials = append(trials, trial)
			}
		}
		cs, err := t.in.judged(p, trials, nil)
		if err != nil {
			return outcome{}, err
		}
		v, err := saidBy(cs[0])
		return setting{effect: s.effect}.outcome(v), err
	})
}

// withheld reports whether a comparison has no interval because of the order of its replicates.
func withheld(c finding.Comparison) bool {
	for _, flag := range c.Flags {
		if flag.Code == "no-level-no-verdict" {
			return !c.Bounded() && c.Verdict == ""
		}
	}
	return false
}

// chained draws two sides in which each replicate repeats phi of the one before, sd 2%.
func chained(phi float64) func(*rand.Rand, int) [2][]float64 {
	return func(r *rand.Rand, n int) [2][]float64 {
		return [2][]float64{autoregressive(r, n, phi, .02), autoregressive(r, n, phi, .02)}
	}
}

// inTurn draws one drifting machine on which all of a is measured before all of b.
func inTurn(sd float64, d drift) func(*rand.Rand, int) [2][]float64 {
	return func(r *rand.Rand, n int) [2][]float64 {
		out, over := both(gauss(sd))(r, n), d(r, 2*n)
		for side := range out {
			for i := range out[side] {
				out[side][i] += over[side*n+i]
			}
		}
		return out
	}
}

// onB draws two equal sides, except for the drift of b over its replicates.
func onB(sd float64, d drift) func(*rand.Rand, int) [2][]float64 {
	return func(r *rand.Rand, n int) [2][]float64 {
		out := both(gauss(sd))(r, n)
		for i, log := range d(r, n) {
			out[1][i] += log
		}
		return out
	}
}

func shifted(of [2][]float64, by float64) [2][]float64 {
	for i := range of[1] {
		of[1][i] += by
	}
	return of
}

// rising gains a share per trial.
func rising(share float64) drift {
	return func(_ *rand.Rand, trials int) []float64 {
		out := make([]float64, trials)
		for i := range out {
			out[i] = share * float64(i)
		}
		return out
	}
}

// stepping loses 5% at a random time in the middle half.
func stepping(r *rand.Rand, trials int) []float64 {
	out := make([]float64, trials)
	for i := trials/4 + r.IntN(trials/2) + 1; i < trials; i++ {
		out[i] = math.Log(.95)
	}
	return out
}

// warming starts at 70% and approaches full speed with a time constant of three runs.
func warming(_ *rand.Rand, trials int) []float64 {
	out := make([]float64, trials)
	for i := range out {
		out[i] = math.Log(1 - .3*math.Exp(-float64(i)/3))
	}
	return out
}
