package compare

import (
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// flagPairs flags doubtful pairs, and trials that may not be replicates.
func flagPairs(c *finding.Comparison, s trialset.Sample, m trialset.Matched) {
	switch {
	case s.Ranked:
		c.Flag("no-order-of-time")
	case s.Apart:
		c.Flag("sides-in-blocks")
	case !s.Paired && trialset.Imported(s.A) && trialset.Imported(s.B):
		c.Flag("import-order")
	case !s.Paired:
		c.Flag("unpaired")
	case trialset.Imported(s.A):
		c.Flag("paired-by-import")
	}
	flagCounts(c, s, m)
	flagTaken(c, s)
	if r, n := repeated(m.A); n > 1 {
		c.Flag("repeated-a", record.RunNumber(r), n)
	}
	if r, n := repeated(m.B); n > 1 {
		c.Flag("repeated-b", record.RunNumber(r), n)
	}
	if a, b := trialset.Common(trialset.Valid(m.A), record.KeyTLS),
		trialset.Common(trialset.Valid(m.B), record.KeyTLS); a != "" && b != "" && a != b {
		c.Flag("unlike-encryption", a, b)
	}
}

// flagTaken flags the metric that decides if other programs took the CPUs that the work waited for. CPU time has no
// waits.
func flagTaken(c *finding.Comparison, s trialset.Sample) {
	if c.Metric == record.CPUTime || c.Metric != trialset.PrimaryOf(s.A) {
		return
	}
	ofA, waitedA := trialset.Taken(s.A)
	ofB, waitedB := trialset.Taken(s.B)
	if waitedA || waitedB {
		c.Flag("cpus-taken", 100*max(ofA, ofB))
		c.FairCPU = max(trialset.FairCPU(s.A), trialset.FairCPU(s.B))
	}
}

// repeated returns the first replicate of a plan's cell with several valid trials on a side, and their number.
func repeated(trials []record.Trial) (replicate, times int) {
	type place struct {
		trialset.Slot
		cell    int
		machine string
	}
	seen := map[place]int{}
	for _, t := range trialset.Measuring(trials) {
		at := place{trialset.SlotOf(t), t.Cell, t.Keys[record.KeyMachine]}
		if seen[at]++; seen[at] > max(times, 1) && t.Plan != "" {
			replicate, times = t.Replicate, seen[at]
		}
	}
	return replicate, times
}

// flagCounts flags trials that are left out of a comparison, and gaps in the numbering of an import.
func flagCounts(c *finding.Comparison, s trialset.Sample, m trialset.Matched) {
	if s.Alone != [2]int{} {
		c.Flag("without-partner", sidesOf(s.Alone))
	}
	if s.Paired || !trialset.Imported(m.A) && !trialset.Imported(m.B) {
		return
	}
	missing := integrity.Missing(integrity.Numbers(m.A), integrity.Numbers(m.B)) +
		integrity.Missing(integrity.Numbers(m.B), integrity.Numbers(m.A))
	if missing > 0 {
		c.Flag("runs-missing", len(s.A), len(s.B), missing)
	}
}

func sidesOf(n [2]int) string {
	switch {
	case n[0] == 0:
		return fmt.Sprintf("%d of the candidate", n[1])
	case n[1] == 0:
		return fmt.Sprintf("%d of the baseline", n[0])
	}
	return fmt.Sprintf("%d of the baseline, %d of the candidate", n[0], n[1])
}

// flagWithin flags the number of trials on both sides without a steady state.
func flagWithin(c *finding.Comparison, sides ...[]record.Trial) {
	var unsettled, lagging, drifting trialset.Tally
	all := 0
	for _, trials := range sides {
		all += len(trials)
		for i := range trials {
			if w := trials[i].Steady; w != nil {
				unsettled.Add(!trialset.Settled(*w), w.Kept)
				lagging.Add(trialset.Late(*w), w.SteadyS)
				drifting.Add(trialset.Drifts(*w), math.Abs(w.Drift))
			}
		}
	}
	if unsettled.N > 0 {
		c.Flag("trials-not-steady", unsettled.N, all)
	}
	if lagging.N > 0 {
		c.Flag("trials-steady-late", lagging.Most, lagging.N, all)
	}
	if drifting.N > 0 {
		c.Flag("trials-drift", 100*drifting.Most, drifting.N, all)
	}
}

// flagValues flags values of the primary metric that contradict each other, and those of clients beside others without
// an answer.
func flagValues(c *finding.Comparison, s trialset.Sample, plans map[string]record.Plan) {
	a, b := trialset.ValuesOf(s.A, c.Metric), trialset.ValuesOf(s.B, c.Metric)
	if len(a) >= estimate.MinReplicates && trialset.Imported(s.A) && s.A[0].Load.Kind != record.Open &&
		slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))) {
		c.Flag("same-values")
	}
	for _, side := range []struct {
		name   string
		trials []record.Trial
	}{{sideA, s.A}, {sideB, s.B}} {
		said := slices.Concat(integrity.PooledImports(side.trials, c.Metric, plans), integrity.Starved(side.trials))
		if !s.Paired {
			said = append(said, integrity.Outlier(side.trials, c.Metric)...)
		}
		said = append(said, integrity.Groups(side.trials, c.Metric)...)
		for _, n := range said {
			c.Flag("of-side", side.name, n)
		}
	}
	if at, away, ok := stat.Outlier(pairsOnly(s, c.Metric), stat.SDFloor); ok &&
		math.Abs(math.Expm1(away)) >= integrity.FarOutlier {
		c.Flag("outlier-pair", record.RunNumber(s.A[at].Replicate), 100*math.Expm1(away))
	}
}

// pairsOnly returns the log ratios of pairs; none if unpaired.
func pairsOnly(s trialset.Sample, metric string) []float64 {
	if !s.Paired {
		return nil
	}
	return s.Differences(metric)
}

// flagOrder flags a ratio whose interval the order of replicates widened; false if that leaves no interval.
func flagOrder(c *finding.Comparison, s trialset.Sample, r stat.LogRatio, rule stat.Rule) bool {
	o := s.OrderOf(c.Metric)
	if o.Why != "" {
		c.Flag("no-level-no-verdict", s.Disorder(o))
		return false
	}
	const much = 1.5
	if o.Widen < much {
		return true
	}
	plain, _ := s.RatioBy(c.Metric, rule.Opts)
	if wider := r.Hull.HalfWidth() / plain.Hull.HalfWidth(); wider >= much {
		c.Flag("resembling-replicates", o.Repeat, wider)
	}
	return true
}

// flagDirection flags a metric that decides and whose better direction nobody stated. A rate that was asked for has
// none.
func flagDirection(c *finding.Comparison, m trialset.Matched, metric record.Metric) {
	if !trialset.Decidable(metric) && metric.Name != record.Throughput && m.A[0].Load.Kind != record.Open {
		if trialset.Imported(m.A) || trialset.Imported(m.B) { // compare has no flag for it, and no run is begun
			c.Flag("direction-unknown-import", metric.Name)
			return
		}
		c.Flag("direction-unknown", metric.Name)
	}
}

// flagSets states the CPUs of each side's server and generator, and flags generators without CPUs of their own, or with
// different numbers of CPUs: their effect on the server then depends on the side.
func flagSets(c *finding.Comparison, m trialset.Matched) {
	c.CPUSetsA, c.CPUSetsB = integrity.CPUSets(trialset.Valid(m.A)), integrity.CPUSets(trialset.Valid(m.B))
	if !c.Primary || c.CPUSetsA == nil || c.CPUSetsB == nil {
		return
	}
	shared := func(sets ...*record.CPUSets) string {
		if slices.ContainsFunc(sets, func(s *record.CPUSets) bool { return s.Work == s.Generator }) {
			return "CPUs"
		}
		return "a physical core" // which CPUs share one is unknown
	}
	switch x, y := c.CPUSetsA.GeneratorCores, c.CPUSetsB.GeneratorCores; {
	case x == 0 && y == 0:
		c.Flag("generators-without-cores", shared(c.CPUSetsA, c.CPUSetsB))
	case x == 0:
		c.Flag("generator-without-cores-a", shared(c.CPUSetsA))
	case y == 0:
		c.Flag("generator-without-cores-b", shared(c.CPUSetsB))
	case x != y:
		c.Flag("unequal-generators", x, y)
	}
}

// weakens reports whether a flag is an objection to its comparison, which does not say as much itself.
func weakens(f note.Note) bool {
	return !slices.Contains([]note.Code{"undecided", "futile", "futile-by-far", "too-few-pairs", "by-ranks",
		"stop-corrected"}, f.Code)
}
