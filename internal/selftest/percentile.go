package selftest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

const (
	tailRuns     = 10
	tailRequests = 10_000
	tailQuantile = .99
)

// tailOf computes an interval of the ratio of two p99; see Instrument.Tail.
type tailOf func(in Instrument, a, b []*histogram) (stat.Interval, error)

// percentiles returns gates for the p99 of two equal machines whose requests are occasionally slow for a while
// (docs/derivations.md#quantiles), and for the same from a pool of all requests.
func (t tests) percentiles() ([]Gate, error) {
	got, err := many(t, "p99", func(r *rand.Rand) ([2]stat.Interval, error) {
		a, b := requests(r), requests(r)
		byRun, err := t.in.Tail(t.in, a, b)
		if err != nil {
			return [2]stat.Interval{}, err
		}
		inPool, err := tailPooled(t.in, a, b)
		return [2]stat.Interval{byRun, inPool}, err
	})
	held := func(way int) int {
		return number(got, func(ivs [2]stat.Interval) bool { return !ivs[way].Excludes(0) })
	}
	return []Gate{
		shareGate("p99, one of each run: interval holds the truth", held(0), t.n, AtLeast, coverGate),
		shown(shareGate("p99, requests of all runs in one pool: interval holds the truth", held(1), t.n, AtLeast, coverGate)),
	}, err
}

// requests draws one machine's requests in several runs: lognormal, times a factor of the run as a whole, times four in
// slow spells, which last for 200 requests on average and make up 3% of the time.
func requests(r *rand.Rand) []*histogram {
	const slow, leave = .03, 1.0 / 200
	const enter = slow * leave / (1 - slow)
	out := make([]*histogram, tailRuns)
	for i := range out {
		out[i] = &histogram{}
		run, in := .05*r.NormFloat64(), r.Float64() < slow
		for range tailRequests {
			log, turn := run+.3*r.NormFloat64(), enter
			if in {
				log, turn = log+2*math.Ln2, leave
			}
			out[i].add(log)
			in = in != (r.Float64() < turn)
		}
	}
	return out
}

// tailByRun judges one p99 per run.
func tailByRun(in Instrument, a, b []*histogram) (stat.Interval, error) {
	p := planOf(len(a), DefaultSeed)
	trials, err := in.follow(p, func(o record.Order, side int) []record.Value {
		h := [][]*histogram{a, b}[o.Sides[side].Cell][o.Replicate]
		return []record.Value{throughput(1e9), latency(math.Exp(h.quantile(tailQuantile)))}
	}, neverEnds)
	if err != nil {
		return stat.Interval{}, err
	}
	cs, err := in.judged(p, trials, nil)
	if err != nil {
		return stat.Interval{}, err
	}
	at := slices.IndexFunc(cs, func(c finding.Comparison) bool { return c.Metric == record.LatencyP99 })
	if at < 0 || !cs[at].Bounded() {
		return stat.Interval{}, fmt.Errorf("no interval of the p99 of %d runs", len(a))
	}
	return estimate.LogsOf(cs[at].Bounds), nil
}

func latency(seconds float64) record.Value {
	return record.Value{Metric: record.Metric{Name: record.LatencyP99, Unit: "s", Better: record.Lower}, Value: seconds}
}
