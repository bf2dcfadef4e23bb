package instances

import (
	"math"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/stat"
)

// Repetition recommends, by the variance of each level (Kalibera and Jones, as stat.Nested), how many trials an
// instance is worth and how many instances bring the interval to the margin; nil if no instance has two trials, or
// trials have no times.
func (l Launches) Repetition(m trialset.Matched, reg trialset.Preregistered) *sequential.Repetition {
	cost := 0.0
	for _, t := range m.A {
		cost = max(cost, t.WarmupS+t.DurationS)
	}
	levels, sides := l.levels()
	if cost <= 0 || math.IsNaN(levels[stat.Trial].Variance) || math.IsNaN(levels[stat.Instance].Variance) {
		return nil
	}
	trial, instance := levels[stat.Trial].Variance, max(levels[stat.Instance].Variance, 0)
	out := &sequential.Repetition{TrialSD: math.Sqrt(trial), InstanceSD: math.Sqrt(instance), Margin: reg.Margin,
		LaunchS: sequential.LaunchSeconds}
	boot := 0.0
	if v := levels[stat.Boot].Variance; !math.IsNaN(v) {
		boot = max(v, 0)
		sd := math.Sqrt(boot)
		out.BootSD = &sd
	}
	out.Trials = stat.Repetitions(cost, sequential.LaunchSeconds, trial, instance+boot)
	out.Next = sequential.NextStepOf(l.N(), l.runs(), cost, trial, instance+boot, sides, reg.Alpha)
	each := trial / float64(max(out.Trials, 1))
	out.Launches = sequential.LaunchesFor(float64(sides)*(instance+boot+each), sides, reg)
	return out
}

// runs returns the number of runs of an instance, on average.
func (l Launches) runs() float64 {
	all, machines := 0, 0
	for _, in := range []Instances{l.A, l.B} {
		machines += len(in.names)
		for _, trials := range in.trials {
			all += len(trials)
		}
	}
	return float64(all) / float64(machines)
}

// levels returns the variance components of a pair's log ratios, or the means of both sides'; sides is how many of them
// add up in the ratio.
func (l Launches) levels() (out [3]stat.Component, sides int) {
	if l.Paired {
		return l.d.Components(), 1
	}
	a, b := l.A.nested(l.metric).Components(), l.B.nested(l.metric).Components()
	for i := range out {
		out[i] = stat.Component{Variance: (a[i].Variance + b[i].Variance) / 2}
	}
	return out, 2
}
