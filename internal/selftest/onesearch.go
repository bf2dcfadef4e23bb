package selftest

import (
	"math"
	"math/rand/v2"

	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/base/list"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/selftest/queue"
)

// disturbed is how a machine that others use shows in the probes of a search.
type disturbed struct {
	scatter float64 // standard deviation of ln of a probe's latency, beside that of its requests
	stalls  float64 // share of probes whose latency is tripled
	late    float64 // mean lateness of the generator, as a share of the limit, which is in the latency too
}

// oneSearch is what one timed search says, against the truth.
type oneSearch struct {
	stated    bool    // a line with its interval, confirmed
	off       float64 // ln of the line over the truth, if stated
	holds     bool    // its interval, or its bracket, holds the truth
	bracketed bool    // two probes that it lies between
}

// near reports whether a search states a line within 10% of the truth.
func (s oneSearch) near() bool { return s.stated && math.Abs(s.off) <= lineNear }

// searchOnce lets the instrument search once for the line of a random server at an objective, as by default.
func (in Instrument) searchOnce(r *rand.Rand, d disturbed) (oneSearch, error) {
	s := drawnService(r)
	return in.searchServer(r, s, queue.Base(s, .99)*(1.3+2*r.Float64()), d)
}

// searchServer lets the instrument search once for the line of a server at an objective in seconds, as by default.
func (in Instrument) searchServer(r *rand.Rand, s queue.Server, objective float64, d disturbed) (oneSearch, error) {
	const most = 60
	truth := queue.LineAt(s, .99, objective)
	p := planOf(1, r.Uint64())
	p.WarmupS, p.DurationS = plan.SearchWarmupS, plan.SearchTimeS
	p.Hosts, p.Cells = p.Hosts[:1], p.Cells[:1]
	p.Cells[0].Params, p.Cells[0].Load = record.Params{}, record.LoadPoint{Kind: record.Open, Unit: record.ParamRate}
	p.Cells[0].Search = plan.NewSearch(false, map[string]float64{"p99": objective}, false)
	p.Cells[0].Search.TimeS = plan.SearchRuns * (p.WarmupS + p.DurationS + .5)
	var done []record.Trial
	for o, more := in.Next(p, nil); more && len(done) < most; o, more = in.Next(p, done) {
		t := probed(o, s, r)
		t.WarmupS, t.DurationS = o.WarmupS, o.DurationS
		d.disturb(&t, objective, r)
		done = append(done, t)
	}
	var line *loadline.Line
	for _, c := range judge.Show(done, machineLines(), []record.PlanLine{{Hash: plan.Hash(p), Plan: p}}).Workloads {
		if l := headroom.Chief(c); l != nil {
			line = l
		}
	}
	out := oneSearch{}
	switch {
	case line == nil:
	case line.Between != nil && line.Between.Above != nil:
		out.bracketed, out.holds = true, line.MaxSustained <= truth && truth <= *line.AtMost
	case line.OneSearch != nil:
		out.stated, out.off = true, math.Log(line.MaxSustained/truth)
		out.holds = !line.OneSearch.Excludes(truth)
	}
	return out, nil
}

// disturb changes the latencies of an open loop's trial.
func (d disturbed) disturb(t *record.Trial, objective float64, r *rand.Rand) {
	if t.Load.Kind != record.Open {
		return
	}
	factor := math.Exp(d.scatter * r.NormFloat64())
	if r.Float64() < d.stalls {
		factor *= 3
	}
	late := d.late * objective * r.ExpFloat64()
	for i := range t.Values {
		if v := &t.Values[i]; v.Name == record.LatencyP99 {
			v.Value = v.Value*factor + late
		}
	}
	t.Generator = &record.LoadUse{Done: int64(t.Load.Level * t.DurationS), LateS: map[string]float64{"p99": late}}
}

// drawnService returns a random server of 1 to 8 whose services take 1 to 50 ms.
func drawnService(r *rand.Rand) queue.Server {
	service := .001 * math.Pow(50, r.Float64())
	if n := 1 + r.IntN(8); n > 1 {
		return queue.Several{Rate: 1 / service, Servers: n}
	}
	return queue.Single{Rate: 1 / service}
}

// oneSearches returns gates for single timed searches, on a machine of its own and on one that others use: how many
// state a line whose interval is wrong, how many are within 10% of the truth, and how many brackets hold it.
func (t tests) oneSearches() ([]Gate, error) {
	few := t
	few.n = max(40, int(lineSearches*float64(t.n)))
	var out []Gate
	for _, c := range []struct {
		name string
		disturbed
	}{{"idle", disturbed{}}, {"shared", disturbed{scatter: .3, stalls: .1, late: .1}}} {
		got, err := many(few, "one search, "+c.name, func(r *rand.Rand) (oneSearch, error) {
			return t.in.searchOnce(r, c.disturbed)
		})
		if err != nil {
			return nil, err
		}
		wrong := number(got, func(s oneSearch) bool { return s.stated && !s.holds })
		brackets := list.Filter(got, func(s oneSearch) bool { return s.bracketed })
		out = append(out, shareGate("one search, "+c.name+": confirmed and wrong", wrong, len(got), AtMost, wrongLines))
		if c.disturbed == (disturbed{}) {
			out = append(out, shareGate("one search, "+c.name+": within 10%", number(got, oneSearch.near), len(got), AtLeast,
				.65))
		}
		if len(brackets) > 0 {
			held := number(brackets, func(s oneSearch) bool { return s.holds })
			out = append(out, shareGate("one search, "+c.name+": brackets that hold the truth", held, len(brackets), AtLeast,
				.85))
		}
	}
	return out, nil
}

const (
	wrongLines = .05
	lineNear   = .095 // ln of 1.10
)
