package judge

import (
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// perMachine is the basis of a figure as it was measured. Figures per vCPU, core, dollar or watt
// shift the log ratio by a constant of the two machines, and conclude from it anew.
const perMachine = "machine"

// compareMetric concludes about one metric of one cell.
func (j judgement) compareMetric(m matched, metric record.Metric, primary bool) Comparison {
	s := newSample(m.a, m.b, metric.Name)
	reg := registeredFor(s, j.plans)
	c := Comparison{
		Workload: m.place.workload, Params: m.params, Minor: minorOf(m.a[0], j.plans), Load: m.place.load,
		Metric: metric.Name, Primary: primary, Per: perMachine, Unit: metric.Unit, Direction: metric.Better,
		A: average(valuesOf(s.a, metric.Name)), B: average(valuesOf(s.b, metric.Name)),
		N: s.n(), Paired: s.paired, Claim: reg.claim, Flags: []string{},
	}
	j.doubtKinds(&c, m)
	if !s.paired {
		c.flag("unpaired: drift between the sessions is not cancelled")
	}
	r, ok := s.ratio(metric.Name, reg.boundary)
	if !ok {
		c.flag("no ratio: a value is not positive")
		return c
	}
	c.Ratio = math.Exp(r.Mean)
	if s.n() < minReplicates {
		c.flag(fmt.Sprintf("fewer than %d %s: no interval, no verdict", minReplicates, c.each()))
		return c
	}
	c.bound(r.LogRatio)
	c.doubt(s, r)
	if primary && decidable(metric) {
		j.conclude(&c, s, r.LogRatio, reg)
	}
	return c
}

func (c *Comparison) flag(text string) { c.Flags = append(c.Flags, text) }

// each is what n counts.
func (c *Comparison) each() string {
	if c.Paired {
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
		c.flag(fmt.Sprintf("fragile: unstable runs, least stable the pair of replicate %d", s.farthest(c.Metric, r.HL)))
	}
	if c.Metric == record.LatencyP99 {
		c.doubtQuantile(s)
	}
}

// conclude sets the verdict, the winner and the flags that belong to them.
func (j judgement) conclude(c *Comparison, s sample, r stat.LogRatio, reg registered) {
	if j.emulated(s) {
		c.flag("emulated: no verdict")
		return
	}
	c.settle(r, reg)
	c.doubtDisturbed(s, reg)
}

// settle sets the verdict that a log ratio gives.
func (c *Comparison) settle(r stat.LogRatio, reg registered) {
	c.Verdict = decide(r, reg)
	switch {
	case c.Verdict == Different:
		c.Better = winner(r, c.Direction)
	case c.Verdict == Undecided && !equal(r, reg.margin):
		c.flag(fmt.Sprintf("undecided: about %d %s would be needed", needed(r, reg.margin), c.each()))
	}
	if r.Hull.Excludes(0) && equal(r, reg.margin) {
		c.flag(fmt.Sprintf("differs by %+.1f %%, within margin", 100*math.Expm1(r.Mean)))
	}
	if reg.quick && equal(r, reg.margin) {
		c.flag("quick: never EQUIVALENT")
	}
}

// doubtDisturbed asks whether the verdict would be another one without the
// tainted trials.
func (c *Comparison) doubtDisturbed(s sample, reg registered) {
	quiet := s.undisturbed()
	if len(quiet.a) == len(s.a) && len(quiet.b) == len(s.b) {
		return
	}
	r, ok := quiet.ratio(c.Metric, reg.boundary)
	if !ok || quiet.n() < minReplicates {
		c.flag(fmt.Sprintf("disturbed: only %d of %d %s ran undisturbed, too few to check the verdict without the others", quiet.n(), s.n(), c.each()))
		return
	}
	if without := decide(r.LogRatio, reg); without != c.Verdict {
		c.flag(fmt.Sprintf("fragile: verdict depends on disturbed trials: %s without them, n %d", without, quiet.n()))
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
		c.flag(fmt.Sprintf("p99 of %d operations in a trial: at least %d for a margin of 2 %%", fewest, enough))
	}
}
