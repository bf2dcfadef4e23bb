package sweep

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// speedups finds the speedup of each cell on several CPUs, if the same was measured on one.
func speedups(in *finding.Input) []finding.Finding {
	_, one := trialset.GroupByKeys(trialset.Filter(in.Swept,
		func(t *record.Trial) bool { return trialset.CPUsOf(*t) == 1 }), FamilyOf)
	var out []finding.Finding
	order, cells := trialset.GroupByKeys(in.Swept, func(t record.Trial) trialset.Key { return trialset.KeyOf(t, "", nil) })
	for _, p := range order {
		many := cells[p]
		base := one[FamilyOf(many[0])]
		if trialset.CPUsOf(many[0]) > 1 && len(base) > 0 {
			out = append(out, KindSpeedup.New(speedupOf(base, many), append([]trialset.Key{p}, trialset.KeysOf(base)...)...)...)
		}
	}
	return out
}

// speedupOf returns the throughput of the cell of many CPUs over that of one.
func speedupOf(one, many []record.Trial) *estimate.Estimate {
	m := PrimaryMetric(many)
	runs := runsIn(many[0], m)
	if runs == 0 {
		return trialset.RatioOf(one, many, RateOf(many))
	}
	times := trialset.RatioOf(one, many, m.Name)
	if times == nil {
		return nil
	}
	done := times.Inverse(runs)
	return &done
}

// RateOf returns the primary metric's name if it is better if higher, else "".
func RateOf(trials []record.Trial) string {
	if m := PrimaryMetric(trials); m.Better == record.Higher {
		return m.Name
	}
	return ""
}

// PrimaryMetric returns the metric by which the trials are judged.
func PrimaryMetric(sides ...[]record.Trial) record.Metric {
	primary := trialset.PrimaryOf(sides...)
	for _, m := range trialset.MetricsOf(list.Map(sides, trialset.Valid)...) {
		if m.Name == primary {
			return m
		}
	}
	return record.Metric{}
}

func speedupRows(c finding.Cell) []finding.Row {
	t := KindSpeedup.Of(c)
	if t == nil {
		return nil
	}
	return []finding.Row{{Name: "over 1 cpu", Value: *t, Scale: figure.Scale{Factor: 1, Unit: "times"}}}
}
