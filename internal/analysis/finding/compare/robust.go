package compare

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// addRobust adds the ratio by ranks beside the mean's, and flags a verdict that the two do not share. Noise below the
// floor is no contradiction: there the floor decides.
func addRobust(c *finding.Comparison, s trialset.Sample, r stat.PairedLogRatio, reg trialset.Preregistered) {
	method, center, iv := finding.MethodSignedRank, r.Mean, r.Hull
	if !s.Paired {
		o := reg.Rule().Opts
		o.Widen = s.OrderOf(c.Metric).Widen
		method = finding.MethodRankSum
		center, iv = stat.ShiftByRanks(stat.Logs(trialset.ValuesOf(s.A, c.Metric)),
			stat.Logs(trialset.ValuesOf(s.B, c.Metric)), o)
	}
	outliers := outliersOf(s, c.Metric)
	if s.N() < stat.MinRanks || math.IsInf(iv.HalfWidth(), 0) || math.IsNaN(center) {
		return
	}
	c.Robust = &finding.Robust{Method: method, Ratio: math.Exp(center),
		Bounds: estimate.BoundsOf(iv.Exp()), Outliers: outliers}
	if c.Verdict == "" {
		return
	}
	c.Robust.Verdict = reg.Rule().Verdict(stat.LogRatio{Mean: center, Hull: iv, N: c.N})
	if c.Robust.Verdict != c.Verdict && s.Sd(c.Metric) >= stat.SDFloor {
		lo, hi := c.Robust.Ends()
		c.Flag("ranks-differ", string(c.Robust.Verdict), figure.Percent(lo), figure.Percent(hi))
	}
}

// methodOf returns how the interval of a ratio was made.
func methodOf(s trialset.Sample, r stat.PairedLogRatio) string {
	switch {
	case r.ByRanks:
		return finding.MethodSignedRank
	case s.Paired:
		return finding.MethodStudent
	}
	return finding.MethodWelch
}

// flagMean states the mean of pairs with outliers, which other tools report, if the ranks give another figure.
func flagMean(c *finding.Comparison, s trialset.Sample, r stat.PairedLogRatio) {
	if !r.ByRanks || c.Robust == nil || len(c.Robust.Outliers) == 0 {
		return
	}
	if mean := figure.Percent(math.Exp(stat.Mean(s.Differences(c.Metric)))); mean != figure.Percent(math.Exp(r.Mean)) {
		c.Flag("mean-moved", mean)
	}
}

// outliersOf returns the outliers among the pairs' ratios, or among the values of each side.
func outliersOf(s trialset.Sample, metric string) []finding.Outlier {
	if s.Paired {
		return outlying("pair", s.A, s.Differences(metric))
	}
	return append(outlying("a", s.A, stat.Logs(trialset.ValuesOf(s.A, metric))),
		outlying("b", s.B, stat.Logs(trialset.ValuesOf(s.B, metric)))...)
}

func outlying(side string, trials []record.Trial, logs []float64) []finding.Outlier {
	out := []finding.Outlier{}
	at, median := stat.Outliers(logs, stat.SDFloor)
	for _, i := range at {
		if ratio := math.Exp(logs[i] - median); math.Abs(ratio-1) >= integrity.FarOutlier {
			out = append(out, finding.Outlier{Side: side, Run: trials[i].Replicate, Ratio: ratio})
		}
	}
	return out
}

// flagOutliers counts and names several outliers, which hide from the test for one.
func flagOutliers(c *finding.Comparison) {
	if c.Robust == nil || len(c.Robust.Outliers) < 2 {
		return
	}
	const named = 5
	var names []string
	for _, o := range c.Robust.Outliers {
		if len(names) == named {
			names = append(names, "and more")
			break
		}
		of := map[string]string{"a": sideA, "b": sideB}[o.Side]
		names = append(names, fmt.Sprintf("run %d of the %s %s", record.RunNumber(o.Run), cmp.Or(of, o.Side),
			figure.Percent(o.Ratio)))
	}
	c.Flag("outliers", len(c.Robust.Outliers), strings.Join(names, ", "))
}

// flagVariation flags a side whose replicates vary as much as show flags it. Of pairs it is their ratios that may not:
// drift that both sides share cancels.
func flagVariation(c *finding.Comparison, s trialset.Sample) {
	if s.Paired {
		if sd := s.Sd(c.Metric); sd > estimate.MaxCV {
			c.Flag("pairs-vary", 100*sd)
		}
		return
	}
	for i, trials := range [][]record.Trial{s.A, s.B} {
		if cv := stat.CV(trialset.ValuesOf(trials, c.Metric)); cv > estimate.MaxCV {
			c.Flag("of-side", [...]string{sideA, sideB}[i], note.New("replicates-vary", 100*cv))
		}
	}
}
