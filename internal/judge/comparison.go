package judge

import (
	"math"
	"slices"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// perMachine is the basis of a figure as it was measured. Figures per vCPU, core, dollar or watt
// shift the log ratio by a constant of the two machines, and conclude from it anew.
const perMachine = "machine"

// begin is a comparison of one metric of one cell without its figures.
func (j judgement) begin(m matched, metric record.Metric, primary bool) Comparison {
	return Comparison{
		Workload: m.place.workload, Params: m.params, Minor: minorOf(m.a[0], j.plans), Load: m.place.load,
		Metric: metric.Name, Primary: primary, Per: perMachine, Unit: metric.Unit, Direction: metric.Better,
		Ratio: math.NaN(), Claim: claimMachine, Flags: []note.Note{},
	}
}

// compareMetric concludes about one metric of one cell.
func (j judgement) compareMetric(m matched, metric record.Metric, primary bool, seen looked) Comparison {
	s := j.sampleOf(m, metric.Name, seen)
	reg := registeredFor(s, j.plans)
	c := j.begin(m, metric, primary)
	c.A, c.B = Average(valuesOf(s.a, metric.Name)), Average(valuesOf(s.b, metric.Name))
	c.N, c.Paired = s.n(), s.paired
	j.doubtKinds(&c, m)
	c.doubtSets(m)
	c.doubtPairs(s, m)
	if primary {
		c.doubtWithin(s.a, s.b)
		c.doubtValues(s, j.plans)
	}
	r, ok := s.ratio(metric.Name, reg.rule().Opts)
	if !ok {
		c.flag("no-ratio", notPositive(metric.Name, s.a, s.b))
		return c
	}
	c.Ratio = math.Exp(r.Mean)
	if s.n() < MinReplicates {
		c.flag("too-few-pairs", MinReplicates, c.each())
		return c
	}
	if !c.doubtOrder(s, r.LogRatio, reg.rule()) {
		return c
	}
	if !seen.none() {
		c.bound(r.LogRatio)
		c.doubt(s, r)
		if primary && decidable(metric) {
			j.conclude(&c, s, r.LogRatio, reg)
		}
	}
	c.doubtLooks(seen, reg)
	return c
}

func (c *Comparison) flag(code note.Code, args ...any) {
	c.Flags = append(c.Flags, note.New(code, args...))
}

// each is what n counts.
func (c *Comparison) each() string {
	switch {
	case c.Claim == claimType && c.Paired:
		return "pairs of instances"
	case c.Claim == claimType:
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
func (c *Comparison) doubt(s sample, r stat.PairedLogRatio) {
	if r.Fragile {
		c.flag("fragile-pairs", s.farthest(c.Metric, r.HL))
	}
	if c.Metric == record.LatencyP99 {
		c.doubtQuantile(s)
	}
}

// conclude sets the verdict, the winner and the flags that belong to them.
func (j judgement) conclude(c *Comparison, s sample, r stat.LogRatio, reg registered) {
	if j.emulated(s) {
		c.flag("emulated-no-verdict")
		return
	}
	c.settle(r, reg)
	c.doubtFloor(reg, s.sd(c.Metric), func(o stat.Opts) (stat.PairedLogRatio, bool) { return s.ratio(c.Metric, o) })
	c.doubtDisturbed(s, reg)
}

// settle sets the verdict that a log ratio gives.
func (c *Comparison) settle(r stat.LogRatio, reg registered) {
	c.Verdict, c.Alpha = reg.rule().Verdict(r), reg.alpha
	switch {
	case c.Verdict == Different:
		c.Better = winner(r, c.Direction)
	case c.Verdict == Undecided && !reg.within(r):
		if n := stat.Needed(r, reg.rule().Margin); n > 0 {
			c.flag("undecided", n, c.each())
		}
	}
	if r.Hull.Excludes(0) && reg.within(r) {
		c.flag("within-margin", 100*math.Expm1(r.Mean))
	}
	if reg.quick && reg.within(r) {
		c.flag("quick")
	}
}

// doubtQuantile flags a p99 from too few operations, where their number is
// known: 1,000 leave a standard error of 6.8 % (METHOD, amendment "Quantiles").
func (c *Comparison) doubtQuantile(s sample) {
	const enough = 10_000
	fewest := int64(math.MaxInt64)
	for _, t := range slices.Concat(s.a, s.b) {
		if t.Generator != nil {
			fewest = min(fewest, t.Generator.Done)
		}
	}
	if fewest < enough {
		c.flag("few-operations-compared", fewest, enough)
	}
}

// ratio returns the ratio of b to a as an estimate.
func (c Comparison) ratio() Estimate { return Estimate{c.Ratio, c.Lo, c.Hi} }

func (c *Comparison) setRatio(r Estimate) { c.Ratio, c.Lo, c.Hi = r.Value, r.Lo, r.Hi }
