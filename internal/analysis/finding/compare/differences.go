package compare

import (
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// byDifferences concludes about values that have no logarithm, by ranks and differences
// (docs/derivations.md#zeros-and-counts). It sets a ratio where the interval of one exists: a zero among values over 0
// leaves it, a side of nothing but zeros does not.
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
	c.A, c.B = stat.Mean(c.Ranked.A), stat.Mean(c.Ranked.B) // the difference is of these, and not of geometric means
	if min(c.A, c.B) > 0 && slices.Min(c.Ranked.A) >= 0 && slices.Min(c.Ranked.B) >= 0 {
		setRatio(c)
	}
	if c.N < estimate.MinReplicates || !c.Ranked.Decides() {
		c.Flag("too-few-for-ranks", countEach(*c), figure.PercentText(c.Ranked.Alpha),
			max(stat.FewestRanks(c.Paired, c.Ranked.Alpha), estimate.MinReplicates), c.Each().Many())
		return
	}
	if !trialset.Decidable(metric) {
		return
	}
	verdict := reg.Rule().RankVerdict(c.Ranked)
	if verdict == trialset.Undecided && c.Ranked.P() <= c.Ranked.Alpha && primary {
		c.Flag("means-contradict-ranks")
	}
	if !primary && (verdict != trialset.Different || rated(*c)) {
		return
	}
	if c.Verdict, c.Alpha = verdict, c.Ranked.Alpha; verdict == trialset.Different {
		c.Better = "a"
		if c.Ranked.Rises() == (metric.Better == record.Higher) {
			c.Better = "b"
		}
	}
}

// countEach counts the runs of both sides, or the pairs.
func countEach(c finding.Comparison) string {
	if c.Paired {
		return c.Each().Count(c.N)
	}
	return fmt.Sprintf("%d against %d", len(c.Ranked.A), len(c.Ranked.B))
}

// differenceOf returns the difference of two samples' means, within the hull of its interval by Student's t and that of
// the shift by ranks: neither a rare large value nor a few unstable ones decide alone. It has no interval if there are
// too few values.
func differenceOf(r stat.Ranked) *finding.Difference {
	out := &finding.Difference{Method: "rank-sum", P: r.P(),
		Estimate: estimate.Estimate{Value: stat.Mean(r.B) - stat.Mean(r.A)}}
	if r.Paired {
		out.Method = "signed-rank"
	}
	_, ranks := r.Shift()
	means := r.MeanShift()
	if min(len(r.A), len(r.B)) >= estimate.MinReplicates {
		out.Bounds = figure.Between(min(ranks.Lo, means.Lo), max(ranks.Hi, means.Hi))
	}
	return out
}

// setRatio sets the ratio by ranks, if the change is a finite share. Most values of a count that is rarely over 0 are
// alike: an interval from 0 to 0, next to means that differ, would contradict them.
func setRatio(c *finding.Comparison) {
	share, iv := c.Ranked.Relative()
	alike := iv.Lo == 0 && iv.Hi == 0 && c.A != c.B
	if c.Difference.Bounded() && !alike && figure.IsFinite(share) && figure.IsFinite(iv.HalfWidth()) && iv.Lo > -1 {
		c.SetChange(figure.Between(1+iv.Lo, 1+iv.Hi).Around(1 + share))
	}
}

// flagDisturbedRanks flags a verdict that changes without the disturbed trials.
func flagDisturbedRanks(c *finding.Comparison, s trialset.Sample, reg trialset.Preregistered) {
	disturbed := s.N() - s.Own().Undisturbed().N()
	if disturbed == 0 {
		return
	}
	quiet := s.Undisturbed()
	r := stat.Ranked{A: trialset.ValuesOf(quiet.A, c.Metric), B: trialset.ValuesOf(quiet.B, c.Metric),
		Paired: quiet.Paired,
		Alpha:  c.Ranked.Alpha}
	if quiet.N() < estimate.MinReplicates || !r.Decides() {
		c.Flag("too-few-undisturbed", quiet.N(), s.N(), c.Each().Many())
		return
	}
	if verdict := reg.Rule().RankVerdict(r); verdict != c.Verdict {
		c.Flag("fragile-disturbed", verdict, quiet.N())
	}
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
	u := figure.ScaleFor(figure.UnitOf(c.Counted(), c.Unit), c.A, c.B)
	text, count := levelsText(c), c.Each().Count(c.N)
	if !c.Difference.Bounded() {
		return fmt.Sprintf("%s (no interval, %s)", text, count)
	}
	return fmt.Sprintf("%s (%s: %s to %s, %s)", text, finding.SureLead(c.Confidence), signed(*c.Difference.Lo, u),
		signed(*c.Difference.Hi, u), count)
}

// levelsText returns the values of both sides.
func levelsText(c finding.Comparison) string {
	u := figure.ScaleFor(figure.UnitOf(c.Counted(), c.Unit), c.A, c.B)
	text := fmt.Sprintf("%s to %s", counted(c.A, u), counted(c.B, u))
	if u.Unit != "" && u.Unit != c.Metric {
		text = u.Joined(text)
	}
	return text
}
