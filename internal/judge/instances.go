package judge

import (
	"fmt"
	"math"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/instances"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// compareTypes concludes about one metric of one cell of two instance types.
func (x comparer) compareTypes(m trialset.Matched, metric record.Metric, primary bool) finding.Comparison {
	l := instances.Launched(m.A, m.B, metric.Name)
	both := trialset.NewSample(m.A, m.B, metric.Name)
	reg := trialset.PreregisteredFor(both, x.in.Plans)
	reg.Boundary = stat.Fixed(reg.Alpha) // looks were over pairs of runs, and nobody stopped launching at one
	c := x.begin(m, metric, primary)
	c.A, c.B = l.A.Average(metric.Name), l.B.Average(metric.Name)
	c.N, c.Paired, c.Claim = l.N(), l.Paired, trialset.ClaimType
	x.flagKinds(&c, m)
	if primary {
		flagWithin(&c, trialset.Having(trialset.Counting(m.A), metric.Name), trialset.Having(trialset.Counting(m.B), metric.Name))
	}
	r, ok := l.Ratio(reg.Rule().Opts)
	if !ok {
		c.Flag("no-ratio", trialset.NotPositive(metric.Name, m.A, m.B))
		return c
	}
	c.Ratio = math.Exp(r.Mean)
	if c.N < estimate.MinReplicates {
		c.Flags = append(c.Flags, tooFewInstances(c.N))
		return c
	}
	c.Bound(r.LogRatio)
	if r.Fragile {
		c.Flag("fragile-instances")
	}
	if primary && trialset.Decidable(metric) {
		c.Repeat = l.Repetition(m, reg)
		x.concludeType(&c, m, r.LogRatio, reg)
	}
	return c
}

// tooFewInstances says why there is no verdict on a type: of one instance each, ten runs
// a side would claim a difference between equal types in 74.5 % of comparisons (METHOD section 1).
func tooFewInstances(n int) note.Note {
	if n == 1 {
		return note.New("one-instance")
	}
	return note.New("too-few-instances", estimate.MinReplicates)
}

// concludeType sets the verdict, and asks whether it would be another one without tainted trials.
func (x comparer) concludeType(c *finding.Comparison, m trialset.Matched, r stat.LogRatio, reg trialset.Preregistered) {
	if x.emulated(trialset.NewSample(m.A, m.B, c.Metric)) {
		c.Flag("emulated-no-verdict")
		return
	}
	c.Settle(r, reg)
	l := instances.Launched(m.A, m.B, c.Metric)
	flagFloor(c, reg, l.SD(), l.Ratio)
	calm, disturbed := undisturbedOf(m, c.Metric)
	if disturbed == 0 {
		return
	}
	rest := instances.Launched(calm.A, calm.B, c.Metric)
	quiet, ok := rest.Ratio(reg.Rule().Opts)
	if !ok || rest.N() < estimate.MinReplicates {
		c.Flag("too-few-undisturbed-instances", rest.N(), c.Each())
		return
	}
	withoutDisturbed(c, quiet.LogRatio, reg, fmt.Sprintf("%d trials", disturbed))
}

// undisturbedOf are the trials of a cell that an estimate rests on without the tainted ones, and how many these are.
func undisturbedOf(m trialset.Matched, metric string) (trialset.Matched, int) {
	m.A, m.B = trialset.Having(trialset.Counting(m.A), metric), trialset.Having(trialset.Counting(m.B), metric)
	calm := m
	quiet := func(t *record.Trial) bool { return !trialset.Tainted(*t) }
	calm.A, calm.B = trialset.Filter(m.A, quiet), trialset.Filter(m.B, quiet)
	return calm, len(m.A) + len(m.B) - len(calm.A) - len(calm.B)
}
