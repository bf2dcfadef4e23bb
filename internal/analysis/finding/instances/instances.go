// Package instances holds the instances of two types against each other, launched in pairs or apart.
package instances

import (
	"math"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// Instances are the trials of a cell by the machines of one type.
type Instances struct {
	names  []string
	trials map[string][]record.Trial // by machine
}

func instancesOf(trials []record.Trial, metric string) Instances {
	names, byName := trialset.GroupByKeys(trialset.Having(trialset.Counting(trials), metric),
		func(t record.Trial) string { return t.Keys[record.KeyMachine] })
	return Instances{names, byName}
}

// nested returns the logs of each instance's trials by boot; if no boot is known, all are of one.
func (in Instances) nested(metric string) stat.Nested {
	var out stat.Nested
	for _, name := range in.names {
		boots, byBoot := trialset.GroupByKeys(in.trials[name], func(t record.Trial) string { return t.Keys[record.KeyBoot] })
		var logs [][]float64
		for _, boot := range boots {
			logs = append(logs, stat.Logs(trialset.ValuesOf(byBoot[boot], metric)))
		}
		out = append(out, logs)
	}
	return out
}

// Launches are the instances of two types, launched in pairs or apart.
type Launches struct {
	A, B   Instances
	metric string
	Paired bool
	d      stat.Nested // of pairs: log ratios by launch or block
	Alone  []string    // machines left out, since their block has none of the other type
}

// Launched pairs the instances of two types inside the blocks of their plans, or else if each of them ran side by side
// with one of the other type, and with no second one.
func Launched(a, b []record.Trial, metric string) Launches {
	l := Launches{A: instancesOf(a, metric), B: instancesOf(b, metric), metric: metric}
	if paired, ok := l.inBlocks(); ok {
		return paired
	}
	s := trialset.NewSample(a, b, metric).Own()
	if !s.Paired || trialset.Imported(s.A) {
		return l
	}
	partner, partnered := map[string]string{}, map[string]string{}
	byLaunch := map[string][]float64{}
	logs := s.Differences(metric)
	for i := range s.A {
		x, y := s.A[i].Keys[record.KeyMachine], s.B[i].Keys[record.KeyMachine]
		if had := partner[x]; had != "" && had != y {
			return l
		}
		if had := partnered[y]; had != "" && had != x {
			return l
		}
		partner[x], partnered[y] = y, x
		byLaunch[x] = append(byLaunch[x], logs[i])
	}
	if len(partner) != len(l.A.names) || len(partnered) != len(l.B.names) {
		return l
	}
	l.Paired = true
	for _, name := range l.A.names {
		l.d = append(l.d, [][]float64{byLaunch[name]})
	}
	return l
}

// N returns the number of instances of the smaller side, or of the pairs.
func (l Launches) N() int { return min(len(l.A.names), len(l.B.names)) }

// Ratio returns that of the types, from one mean for each instance: trials of one instance are no replicates of its
// type. It is false if a value is not positive.
func (l Launches) Ratio(o stat.Opts) (stat.PairedLogRatio, bool) {
	if l.N() == 0 {
		return stat.PairedLogRatio{}, false
	}
	var r stat.PairedLogRatio
	if l.Paired {
		r = stat.PairedRatio(l.d.Means(stat.Instance), o)
	} else {
		r.LogRatio = stat.WelchRatio(l.A.nested(l.metric).Means(stat.Instance), l.B.nested(l.metric).Means(stat.Instance), o)
	}
	return r, !math.IsNaN(r.Mean)
}

// Ranked returns one mean for each instance, for values that have no logarithm.
func (l Launches) Ranked(alpha float64) stat.Ranked {
	return stat.Ranked{A: l.A.means(l.metric), B: l.B.means(l.metric), Alpha: alpha}
}

// SD returns the standard deviation of the instances' log means, the larger one of the sides, or of the pairs' log
// ratios.
func (l Launches) SD() float64 {
	if l.Paired {
		return stat.SD(l.d.Means(stat.Instance))
	}
	return max(stat.SD(l.A.nested(l.metric).Means(stat.Instance)), stat.SD(l.B.nested(l.metric).Means(stat.Instance)))
}

// Average returns the mean of one type: of its instances' means.
func (in Instances) Average(metric string) float64 {
	if logs := in.nested(metric).Means(stat.Instance); !math.IsNaN(stat.Mean(logs)) {
		return math.Exp(stat.Mean(logs))
	}
	return stat.Mean(in.means(metric))
}

// means returns the mean of each instance.
func (in Instances) means(metric string) []float64 {
	means := make([]float64, len(in.names))
	for i, name := range in.names {
		means[i] = estimate.Average(trialset.ValuesOf(in.trials[name], metric))
	}
	return means
}
