package selftest

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// simulations returns how many of each experiment a test makes: so many by day, and the default at night.
func simulations(byDay int) int {
	if simtest.Night() {
		return DefaultSimulations
	}
	return byDay
}

// mutant is an instrument with one fault, the part of the certificate that looks for it, a gate of it that must fail,
// and how many simulations show that.
type mutant struct {
	in   Instrument
	part func(tests) ([]Gate, error)
	gate string
	n    int
}

func mutants(t *testing.T) map[string]mutant {
	inBlocks, peeking, pooling, dear, iid := Real(), Real(), Real(), Real(), Real()
	unmerged, clockOnly, shuffled := Real(), Real(), Real()
	twice := Real()
	whole := Real()
	hopeful, byEstimates, oneByOne, dropping := Real(), Real(), Real(), Real()
	first := dropping.Next
	inBlocks.Next = blocked
	repeated, err := stat.Repeated(alpha, stat.UsualPairs)
	if err != nil {
		t.Fatal(err)
	}
	peeking.UntilDecided = byRule(ordinary(repeated.Looks))
	pooling.Tail = tailPooled
	dear.Compare = func(trials []record.Trial, machines []record.Machine, plans []record.PlanLine,
		o judge.Options) (finding.Compared, error) {
		if known := o.Basis; known != nil {
			o.Basis = func(m record.Machine) finding.Basis {
				b := known(m)
				b.PricePerHour = 1 / b.PricePerHour
				return b
			}
		}
		return judge.Compare(trials, machines, plans, o)
	}
	shuffled.Compare = func(trials []record.Trial, machines []record.Machine, plans []record.PlanLine,
		o judge.Options) (finding.Compared, error) {
		const prime = 7 // of no number of replicates a factor
		for i := range trials {
			trials[i].Replicate = trials[i].Replicate * prime % len(trials)
		}
		return judge.Compare(trials, machines, plans, o)
	}
	twice.Compare = func(trials []record.Trial, machines []record.Machine, plans []record.PlanLine,
		o judge.Options) (finding.Compared, error) {
		return judge.Compare(append(trials, trials...), machines, plans, o)
	}
	iid.UntilDecided = byRule(stat.Rule{Opts: stat.Opts{Boundary: repeated, SDFloor: stat.SDFloor},
		Margin: math.Log1p(margin)})
	byMean := Real()
	byMean.UntilDecided = func(in Instrument, p record.Plan, m *machines) (said, error) {
		p.Stop = nil
		var last said
		_, err := in.follow(p, m.value, func(done []record.Trial) bool {
			n := len(done) / 2
			if len(done)%2 == 1 || last.pairs == n || !slices.Contains(repeated.Looks, n) {
				return false
			}
			d := differences(done)
			last = said{stat.TInterval(d, repeated.Rate, stat.SDFloor), stat.Mean(d), n}
			return last.interval.Excludes(0) || last.interval.Within(-math.Log1p(margin), math.Log1p(margin))
		})
		return last, err
	}
	hopeful.UntilDecided = func(in Instrument, p record.Plan, m *machines) (said, error) {
		p.Stop.Futile = 0
		return atLooks(in, p, m)
	}
	unmerged.Regulation = withTimeline(func(l stat.Timeline) {
		for i := range l.IOs {
			l.IOs[i] *= 100
		}
	})
	clockOnly.Regulation = withTimeline(func(l stat.Timeline) {
		for i := range l.Bytes {
			l.Bytes[i] = min(l.Bytes[i], 1)
		}
	})
	whole.Throughput = func(c load.Config, clients [][]load.Operation) (load.Result, error) {
		r, err := load.Replay(c, clients)
		r.OpsPerSecond = float64(r.Ops) / r.Seconds
		return r, err
	}
	dropping.Next = func(p record.Plan, done []record.Trial) (record.Order, bool) {
		if len(done)%2 == 0 {
			rule := stat.RuleFor(repeated, margin, false)
			rule.Boundary.Futile = p.Stop.Futile
			positive := slices.DeleteFunc(differences(done), func(d float64) bool { return math.IsNaN(d) || math.IsInf(d, 0) })
			if rule.Decide(positive).Verdict != stat.GoOn {
				return record.Order{}, false
			}
		}
		return first(p, done)
	}
	byEstimates.Crossings = func(p finding.Pair) []crossover.Crossing { return crossingsByPlace(p, true) }
	oneByOne.Crossings = func(p finding.Pair) []crossover.Crossing { return crossingsByPlace(p, false) }
	return map[string]mutant{
		"pairs with a zero left out": {dropping, tests.stoppedCounts, "until decided, counts: ended without a reason", 10},
		"crossings of undecided places": {byEstimates, tests.crossings,
			"crossing, 8 loads, noise 4%: bracket holds it", 100},
		"crossings of places one by one": {oneByOne, tests.crossings,
			"no crossing, but one ceiling, 8 loads, noise 4%: one told", 150},
		"whole operations": {whole, tests.throughputs,
			"closed loop, operations ten times as long as the window: bias of the throughput", 5},
		"blocked order":             {inBlocks, tests.drifts, "A/A of 10 pairs, ramp of 3%: claims", 50},
		"unadjusted peeking":        {peeking, tests.equalMachines, "A/A until decided, normal, sd 2%: claims", 50},
		"pooled percentiles":        {pooling, tests.percentiles, "p99, one of each run: interval holds the truth", 50},
		"inverted price":            {dear, tests.prices, "per dollar, +5%, 15% dearer: the cheaper work found", 50},
		"bins of few I/Os":          {unmerged, tests.regulations, "token bucket, smooth: class wrong", 100},
		"pauses by the clock alone": {clockOnly, tests.regulations, "token bucket, periodic commits: class wrong", 50},
		"replicates out of their order": {shuffled, tests.imports,
			"import, A/A of 20, each repeats .9 of the one before: claims", 50},
		"each run read twice": {twice, tests.counts, "A/A, 16 runs per side, 0, but 100 in one run of ten: claims", 100},
		"hope to the last":    {hopeful, tests.stops, "A/A until decided or futile, normal, sd 4%: pairs, mean", 30},
		"the mean of pairs":   {byMean, tests.disturbed, "+5%, one run in 30 stalls: found", 50},
		"an iid assumption":   {iid, tests.oracle, "as method-sim, A/A, AR .6: claims", 50},
	}
}

// withTimeline changes a timeline before it is judged.
func withTimeline(change func(stat.Timeline)) func(stat.Timeline) (stat.Regulation, bool) {
	return func(l stat.Timeline) (stat.Regulation, bool) {
		change(l)
		return stat.RegulationOf(l)
	}
}

// crossingsByPlace tells a crossing between each two places next to each other with opposite winners, with or without
// the undecided ones, whatever chance does at one of many.
func crossingsByPlace(p finding.Pair, undecided bool) []crossover.Crossing {
	var out []crossover.Crossing
	from, better := 0., ""
	for _, c := range p.Verdicts {
		if !c.Primary || c.Per != finding.PerMachine || c.Verdict != trialset.Different && !undecided {
			continue
		}
		now, at := "a", levelOf(c.Load)
		if c.Ratio > 1 {
			now = "b"
		}
		if better != "" && now != better {
			out = append(out, crossover.Crossing{Lo: from, Hi: at})
		}
		from, better = at, now
	}
	return out
}

// levelOf returns the level of a load's key, such as "8 clients".
func levelOf(load string) float64 {
	number, _, _ := strings.Cut(load, " ")
	level, err := strconv.ParseFloat(number, 64)
	if err != nil {
		panic(err)
	}
	return level
}

// TestMutantsTurnAGateRed: without them all are green, which selftest.txtar shows with the same seed and the night's
// simulations. By day those are so many that the gate fails, and without the mutant does not.
func TestMutantsTurnAGateRed(t *testing.T) {
	simtest.Long(t)
	for name, m := range mutants(t) {
		t.Logf("%s: seed %d, %d simulations", name, DefaultSeed, simulations(m.n))
		gates, err := m.part(tests{ctx: context.Background(), in: m.in, seed: DefaultSeed, n: simulations(m.n)})
		if err != nil {
			t.Fatal(err)
		}
		red := Certificate{Gates: gates}.Failed()
		if !slices.ContainsFunc(red, func(g Gate) bool { return g.Name == m.gate }) {
			t.Errorf("%s: the gate %q did not fail; failed: %+v", name, m.gate, red)
		}
	}
}
