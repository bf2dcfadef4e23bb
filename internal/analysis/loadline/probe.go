package loadline

import (
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

const (
	idleCPU   = 20.0 // % of CPU below which nothing waits
	halfCPU   = 50.0 // %
	idleShare = .15  // of the most carried: below 20% CPU if throughput follows CPU
)

// probes returns a ramp's loads with the means over their trials. carried is the metric of the carried load, or "" for
// the offered rate.
func (r Ramp) probes(carried, latency string) []Probe {
	out := make([]Probe, len(r.Points))
	for i, at := range r.Points {
		level, trials := at.X, at.Trials
		p := Probe{
			Load: trialset.LoadOf(trials[0]), Level: level, Value: level, N: len(trials),
			Latency: estimate.Average(trialset.ValuesOf(trials, latency)), Requests: requestsOf(trials),
		}
		if carried != "" {
			p.Value = estimate.Average(trialset.ValuesOf(trials, carried))
		}
		if cpu := trialset.ValuesOf(trials, record.CPUPercent); len(cpu) > 0 {
			mean := stat.Mean(cpu)
			p.CPU = &mean
		}
		out[i] = p
	}
	return out
}

// requestsOf returns the fewest operations of a trial, or 0 if a trial does not count them.
func requestsOf(trials []record.Trial) int64 {
	var fewest int64
	for i, t := range trials {
		if t.Generator == nil {
			return 0
		}
		if i == 0 || t.Generator.Done < fewest {
			fewest = t.Generator.Done
		}
	}
	return fewest
}

// withCPU returns the probes with known CPU use.
func withCPU(probes []Probe) (known []Probe, cpu, values []float64) {
	for _, p := range probes {
		if p.CPU != nil {
			known, cpu, values = append(known, p), append(cpu, *p.CPU), append(values, p.Value)
		}
	}
	return known, cpu, values
}

// baseOf returns the median latency of the probes at which nothing waits, as in a search (stat.LineSearch.Base): below
// 20% CPU, or, if no CPU use is known, those that carry a small part of the maximum, which is less than 20% of CPU
// unless throughput grows much faster than CPU use. It returns false if there is no such probe.
func baseOf(probes []Probe) (float64, bool) {
	known := slices.ContainsFunc(probes, func(p Probe) bool { return p.CPU != nil })
	most := 0.0
	for _, p := range probes {
		most = max(most, p.Value)
	}
	var idle []float64
	for _, p := range probes {
		if p.CPU != nil && *p.CPU < idleCPU || !known && p.Value <= idleShare*most {
			idle = append(idle, p.Latency)
		}
	}
	if len(idle) == 0 {
		return 0, false
	}
	slices.Sort(idle)
	return stat.Quantile(idle, .5), true
}
