package compare

import (
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// byDifferences concludes about values that have no logarithm, by ranks and differences
// (docs/method.md#zeros-counts-and-negative-values). It sets a ratio where the interval of one exists: a zero among
// values over 0 leaves it, a side of nothing but zeros does not.
//
// A metric that does not decide its cell gets a verdict if it differs and has no ratio: what appears where there was
// nothing is no change of so many percent, which a row of the table would show.
func (x comparer) byDifferences(c *finding.Comparison, s trialset.Sample, metric record.Metric, primary bool,
	reg trialset.Preregistered) {
	c.Flag("by-ranks", trialset.NotPositive(metric.Name, s.A, s.B))
	o := s.SignedOrder(metric.Name)
	switch {
	case o.Why != "":
		c.Flag("no-level-no-verdict", s.Disorder(o))
		c.Ranked = stat.Ranked{}
		return
	case x.emulated(s):
		c.Flag("emulated-no-verdict")
		metric.Better = record.Neutral
	}
	if settleByRanks(c, metric, primary, reg); c.Verdict != "" {
		flagDisturbedRanks(c, s, reg)
	}
}

// settleByRanks sets the difference of the values in c.Ranked, the ratio if there is one, and the verdict.
func settleByRanks(c *finding.Comparison, metric record.Metric, primary bool, reg trialset.Preregistered) {
	c.Difference = differenceOf(c.Ranked)
	if min(c.A, c.B) > 0 && slices.Min(c.Ranked.A) >= 0 && slices.Min(c.Ranked.B) >= 0 {
		setRatio(c)
	}
	if c.N < estimate.MinReplicates || !c.Ranked.Decides() {
		c.Flag("too-few-for-ranks", countEach(*c), figure.PercentText(c.Ranked.Alpha),
			max(stat.FewestRanks(c.Paired, c.Ranked.Alpha), estimate.MinReplicates), c.Each())
		return
	}
	if !trialset.Decidable(metric) {
		return
	}
	verdict := verdictByRanks(c.Ranked, reg)
	if verdict == trialset.Undecided && c.Ranked.P() <= c.Ranked.Alpha && primary {
		c.Flag("means-contradict-ranks")
	}
	if !primary && (verdict != trialset.Different || rated(*c)) {
		return
	}
	if c.Verdict, c.Alpha = verdict, c.Ranked.Alpha; verdict == trialset.Different {
		c.Better = "a"
		if rises(c.Ranked) == (metric.Better == record.Higher) {
			c.Better = "b"
		}
	}
}

// countEach counts the runs of both sides, or the pairs.
func countEach(c finding.Comparison) string {
	if c.Paired {
		return fmt.Sprintf("%d %s", c.N, c.Each())
	}
	return fmt.Sprintf("%d against %d", len(c.Ranked.A), len(c.Ranked.B))
}

// differenceOf returns the difference of two samples' means, within the hull of its interval by Student's t and that of
// the shift by ranks: neither a rare large value nor a few unstable ones decide alone. It has no interval if there are
// too few values.
func differenceOf(r stat.Ranked) *finding.Difference {
	out := &finding.Difference{Method: "rank-sum", P: r.P(), Value: stat.Mean(r.B) - stat.Mean(r.A)}
	if r.Paired {
		out.Method = "signed-rank"
	}
	_, ranks := r.Shift()
	means := meanShift(r)
	lo, hi := min(ranks.Lo, means.Lo), max(ranks.Hi, means.Hi)
	if figure.IsFinite(lo) && figure.IsFinite(hi) && min(len(r.A), len(r.B)) >= estimate.MinReplicates {
		out.Lo, out.Hi = &lo, &hi
	}
	return out
}

// setRatio sets the ratio by ranks, if the change is a finite share.
func setRatio(c *finding.Comparison) {
	share, iv := c.Ranked.Relative()
	if c.Difference.Lo != nil && figure.IsFinite(share) && figure.IsFinite(iv.HalfWidth()) && iv.Lo > -1 {
		lo, hi := 1+iv.Lo, 1+iv.Hi
		c.Ratio, c.Lo, c.Hi = 1+share, &lo, &hi
	}
}

// verdictByRanks returns EQUIVALENT if the change of the median and that of the mean lie within the margin: ranks do
// not see how large a rare value is. It returns DIFFERENT by the permutation test, unless the means differ the other
// way.
func verdictByRanks(r stat.Ranked, reg trialset.Preregistered) trialset.Verdict {
	margin := reg.Margin
	_, ranks := r.Relative()
	means := meanShares(r)
	within := func(iv stat.Interval) bool { return iv.Lo >= -margin && iv.Hi <= margin }
	switch {
	case !reg.Quick && within(ranks) && within(means):
		return trialset.Equivalent
	case r.P() <= r.Alpha && (stat.Mean(r.B) > stat.Mean(r.A)) == rises(r):
		return trialset.Different
	}
	return trialset.Undecided
}

// rises reports whether the values of b lie above those of a by ranks.
func rises(r stat.Ranked) bool {
	below, above := r.Beyond(stat.By(0))
	return above < below
}

// meanShift returns the interval of the difference of the means, by Student's t.
func meanShift(r stat.Ranked) stat.Interval {
	return stat.DifferenceOf(r.A, r.B, r.Paired, 0).Interval(r.Alpha)
}

// meanShares returns meanShift as a share of the size of a's mean.
func meanShares(r stat.Ranked) stat.Interval {
	iv, size := meanShift(r), math.Abs(stat.Mean(r.A))
	share := func(v float64) float64 {
		if v == 0 {
			return 0
		}
		return v / size
	}
	return stat.Interval{Lo: share(iv.Lo), Hi: share(iv.Hi)}
}

// flagDisturbedRanks flags a verdict that changes without the disturbed trials.
func flagDisturbedRanks(c *finding.Comparison, s trialset.Sample, reg trialset.Preregistered) {
	disturbed := s.N() - s.Own().Undisturbed().N()
	if disturbed == 0 {
		return
	}
	quiet := s.Undisturbed()
	r := rankedOf(quiet, c.Metric, c.Ranked.Alpha)
	if quiet.N() < estimate.MinReplicates || !r.Decides() {
		c.Flag("too-few-undisturbed", quiet.N(), s.N(), c.Each())
		return
	}
	if verdict := verdictByRanks(r, reg); verdict != c.Verdict {
		c.Flag("fragile-disturbed", verdict, quiet.N())
	}
}

// rankedOf returns the values of a sample for tests by ranks.
func rankedOf(s trialset.Sample, metric string, alpha float64) stat.Ranked {
	return stat.Ranked{A: trialset.ValuesOf(s.A, metric), B: trialset.ValuesOf(s.B, metric), Paired: s.Paired,
		Alpha: alpha}
}

// appeared reports whether a comparison has a difference, and no ratio that could be shown as a change in percent.
func appeared(c finding.Comparison) bool { return c.Difference != nil && !rated(c) }

// onOneSide reports whether one side is 0 in all runs and the other is not.
func onOneSide(c finding.Comparison) bool {
	zero := func(x []float64) bool { return !slices.ContainsFunc(x, func(v float64) bool { return v != 0 }) }
	return zero(c.Ranked.A) != zero(c.Ranked.B)
}

// apart reports whether each value of one side lies above all of the other.
func apart(c finding.Comparison) bool {
	a, b := c.Ranked.A, c.Ranked.B
	return min(len(a), len(b)) > 0 && (slices.Max(a) < slices.Min(b) || slices.Max(b) < slices.Min(a))
}

// counted formats a figure, whole ones as counts.
func counted(v float64, u figure.Scale) string {
	const (
		most     = 1e6
		rounding = 1e-9 // of a mean of logs
	)
	if of := v / u.Factor; math.Abs(of-math.Round(of)) < rounding*math.Abs(of) && math.Abs(of) < most || of == 0 {
		return figure.Fixed(of, 0)
	}
	return u.Number(v, figure.Digits)
}

// signed formats a difference with its sign.
func signed(v float64, u figure.Scale) string {
	text := counted(v, u)
	if v > 0 {
		return "+" + text
	}
	return text
}

// differenceText states both sides' values, the difference, and how sure it is.
func differenceText(c finding.Comparison) string {
	u := figure.ScaleFor(figure.UnitOf(c.Workload, c.Unit), c.A, c.B)
	text := fmt.Sprintf("%s to %s", counted(c.A, u), counted(c.B, u))
	if u.Unit != "" && u.Unit != c.Metric {
		text += " " + u.Unit
	}
	count := figure.Count(c.N, each(c))
	if c.Difference.Lo == nil {
		return fmt.Sprintf("%s (no interval, %s)", text, count)
	}
	return fmt.Sprintf("%s (95 %%: %s to %s, %s)", text, signed(*c.Difference.Lo, u), signed(*c.Difference.Hi, u), count)
}
