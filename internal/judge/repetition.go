package judge

import (
	"math"

	"plimsoll/internal/stat"
)

// Repetition says how trials and instances scatter, and how often each is best repeated.
type Repetition struct {
	TrialSD    float64  `json:"trial_sd"`          // of ln of one trial, within an instance (within a boot, where several are known)
	BootSD     *float64 `json:"boot_sd,omitempty"` // what boots add; nil where no instance was booted twice
	InstanceSD float64  `json:"instance_sd"`       // what instances add; 0 where no more shows than trials explain

	Trials   int     `json:"trials"`   // of one instance; 0: instances add nothing that shows, and more trials do as well
	Launches int     `json:"launches"` // instances of each type; 0: more than a thousand
	Margin   float64 `json:"margin"`   // that so many would bring the half-width of the interval to, a fraction
	LaunchS  float64 `json:"launch_s"` // what a launch is taken to cost beside its trials, in seconds
}

const (
	// launchSeconds is what launching an instance and making it ready is taken to cost. It is not
	// measured: what is recommended goes by its root.
	launchSeconds = 300
	mostLaunches  = 1000
)

// repetition recommends, by the variance of each level (Kalibera and Jones, as stat.Nested), how many trials
// an instance is worth and how many instances bring the interval to the margin. It is nil
// where no instance has two trials, or trials have no times.
func (l launches) repetition(m matched, reg registered) *Repetition {
	cost := 0.0
	for _, t := range m.a {
		cost = max(cost, t.WarmupS+t.DurationS)
	}
	levels, sides := l.levels()
	if cost <= 0 || math.IsNaN(levels[stat.Trial].Variance) || math.IsNaN(levels[stat.Instance].Variance) {
		return nil
	}
	trial, instance := levels[stat.Trial].Variance, max(levels[stat.Instance].Variance, 0)
	out := &Repetition{TrialSD: math.Sqrt(trial), InstanceSD: math.Sqrt(instance), Margin: reg.margin, LaunchS: launchSeconds}
	boot := 0.0
	if v := levels[stat.Boot].Variance; !math.IsNaN(v) {
		boot = max(v, 0)
		sd := math.Sqrt(boot)
		out.BootSD = &sd
	}
	out.Trials = stat.Repetitions(cost, launchSeconds, trial, instance+boot)
	each := trial / float64(max(out.Trials, 1))
	out.Launches = launchesFor(float64(sides)*(instance+boot+each), sides, reg)
	return out
}

// levels are the variance components of a pair's log ratios, or the means of both sides'; sides is how
// many of them add up in the ratio.
func (l launches) levels() (out [3]stat.Component, sides int) {
	if l.paired {
		return l.d.Components(), 1
	}
	a, b := l.a.nested(l.metric).Components(), l.b.nested(l.metric).Components()
	for i := range out {
		out[i] = stat.Component{Variance: (a[i].Variance + b[i].Variance) / 2}
	}
	return out, 2
}

// launchesFor is the fewest instances at which an interval of a ratio, of the given variance for one of
// each type, is expected to be no wider than the margin; 0 where a thousand are too few.
func launchesFor(variance float64, sides int, reg registered) int {
	b, floor := stat.Fixed(reg.alpha), float64(sides)*stat.SDFloor*stat.SDFloor
	for n := MinReplicates; n <= mostLaunches; n++ {
		df := sides * (n - 1)
		if b.Crit(df+1)*math.Sqrt(max(variance, floor)/float64(n)) <= math.Log1p(reg.margin) {
			return n
		}
	}
	return 0
}
