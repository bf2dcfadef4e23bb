package sequential

import (
	"math"

	"plimsoll/internal/estimate"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// Repetition holds the scatter of trials and instances, and the recommended number of each.
type Repetition struct {
	TrialSD    float64  `json:"trial_sd"`          // of ln of one trial, within an instance (within a boot, if several are known)
	BootSD     *float64 `json:"boot_sd,omitempty"` // added by boots; nil if no instance was booted twice
	InstanceSD float64  `json:"instance_sd"`       // added by instances; 0 if trials explain all of the scatter

	Trials   int     `json:"trials"`   // of one instance; 0 if instances add no visible scatter, and more trials do as well
	Launches int     `json:"launches"` // instances of each type; 0 if more than a thousand
	Margin   float64 `json:"margin"`   // half-width of the interval at these numbers, as a fraction
	LaunchS  float64 `json:"launch_s"` // assumed cost of a launch beside its trials, in seconds
}

const (
	// LaunchSeconds is the assumed time to launch an instance and make it ready. It is not measured: the recommendation
	// depends on its root.
	LaunchSeconds = 300
	mostLaunches  = 1000
)

// LaunchesFor returns the fewest instances at which the confidence interval of a ratio, with the given variance for one
// of each type, is expected to be no wider than the margin, or 0 if a thousand are too few.
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
