package compare

import (
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// begin returns a comparison of one metric of one cell without its figures.
func (x comparer) begin(m trialset.Matched, metric record.Metric, primary bool) finding.Comparison {
	return finding.Comparison{
		Workload: m.Place.Workload, Params: m.Params, Wording: x.in.Wordings.Between(m), Load: m.Place.Load,
		Open:   m.A[0].Load.Kind == record.Open,
		Metric: metric.Name, Primary: primary, Per: finding.PerMachine, Unit: metric.Unit, Direction: metric.Better,
		Ratio: math.NaN(), Claim: trialset.ClaimMachine, Flags: []note.Note{},
	}
}

// constant reports whether a latency is the same in all runs of both sides.
func constant(m record.Metric, values []float64) bool {
	return strings.HasPrefix(m.Name, record.Latency) && len(values) > 2 &&
		!slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// compareMetric concludes about one metric of one cell.
func (x comparer) compareMetric(m trialset.Matched, metric record.Metric, primary bool,
	seen sequential.Cut) finding.Comparison {
	s := seen.Of(trialset.NewSample(m.A, m.B, metric.Name))
	reg := trialset.PreregisteredFor(s, x.in.Plans)
	c := x.begin(m, metric, primary)
	c.A, c.B = estimate.Average(trialset.ValuesOf(s.A, metric.Name)), estimate.Average(trialset.ValuesOf(s.B, metric.Name))
	c.N, c.Paired = s.N(), s.Paired
	c.Confidence = reg.Confidence()
	c.Constant = !primary && constant(metric, slices.Concat(trialset.ValuesOf(s.A, metric.Name),
		trialset.ValuesOf(s.B, metric.Name)))
	x.flagKinds(&c, m)
	flagSets(&c, m)
	flagPairs(&c, s, m)
	if primary {
		flagWithin(&c, s.A, s.B)
		flagValues(&c, s, x.in.Plans)
	}
	r, ok := s.Ratio(metric.Name, reg.Rule().Opts)
	if !seen.None() {
		c.Ranked = reg.Rule().Ranked(trialset.ValuesOf(s.A, metric.Name), trialset.ValuesOf(s.B, metric.Name), s.Paired,
			s.SignedOrder(metric.Name).Widen)
	}
	if primary {
		flagDirection(&c, m, metric)
	}
	switch {
	case ok:
	case s.N() == 0 || seen.None():
		c.Flag("no-ratio", trialset.NotPositive(metric.Name, s.A, s.B))
		flagInterim(&c, seen, reg)
		return c
	default:
		x.byDifferences(&c, s, metric, primary, reg)
		flagInterim(&c, seen, reg)
		return c
	}
	c.Ratio = math.Exp(r.Mean)
	lean := seen.Lean(s, metric.Name)
	if lean != 0 {
		mean := c.Ratio
		c.MeanRatio = &mean
		r.LogRatio = r.Leaning(lean)
		c.Ratio = math.Exp(r.Mean)
	}
	if x.byMoments(&c, s, metric, reg) {
		return c
	}
	if s.N() < estimate.MinReplicates {
		c.Flag("too-few-pairs", estimate.MinReplicates, c.Each().Many())
		return c
	}
	if !flagOrder(&c, s, r.LogRatio, reg.Rule()) {
		c.Ranked = stat.Ranked{}
		return c
	}
	if !seen.None() {
		c.Bound(r.LogRatio)
		c.Method = methodOf(s, r)
		if metric.Name == record.LatencyP99 {
			flagQuantile(&c, s)
		}
		if primary && trialset.Decidable(metric) {
			x.conclude(&c, s, r.LogRatio, reg, lean)
		}
		addRobust(&c, s, r, reg)
		if primary {
			flagOutliers(&c)
			flagMean(&c, s, r)
			flagVariation(&c, s)
			flagCorrected(&c)
		}
	}
	flagInterim(&c, seen, reg)
	return c
}

// conclude sets the verdict, the winner and the flags that belong to them. lean is what corrected the ratio for the
// stop.
func (x comparer) conclude(c *finding.Comparison, s trialset.Sample, r stat.LogRatio, reg trialset.Preregistered,
	lean float64) {
	if x.emulated(s) {
		c.Flag("emulated-no-verdict")
		return
	}
	c.Settle(r, reg)
	flagFloor(c, reg, s.Sd(c.Metric), func(o stat.Opts) (stat.PairedLogRatio, bool) { return s.Ratio(c.Metric, o) })
	flagDisturbed(c, s, reg, lean)
}

// flagQuantile flags a p99 from too few operations, if their number is known: 1,000 leave a standard error of 6.8%
// (docs/derivations.md#quantiles).
func flagQuantile(c *finding.Comparison, s trialset.Sample) {
	const enough = 10_000
	fewest := int64(math.MaxInt64)
	for _, t := range slices.Concat(s.A, s.B) {
		if t.Generator != nil {
			fewest = min(fewest, t.Generator.Done)
		}
	}
	if fewest < enough {
		c.Flag("few-operations-compared", fewest, enough)
	}
}

// byMoments concludes from means with standard deviations that files state instead of runs; false if none does. The
// scatter of parts of one run gives an interval, but no verdict: it leaves out how runs differ.
func (x comparer) byMoments(c *finding.Comparison, s trialset.Sample, metric record.Metric,
	reg trialset.Preregistered) bool {
	a, b, within, ok := s.Summarized(metric.Name)
	few := func(m stat.Moments) bool { return m.N < estimate.MinReplicates && !m.Known }
	if !ok || few(a) || few(b) {
		return false
	}
	r := stat.MomentsRatio(a, b, reg.Rule().Opts)
	if math.IsNaN(r.Hull.HalfWidth()) || math.IsInf(r.Hull.HalfWidth(), 0) {
		return false
	}
	c.N, c.Paired = r.N, false
	c.Bound(r)
	switch {
	case a.Known || b.Known:
		c.Flag("moments-read")
	case within:
		c.Flag("moments-within", a.N, b.N)
	default:
		c.Flag("moments-compared", a.N, b.N)
		if c.Primary && trialset.Decidable(metric) && !x.emulated(s) {
			c.Settle(r, reg)
		}
	}
	return true
}
