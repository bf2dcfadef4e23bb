package sweep

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// SpeedupsOf returns for each cell on several CPUs how many times it carries what
// the same carries on one, where that was measured.
func SpeedupsOf(trials []record.Trial) map[trialset.Key]*estimate.Estimate {
	one := map[trialset.Key][]record.Trial{}
	for _, t := range trials {
		if trialset.CPUsOf(t) == 1 {
			one[FamilyOf(t)] = append(one[FamilyOf(t)], t)
		}
	}
	out := map[trialset.Key]*estimate.Estimate{}
	order, cells := trialset.GroupBy(trials, func(t record.Trial) trialset.Key { return trialset.KeyOf(t, "", nil) })
	for _, p := range order {
		many := cells[p]
		base := one[FamilyOf(many[0])]
		if trialset.CPUsOf(many[0]) > 1 && len(base) > 0 {
			out[p] = speedupOf(base, many)
		}
	}
	return out
}

// overOne is how many times as much the cell of many CPUs carries as that of one.
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

// RateOf is the primary metric's name where it is one of which more is better, else "".
func RateOf(trials []record.Trial) string {
	if m := PrimaryMetric(trials); m.Better == record.Higher {
		return m.Name
	}
	return ""
}

// PrimaryMetric returns the metric by which the trials are judged.
func PrimaryMetric(trials []record.Trial) record.Metric {
	for _, m := range trialset.MetricsOf(trialset.Valid(trials)) {
		if m.Name == trialset.PrimaryOf(trials) {
			return m
		}
	}
	return record.Metric{}
}
