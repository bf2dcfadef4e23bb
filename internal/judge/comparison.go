package judge

import (
	"math"
	"slices"

	"plimsoll/internal/estimate"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/sequential"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// perMachine is the basis of a figure as it was measured. Figures per vCPU, core, dollar or watt
// shift the log ratio by a constant of the two machines, and conclude from it anew.
const perMachine = "machine"

// begin is a comparison of one metric of one cell without its figures.
func (j judgement) begin(m matched, metric record.Metric, primary bool) Comparison {
	return Comparison{
		Workload: m.place.Workload, Params: m.params, Minor: trialset.MinorOf(m.a[0], j.plans), Load: m.place.Load,
		Metric: metric.Name, Primary: primary, Per: perMachine, Unit: metric.Unit, Direction: metric.Better,
		Ratio: math.NaN(), Claim: trialset.ClaimMachine, Flags: []note.Note{},
	}
}

// compareMetric concludes about one metric of one cell.
func (j judgement) compareMetric(m matched, metric record.Metric, primary bool, seen sequential.Cut) Comparison {
	s := j.sampleOf(m, metric.Name, seen)
	reg := trialset.PreregisteredFor(s, j.plans)
	c := j.begin(m, metric, primary)
	c.A, c.B = estimate.Average(trialset.ValuesOf(s.A, metric.Name)), estimate.Average(trialset.ValuesOf(s.B, metric.Name))
	c.N, c.Paired = s.N(), s.Paired
	j.doubtKinds(&c, m)
	doubtSets(&c, m)
	doubtPairs(&c, s, m)
	if primary {
		doubtWithin(&c, s.A, s.B)
		doubtValues(&c, s, j.plans)
	}
	r, ok := s.Ratio(metric.Name, reg.Rule().Opts)
	if !ok {
		c.flag("no-ratio", trialset.NotPositive(metric.Name, s.A, s.B))
		return c
	}
	c.Ratio = math.Exp(r.Mean)
	if s.N() < estimate.MinReplicates {
		c.flag("too-few-pairs", estimate.MinReplicates, c.each())
		return c
	}
	if !doubtOrder(&c, s, r.LogRatio, reg.Rule()) {
		return c
	}
	if !seen.None() {
		c.bound(r.LogRatio)
		doubtInterval(&c, s, r)
		if primary && trialset.Decidable(metric) {
			j.conclude(&c, s, r.LogRatio, reg)
		}
	}
	doubtLooks(&c, seen, reg)
	return c
}

func (c *Comparison) flag(code note.Code, args ...any) {
	c.Flags = append(c.Flags, note.New(code, args...))
}

// each is what n counts.
func (c *Comparison) each() string {
	switch {
	case c.Claim == trialset.ClaimType && c.Paired:
		return "pairs of instances"
	case c.Claim == trialset.ClaimType:
		return "instances a side"
	case c.Paired:
		return "pairs"
	}
	return "trials a side"
}

func (c *Comparison) bound(r stat.LogRatio) {
	lo, hi := math.Exp(r.Hull.Lo), math.Exp(r.Hull.Hi)
	c.Lo, c.Hi = &lo, &hi
}

// doubt flags what makes the interval itself doubtful.
func doubtInterval(c *Comparison, s trialset.Sample, r stat.PairedLogRatio) {
	if r.Fragile {
		c.flag("fragile-pairs", s.Farthest(c.Metric, r.HL))
	}
	if c.Metric == record.LatencyP99 {
		doubtQuantile(c, s)
	}
}

// conclude sets the verdict, the winner and the flags that belong to them.
func (j judgement) conclude(c *Comparison, s trialset.Sample, r stat.LogRatio, reg trialset.Preregistered) {
	if j.emulated(s) {
		c.flag("emulated-no-verdict")
		return
	}
	c.settle(r, reg)
	doubtFloor(c, reg, s.Sd(c.Metric), func(o stat.Opts) (stat.PairedLogRatio, bool) { return s.Ratio(c.Metric, o) })
	doubtDisturbed(c, s, reg)
}

// settle sets the verdict that a log ratio gives.
func (c *Comparison) settle(r stat.LogRatio, reg trialset.Preregistered) {
	c.Verdict, c.Alpha = reg.Rule().Verdict(r), reg.Alpha
	switch {
	case c.Verdict == trialset.Different:
		c.Better = trialset.Winner(r, c.Direction)
	case c.Verdict == trialset.Undecided && !reg.Within(r):
		if n := stat.Needed(r, reg.Rule().Margin); n > 0 {
			c.flag("undecided", n, c.each())
		}
	}
	if r.Hull.Excludes(0) && reg.Within(r) {
		c.flag("within-margin", 100*math.Expm1(r.Mean))
	}
	if reg.Quick && reg.Within(r) {
		c.flag("quick")
	}
}

// doubtQuantile flags a p99 from too few operations, where their number is
// known: 1,000 leave a standard error of 6.8 % (METHOD, amendment "Quantiles").
func doubtQuantile(c *Comparison, s trialset.Sample) {
	const enough = 10_000
	fewest := int64(math.MaxInt64)
	for _, t := range slices.Concat(s.A, s.B) {
		if t.Generator != nil {
			fewest = min(fewest, t.Generator.Done)
		}
	}
	if fewest < enough {
		c.flag("few-operations-compared", fewest, enough)
	}
}

// ratio returns the ratio of b to a as an estimate.
func (c Comparison) ratio() estimate.Estimate {
	return estimate.Estimate{Value: c.Ratio, Lo: c.Lo, Hi: c.Hi}
}

func (c *Comparison) setRatio(r estimate.Estimate) { c.Ratio, c.Lo, c.Hi = r.Value, r.Lo, r.Hi }
