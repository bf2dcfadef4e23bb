package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// A load of a given rate that was carried says nothing of what could be: of it, throughput
// is what was asked for, and the work's answer is its latency.

// carriedAll says whether trials of an open load carried at least 99 % of what was
// offered. It is false where that is not known, as with bytes for operations.
func carriedAll(trials []record.Trial) bool {
	trials = trialset.Having(trials, record.Throughput)
	if len(trials) == 0 || trials[0].Load.Kind != record.Open {
		return false
	}
	share := 0.0
	for _, t := range trials {
		share += carriedShare(t) / float64(len(trials))
	}
	return share >= trialset.MinDone
}

// carriedShare is what was carried of what was offered, as a fraction; 0 where
// that is not known.
func carriedShare(t record.Trial) float64 {
	if t.Generator != nil && t.Generator.Offered > 0 {
		return float64(t.Generator.Done) / float64(t.Generator.Offered)
	}
	v, _ := t.Value(record.Throughput)
	if sweep.IsBytes(v.Unit) || t.Load.Level <= 0 {
		return 0
	}
	return v.Value / t.Load.Level
}

// sweptPlaces are the cells that are part of a sweep of load.
func sweptPlaces(ramps []loadline.Ramp) map[trialset.Key]bool {
	out := map[trialset.Key]bool{}
	for _, r := range ramps {
		for _, p := range r.Points {
			out[p.At()] = true
		}
	}
	return out
}

// rateLimits note the cells whose throughput is what was offered. In a sweep the loads together say what can be carried.
func rateLimits(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	swept := sweptPlaces(in.Ramps)
	for _, g := range in.Groups {
		if swept[g.Key] || !carriedAll(g.Trials) {
			continue
		}
		for _, f := range finding.Remark(g.Key, note.New("rate-limited")) {
			f.Metric = record.Throughput
			out = append(out, f)
		}
	}
	return out
}

// offer is how the two sides of a cell carried what they were offered, as far as that is known.
type offer struct {
	a, b     bool // this side carried all of it
	swept    bool // the cell is one of several rates
	unloaded unloaded
}

func (j judgement) offerOf(p finding.Pair, m trialset.Matched) offer {
	swept := func(trials []record.Trial) bool { return j.swept[trialset.KeyOf(trials[0], "", nil)] }
	o := offer{a: carriedAll(m.A), b: carriedAll(m.B), swept: swept(m.A) && swept(m.B)}
	if !o.refused() {
		o.unloaded = j.unloadedIn(p, m, sweep.PrimaryMetric(trialset.Valid(m.A)), o.swept)
	}
	return o
}

// refused says whether throughput is no measure of the two sides.
func (o offer) refused() bool { return o.a && o.b && !o.swept || o.unloaded.why != nil }

// deciders are the metrics that get a cell's verdicts, none where nothing decides: the registered one, or
// where that is a rate that is no measure, the latencies that both sides have. The first is the primary one.
func (o offer) deciders(a, b []record.Trial) []string {
	primary := sweep.PrimaryMetric(a)
	switch {
	case !trialset.UndecidedBy(a, b).IsZero() || primary.Name == "":
		return nil
	case !o.refused() || primary.Name != record.Throughput && o.unloaded.why == nil:
		return []string{primary.Name}
	}
	return latenciesOf(a, b)
}

// limit flags a comparison of a rate for what was offered.
func (o offer) limit(c *finding.Comparison, primary string) {
	switch {
	case c.Metric == primary && o.unloaded.why != nil:
		c.Flag("not-capacity", *o.unloaded.why)
	case c.Metric == primary && o.unloaded.hinted != nil:
		c.Flag("perhaps-a-cap", *o.unloaded.hinted)
	case c.Metric != record.Throughput || !o.a && !o.b:
	case o.refused():
		c.Flag("rate-limited-both")
	case o.a && o.b:
		c.Flag("carried-at-this-load")
	case o.swept:
	case o.a:
		c.Flag("rate-limited-a")
	case o.b:
		c.Flag("rate-limited-b")
	}
}
