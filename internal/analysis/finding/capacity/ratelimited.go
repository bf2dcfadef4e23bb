// Package capacity tells throughput that is a capacity from throughput that the offered load, a rate or a cap held
// down.
package capacity

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
)

// An open load that was carried says nothing of capacity: its throughput is the rate that was offered, and the answer
// is its latency. In a sweep of rates this is so of each of them; its load line has the capacity.

// carriedAll reports whether trials of an open load carried at least 99% of the rate offered; false if that is
// unknown, as with bytes for operations.
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

// alikeAtRate reports whether two sides did the same at one rate of which it is unknown whether they carried it, to
// within what a carried one may lack: their throughput tells them apart no more than if they had.
func alikeAtRate(a, b []record.Trial) bool {
	a, b = trialset.Having(a, record.Throughput), trialset.Having(b, record.Throughput)
	unknown := func(t record.Trial) bool { return t.Load.Kind == record.Open && carriedShare(t) == 0 }
	if len(a) == 0 || len(b) == 0 || !unknown(a[0]) || !unknown(b[0]) {
		return false
	}
	x, y := estimate.Average(trialset.ValuesOf(a, record.Throughput)),
		estimate.Average(trialset.ValuesOf(b, record.Throughput))
	return x > 0 && min(x, y) >= trialset.MinDone*max(x, y)
}

// carriedShare returns the share of the offered load that was carried, as a fraction; 0 if it is unknown.
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

// sweptPlaces returns the cells that are part of a sweep of load.
func sweptPlaces(ramps []loadline.Ramp) map[trialset.Key]bool {
	out := map[trialset.Key]bool{}
	for _, r := range ramps {
		for _, p := range r.Points {
			out[p.At()] = true
		}
	}
	return out
}

// Analyzers returns the one of cells.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{{Kind: "rate-limited", Run: rateLimits}}
}

// rateLimits notes the cells whose throughput is the rate offered. In a sweep the loads together tell the capacity.
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

// Loads holds the loads of a comparison: which cells were swept, and which rates imports have.
type Loads struct {
	by    string                  // the axis
	swept map[trialset.Key]bool   // the cells of sweeps of load
	rates map[sideLoad][]cellRate // of imports
}

// LoadsOf returns the loads of a comparison along an axis.
func LoadsOf(trials []record.Trial, by string) Loads {
	return Loads{by, sweptPlaces(loadline.RampsOf(trials)), cellRatesOf(trials, by)}
}

// Swept reports whether the cell of some trials is part of a sweep of load.
func (l Loads) Swept(trials []record.Trial) bool { return l.swept[trialset.KeyOf(trials[0], "", nil)] }

// Offer is how the two sides of a cell carried the load offered to them, as far as that is known.
type Offer struct {
	a, b     bool // this side carried all of it
	alike    bool // whether they did is unknown, but their throughput is the same
	swept    bool // the cell is one of several rates
	unloaded unloaded
}

// Of returns the offer of a cell.
func (l Loads) Of(p finding.Pair, m trialset.Matched) Offer {
	o := Offer{a: carriedAll(m.A), b: carriedAll(m.B), alike: alikeAtRate(m.A, m.B),
		swept: l.Swept(m.A) && l.Swept(m.B)}
	if !o.refused() {
		o.unloaded = l.unloadedIn(p, m, sweep.PrimaryMetric(trialset.Valid(m.A)), o.swept)
	}
	return o
}

// refused reports whether throughput is no measure of the two sides.
func (o Offer) refused() bool { return o.a && o.b || o.alike || o.unloaded.why != nil }

// Deciders returns the metrics that get a cell's verdicts, none if nothing decides: the registered one, or, if that is
// a rate that is no measure of capacity, the latencies that both sides have. The first is the primary one.
func (o Offer) Deciders(a, b []record.Trial) []string {
	primary := sweep.PrimaryMetric(a)
	switch {
	case !trialset.UndecidedBy(a, b).IsZero() || primary.Name == "":
		return nil
	case !o.refused() || primary.Name != record.Throughput && o.unloaded.why == nil:
		return []string{primary.Name}
	}
	return latenciesOf(a, b)
}

// Limit flags a comparison of a rate that the offered load limited.
func (o Offer) Limit(c *finding.Comparison, primary string) {
	switch {
	case c.Metric == primary && o.unloaded.why != nil:
		c.Flag("not-capacity", *o.unloaded.why)
	case c.Metric == primary && o.unloaded.hinted != nil:
		c.Flag("perhaps-a-cap", *o.unloaded.hinted)
	case c.Metric != record.Throughput:
	case o.alike:
		c.Flag("alike-at-rate")
	case o.a && o.b && o.swept:
		c.Flag("carried-at-this-load")
	case o.a && o.b:
		c.Flag("rate-limited-both")
	case o.swept:
	case o.a:
		c.Flag("rate-limited-a")
	case o.b:
		c.Flag("rate-limited-b")
	}
}
