package stat

import (
	"cmp"
	"math"
)

// Ranked returns two samples for tests by ranks at the boundary's error rate: smaller by as much as an interval would
// be widened, by a factor or, of pairs and with Inflate, by the autocorrelation of their signs. The signed ranks are
// tested given the sizes of the differences, so that nothing but the signs has to be independent.
func (o Opts) Ranked(a, b []float64, paired bool, widen float64) Ranked {
	if paired && o.Inflate {
		widen = max(widen, inflation(signs(pairwise(a, b))))
	}
	return Ranked{A: a, B: b, Paired: paired, Alpha: Widened(o.Boundary.Rate, widen)}
}

func signs(d []float64) []float64 {
	out := make([]float64, len(d))
	for i, v := range d {
		out[i] = float64(cmp.Compare(v, 0))
	}
	return out
}

// RankVerdict returns EQUIVALENT if the change of the median and that of the mean lie within the margin: ranks do not
// see how large a rare value is. It returns DIFFERENT by the permutation test, unless the means differ the other way.
// Pairs of interim analyses are read from MinRanks on, for which the boundary's rate was found. It is never GoOn.
func (r Rule) RankVerdict(x Ranked) Verdict {
	if x.Paired && r.Boundary.Looks != nil && len(x.A) < MinRanks {
		return Undecided
	}
	margin := math.Expm1(r.Margin)
	_, ranks := x.Relative()
	means := x.MeanShares()
	within := func(iv Interval) bool { return iv.Lo >= -margin && iv.Hi <= margin }
	switch {
	case !r.Quick && within(ranks) && within(means):
		return Equivalent
	case x.P() <= x.Alpha && (Mean(x.B) > Mean(x.A)) == x.Rises():
		return Different
	}
	return Undecided
}

// Rises reports whether the values of b lie above those of a by ranks.
func (r Ranked) Rises() bool {
	below, above := r.Beyond(By(0))
	return above < below
}

// MeanShift returns the interval of the difference of the means, by Student's t.
func (r Ranked) MeanShift() Interval { return DifferenceOf(r.A, r.B, r.Paired, 0).Interval(r.Alpha) }

// MeanShares returns MeanShift as a share of the size of a's mean.
func (r Ranked) MeanShares() Interval {
	iv, size := r.MeanShift(), math.Abs(Mean(r.A))
	share := func(v float64) float64 {
		if v == 0 {
			return 0
		}
		return v / size
	}
	return Interval{share(iv.Lo), share(iv.Hi)}
}
