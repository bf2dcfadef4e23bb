package selftest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// amounts are values that have no logarithm: counts, shares and negative ones of two sides.
type amounts struct {
	name   string
	n      int     // runs of each side
	effect float64 // of the means, b minus a
	paired bool
	a, b   func(*rand.Rand) float64
}

// stoppedCounts returns gates for sessions that end at an interim analysis of values some of which are 0.
func (t tests) stoppedCounts() ([]Gate, error) {
	var out []Gate
	bad, sessions := 0, 0
	for _, s := range []struct {
		amounts
		sense Sense
		gate  float64
	}{
		{amounts{name: "counts of 0.5", a: poisson(.5), b: poisson(.5)}, AtMost, aaGate},
		{amounts{name: "counts of 3", a: poisson(3), b: poisson(3)}, AtMost, aaGate},
		{amounts{name: "counts of 0.5 to 4", effect: 3.5, a: poisson(.5), b: poisson(4)}, AtLeast, .99},
	} {
		name := "until decided, " + s.name + ": claims"
		got, err := many(t, name, func(r *rand.Rand) (outcome, error) { return t.in.stoppedCount(s.amounts, r) })
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate(name, claims(got), len(got), s.sense, s.gate))
		bad, sessions = bad+wrong(got), sessions+len(got)
	}
	return append(out, shareGate("until decided, counts: ended without a reason", bad, sessions, AtMost, .001)), nil
}

// stoppedCount carries out a session that may end at any of its interim analyses. It is wrong if it ends before the
// last of them and the judge neither finds it decided nor without a chance of that.
func (in Instrument) stoppedCount(s amounts, r *rand.Rand) (outcome, error) {
	b, err := stat.Repeated(alpha, stat.UsualPairs)
	if err != nil {
		return outcome{}, err
	}
	p := planOf(b.Looks[len(b.Looks)-1], r.Uint64())
	p.Stop = &record.Stop{Looks: b.Looks, Alone: plan.DefaultReplicates, Futile: stat.FutileBelow}
	draw := []func(*rand.Rand) float64{s.a, s.b}
	trials, err := in.follow(p, func(o record.Order, side int) []record.Value {
		return []record.Value{lost(draw[o.Sides[side].Cell](r))}
	}, neverEnds)
	if err != nil {
		return outcome{}, err
	}
	cs, err := in.judged(p, trials, nil)
	if err != nil {
		return outcome{}, err
	}
	c := cs[0]
	decided := c.Verdict == trialset.Different || c.Verdict == trialset.Equivalent
	futile := func(n note.Note) bool { return n.Code == "futile" || n.Code == "futile-by-far" }
	return outcome{claim: c.Verdict == trialset.Different, pairs: c.N,
		wrong: len(trials) < 2*p.Replicates && !decided && !slices.ContainsFunc(c.Flags, futile)}, nil
}

// lost is the value of a metric that is better if lower.
func lost(v float64) record.Value {
	return record.Value{Metric: record.Metric{Name: "lost", Unit: "op", Better: record.Lower}, Value: v}
}

// counts returns gates for values that are compared by ranks and differences
// (docs/derivations.md#zeros-and-counts).
func (t tests) counts() ([]Gate, error) {
	const fewest, some = 4, 8
	decibels := func(mean float64) func(*rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return mean + .5*r.NormFloat64() }
	}
	var out []Gate
	equal := func(name string, n int, draw func(*rand.Rand) float64) amounts {
		return amounts{name: name, n: n, a: draw, b: draw}
	}
	pairs := equal("counts of 0.5", some, poisson(.5))
	pairs.paired = true
	for _, s := range []amounts{
		equal("counts of 0.5", some, poisson(.5)), equal("counts of 0.5", 2*some, poisson(.5)), pairs,
		equal("0, but 100 in one run of ten", 2*some, rarely),
		equal("1.5% of 200 operations", some, shareOf(200, .015)), equal("-3 dB, sd 0.5", some, decibels(-3)),
		equal("-3 dB, sd 0.5", fewest, decibels(-3)), equal("about 0, sd 0.5", 4*some, decibels(0)),
	} {
		got, err := t.counted(s)
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate("A/A, "+s.title()+": claims", claims(got), len(got), AtMost, alpha),
			shareGate("A/A, "+s.title()+": interval of the difference holds the truth", covered(got), len(got), AtLeast,
				coverGate))
	}
	bad, sessions := 0, 0
	for _, c := range []struct {
		amounts
		found float64
	}{
		{amounts{"0 to counts of 4", some, 4, false, poisson(0), poisson(4)}, .99},
		{amounts{"0 to 3 each time", fewest, 3, false, poisson(0), func(*rand.Rand) float64 { return 3 }}, .99},
		{amounts{"counts of 0.5 to 4", some, 3.5, false, poisson(.5), poisson(4)}, .9},
		{amounts{"counts of 0.5 to 4, in pairs", 2 * some, 3.5, true, poisson(.5), poisson(4)}, .99},
		{amounts{"0 to 1.5% of 200 operations", some, .015, false, poisson(0), shareOf(200, .015)}, .95},
		{amounts{"-3 to -4 dB, sd 0.5", some, -1, false, decibels(-3), decibels(-4)}, .8},
	} {
		got, err := t.counted(c.amounts)
		if err != nil {
			return nil, err
		}
		out = append(out, shareGate(c.title()+": found", claims(got), len(got), AtLeast, c.found),
			shareGate(c.title()+": interval of the difference holds the truth", covered(got), len(got), AtLeast, coverGate))
		bad, sessions = bad+wrong(got), sessions+len(got)
	}
	return append(out, shareGate("by ranks: wrong sign", bad, sessions, AtMost, .002)), nil
}

func (s amounts) title() string { return figure.PairOrRun(s.paired).Count(s.n) + ", " + s.name }

// counted lets the judge compare sessions of a metric that is better if lower. Values that are all positive by chance
// go by their logs: their difference is not judged, and of the rest those without an interval hold the truth.
func (t tests) counted(s amounts) ([]outcome, error) {
	return many(t, "amounts, "+s.title(), func(r *rand.Rand) (outcome, error) {
		p := planOf(s.n, r.Uint64())
		if !s.paired {
			p.Imported = &record.Imported{Format: "csv", File: "a file"}
		}
		hash := plan.Hash(p)
		var trials []record.Trial
		for i := range s.n {
			for side, draw := range []func(*rand.Rand) float64{s.a, s.b} {
				o := record.Order{Slot: record.Slot{Plan: hash, Replicate: i}, Sides: []record.Side{
					{Cell: side, Workload: p.Cells[side].Workload, Load: p.Cells[side].Load}}}
				trial := trialOf(o, 0, []record.Value{lost(draw(r))})
				trial.Start = started(len(trials))
				if !s.paired {
					trial.Keys[record.KeyImported], trial.Start = "csv", ""
				}
				trials = append(trials, trial)
			}
		}
		cs, err := t.in.judged(p, trials, nil)
		if err != nil {
			return outcome{}, err
		}
		c := cs[0]
		if c.Paired != s.paired {
			return outcome{}, fmt.Errorf("a simulated session of %s was judged otherwise: %v", s.title(), c.Flags)
		}
		out := outcome{claim: c.Verdict == trialset.Different, covered: true, pairs: c.N}
		out.wrong = out.claim && (c.Better == "a") != (s.effect > 0) && s.effect != 0
		if d := c.Difference; d != nil && d.Bounded() {
			out.covered = !d.Excludes(s.effect)
		}
		return out, nil
	})
}

// poisson draws counts with a mean, by the times between them.
func poisson(mean float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		n := 0.0
		for at := r.ExpFloat64(); at < mean; at += r.ExpFloat64() {
			n++
		}
		return n
	}
}

// rarely draws 100 in one run of ten, and 0 otherwise.
func rarely(r *rand.Rand) float64 {
	if r.IntN(10) > 0 {
		return 0
	}
	return 100
}

// shareOf draws the share of operations that fail, each with a probability.
func shareOf(operations int, probability float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		failed := 0
		for range operations {
			if r.Float64() < probability {
				failed++
			}
		}
		return float64(failed) / float64(operations)
	}
}
