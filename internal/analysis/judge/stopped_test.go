package judge

import (
	"math"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// stopping is the plan of sessions that may end after these numbers of pairs; of none if there are none.
func stopping(looks ...int) map[string]record.Plan {
	p := record.Plan{Alpha: .05, Margin: .02, Replicates: 30, Claim: trialset.ClaimMachine}
	if looks != nil {
		p.Stop = &record.Stop{Looks: looks, Alone: 5, Futile: stat.FutileBelow}
	}
	return map[string]record.Plan{"p1": p}
}

func allLooks(t *testing.T) []int {
	t.Helper()
	b, err := stat.Repeated(.05, stat.UsualPairs)
	if err != nil {
		t.Fatal(err)
	}
	return b.Looks
}

// pairsOf are the trials of pairs with these log ratios, which states a latency that falls as throughput rises, and the
// clock, which has nothing to do with either.
func pairsOf(d []float64) []record.Trial {
	var out []record.Trial
	for i, v := range d {
		clock := 3e9 * (1 + .001*float64(i%3))
		out = append(out,
			trial("m1", i, 1e9, cellNo(0), measured("latency_p50", "s", record.Lower, 1e-3),
				measured("clock", "Hz", record.Higher, 3e9)),
			trial("m2", i, 1e9*math.Exp(v), cellNo(1), measured("latency_p50", "s", record.Lower, 1e-3*math.Exp(-v/2)),
				measured("clock", "Hz", record.Higher, clock)))
	}
	return out
}

// noisy are log ratios around 3% that end a session early, under noise of 4%.
func noisy() []float64 {
	return []float64{.09, -.01, .06, .02, .08, .00, .05, .03, .07, .02, .04, .06, .01, .03, .02}
}

func comparedOf(t *testing.T, trials []record.Trial, plans map[string]record.Plan) map[string]finding.Comparison {
	t.Helper()
	var lines []record.PlanLine
	for hash, p := range plans {
		lines = append(lines, record.PlanLine{Hash: hash, Plan: p})
	}
	c, err := Compare(trials, nil, lines, Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]finding.Comparison{}
	for _, v := range c.Pairs[0].Verdicts {
		if v.Per == finding.PerMachine {
			out[v.Metric] = v
		}
	}
	return out
}

// pseudoMedian is the Hodges-Lehmann estimate of 8 values and more.
func pseudoMedian(d []float64) float64 {
	return stat.PairedRatio(d, stat.Opts{Boundary: stat.Fixed(.05)}).Mean
}

// TestEstimateIsCorrectedForItsStop: of the primary metric by its rule, of others as far as they go along with it, and
// within the interval; not if the number of pairs was fixed.
func TestEstimateIsCorrectedForItsStop(t *testing.T) {
	d := noisy()
	looks := allLooks(t)
	got := comparedOf(t, pairsOf(d), stopping(looks...))
	c := got[record.Throughput]
	if c.Verdict != trialset.Different || c.N >= len(d) || c.MeanRatio == nil {
		t.Fatalf("%+v", c)
	}
	mean := pseudoMedian(d[:c.N])
	lean := math.Log(c.Ratio) - mean
	if math.Abs(math.Log(*c.MeanRatio)-mean) > 1e-12 || !(lean < -.0005 && lean > -.01) ||
		!(*c.Lo < c.Ratio && c.Ratio < *c.Hi) {
		t.Errorf("estimate %v, mean %v of %v, interval %v to %v", c.Ratio, *c.MeanRatio, math.Exp(mean), *c.Lo, *c.Hi)
	}
	if !slices.ContainsFunc(c.Flags, func(n note.Note) bool { return n.Code == "stop-corrected" }) {
		t.Errorf("nothing says that the estimate is corrected: %v", c.Flags)
	}
	if l := got["latency_p50"]; math.Abs(math.Log(l.Ratio)-(-mean/2-lean/2)) > 1e-9 {
		t.Errorf("latency: %v, want half of the correction the other way, %v", math.Log(l.Ratio), -mean/2-lean/2)
	}
	if l := got["clock"]; math.Abs(math.Log(l.Ratio)-math.Log(*l.MeanRatio)) > math.Abs(lean)/20 {
		t.Errorf("the clock, which does not go along, is corrected from %v to %v", *l.MeanRatio, l.Ratio)
	}
	longer := comparedOf(t, pairsOf(append(slices.Clone(d), .5, .5, .5)), stopping(looks...))[record.Throughput]
	if longer.Ratio != c.Ratio || longer.N != c.N {
		t.Errorf("pairs after the stop change the estimate from %v to %v", c.Ratio, longer.Ratio)
	}
	fixed := comparedOf(t, pairsOf(d[:c.N]), stopping())[record.Throughput]
	if fixed.MeanRatio != nil || math.Abs(math.Log(fixed.Ratio)-mean) > 1e-12 {
		t.Errorf("a fixed number of pairs is corrected: %v, mean %v", math.Log(fixed.Ratio), mean)
	}
}

// TestExtraPairsAreNotCorrected: they came after the stop, and so are not selected by it.
func TestExtraPairsAreNotCorrected(t *testing.T) {
	d := noisy()
	plans := stopping(allLooks(t)...)
	trials := pairsOf(d)
	c := comparedOf(t, trials, plans)[record.Throughput]
	lean, disturbed := math.Log(c.Ratio)-pseudoMedian(d[:c.N]), 2
	trials = trials[:2*c.N]
	for i := range 2 * disturbed {
		steal(50)(&trials[i])
	}
	const extra = .04 // of both
	for i := range disturbed {
		more := pairsOf([]float64{extra})
		for k := range more {
			more[k].Extra, more[k].Replicate = true, 30+i
		}
		trials = append(trials, more...)
	}
	got := comparedOf(t, trials, plans)[record.Throughput].Undisturbed
	if got == nil || got.N != c.N {
		t.Fatalf("%+v", got)
	}
	own := float64(c.N - disturbed)
	want := pseudoMedian(append(slices.Clone(d[disturbed:c.N]), extra, extra)) + lean*own/float64(c.N)
	if math.Abs(math.Log(got.Ratio)-want) > 1e-9 {
		t.Errorf("undisturbed: %v, want %v", math.Log(got.Ratio), want)
	}
}

// TestFutileSessionSaysWhatWouldDecide: it ends before its last analysis, and with it the other number of pairs that
// would be needed.
func TestFutileSessionSaysWhatWouldDecide(t *testing.T) {
	d := make([]float64, 30)
	for i := range d {
		d[i] = .02 * float64(1-2*(i%2)) * float64(1+i%5)
	}
	c := comparedOf(t, pairsOf(d), stopping(allLooks(t)...))[record.Throughput]
	var codes []note.Code
	for _, f := range c.Flags {
		codes = append(codes, f.Code)
	}
	if c.Verdict != trialset.Undecided || c.N != 12 || !slices.Contains(codes, "futile") ||
		slices.Contains(codes, "undecided") {
		t.Errorf("%s after %d: %v", c.Verdict, c.N, codes)
	}
	before := stopping(allLooks(t)...)
	p := before["p1"]
	p.Stop.Futile = 0
	if c := comparedOf(t, pairsOf(d), before)[record.Throughput]; c.N != 30 {
		t.Errorf("a plan that registered no futility is analysed after %d pairs", c.N)
	}
}

// TestOverallIsCorrectedForTheStops: of two cells with the same pairs, the mean is that of each.
func TestOverallIsCorrectedForTheStops(t *testing.T) {
	trials := pairsOf(noisy())
	for _, other := range pairsOf(noisy()) {
		key(record.KeyWorkload, "hash")(&other)
		other.Group, other.Cell, other.ID = 1, other.Cell+2, other.ID+"h"
		trials = append(trials, other)
	}
	var lines []record.PlanLine
	for hash, p := range stopping(allLooks(t)...) {
		lines = append(lines, record.PlanLine{Hash: hash, Plan: p})
	}
	got, err := Compare(trials, nil, lines, Options{})
	if err != nil {
		t.Fatal(err)
	}
	overall := compare.KindOverall.All(got.Pairs[0])
	if len(overall) == 0 || overall[0].Ratio == nil || overall[0].Cells != 2 {
		t.Fatalf("%+v", overall)
	}
	cell := got.Pairs[0].Verdicts[0]
	if math.Abs(*overall[0].Ratio-cell.Ratio) > 1e-9 || cell.Ratio == *cell.MeanRatio {
		t.Errorf("overall %v, each cell %v (mean %v)", *overall[0].Ratio, cell.Ratio, *cell.MeanRatio)
	}
}

// TestUndecidedSoFarIsEstimatedAsFarAsItCame: broken off, a session has not been selected by later analyses.
func TestUndecidedSoFarIsEstimatedAsFarAsItCame(t *testing.T) {
	d := []float64{.05, -.03, .06, -.02, .04}
	plans := stopping(allLooks(t)...)
	first := comparedOf(t, pairsOf(d), plans)[record.Throughput]
	if first.Verdict != trialset.Undecided || first.MeanRatio != nil {
		t.Errorf("at the first analysis: %s, mean %v, estimate %v", first.Verdict, first.MeanRatio, first.Ratio)
	}
	second := comparedOf(t, pairsOf(append(d, .05)), plans)[record.Throughput]
	if second.Verdict != trialset.Undecided || second.MeanRatio == nil || second.Ratio == *second.MeanRatio {
		t.Errorf("at the second: %+v", second)
	}
}
