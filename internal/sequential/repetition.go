package sequential

import (
	"math"

	"plimsoll/internal/estimate"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
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
	// LaunchSeconds is what launching an instance and making it ready is taken to cost. It is not
	// measured: what is recommended goes by its root.
	LaunchSeconds = 300
	mostLaunches  = 1000
)

// LaunchesFor is the fewest instances at which an interval of a ratio, of the given variance for one of
// each type, is expected to be no wider than the margin; 0 where a thousand are too few.
func LaunchesFor(variance float64, sides int, reg trialset.Preregistered) int {
	b, floor := stat.Fixed(reg.Alpha), float64(sides)*stat.SDFloor*stat.SDFloor
	for n := estimate.MinReplicates; n <= mostLaunches; n++ {
		df := sides * (n - 1)
		if b.Crit(df+1)*math.Sqrt(max(variance, floor)/float64(n)) <= math.Log1p(reg.Margin) {
			return n
		}
	}
	return 0
}
