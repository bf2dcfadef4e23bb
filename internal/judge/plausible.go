package judge

import (
	"math"
	"slices"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/integrity"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// flagValues flags what the values of the two sides of the primary metric say against themselves.
func flagValues(c *finding.Comparison, s trialset.Sample, plans map[string]record.Plan) {
	a, b := trialset.ValuesOf(s.A, c.Metric), trialset.ValuesOf(s.B, c.Metric)
	if len(a) >= estimate.MinReplicates && trialset.Imported(s.A) && s.A[0].Load.Kind != record.Open && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))) {
		c.Flag("same-values")
	}
	for _, side := range []struct {
		name   string
		trials []record.Trial
	}{{"a", s.A}, {"b", s.B}} {
		said := integrity.PooledImports(side.trials, c.Metric, plans)
		if !s.Paired {
			said = append(said, integrity.Outlier(side.trials, c.Metric)...)
		}
		for _, n := range said {
			c.Flag("of-side", side.name, n)
		}
	}
	if at, away, ok := stat.Outlier(pairsOnly(s, c.Metric), stat.SDFloor); ok && math.Abs(math.Expm1(away)) >= integrity.FarOutlier {
		c.Flag("outlier-pair", s.A[at].Replicate, 100*math.Expm1(away))
	}
}

// pairsOnly are the log ratios of pairs; none where there are no pairs.
func pairsOnly(s trialset.Sample, metric string) []float64 {
	if !s.Paired {
		return nil
	}
	return s.Differences(metric)
}
