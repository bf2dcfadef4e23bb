package sequential

import (
	"math"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// Repetition holds the scatter of runs and instances, and the recommended number of each.
type Repetition struct {
	// of ln of one run, within an instance (within a boot, if several are known)
	TrialSD    float64  `json:"trial_sd"`
	BootSD     *float64 `json:"boot_sd,omitempty"` // added by boots; nil if no instance was booted twice
	InstanceSD float64  `json:"instance_sd"`       // added by instances; 0 if runs explain all of the scatter

	// of one instance; 0 if instances add no visible scatter, and more runs do as well
	Trials   int     `json:"trials"`
	Launches int     `json:"launches"` // instances of each type; 0 if more than a thousand
	Margin   float64 `json:"margin"`   // half-width of the interval at these numbers, as a fraction
	LaunchS  float64 `json:"launch_s"` // assumed cost of a launch besides its runs, in seconds

	Next *NextStep `json:"next,omitempty"` // what narrows the interval most; nil if it cannot be told
}

// NextStep holds the expected half-widths of an interval, as fractions, if the same time of machines is spent in two
// ways.
type NextStep struct {
	Now         float64 `json:"now"`          // as it is
	OneMachine  float64 `json:"one_machine"`  // with one more machine of each type
	MoreRuns    float64 `json:"more_runs"`    // with more runs of each machine instead
	Runs        int     `json:"runs"`         // how many more, of each
	MachineS    float64 `json:"machine_s"`    // time of one machine: its launch and its runs, in seconds
	AddMachines bool    `json:"add_machines"` // one more machine of each type narrows the interval more
}

// NextStepOf compares a further machine of each type with further runs, for n machines of each type with a number of
// runs each, by the variances of runs and of what stands above them; nil if there are fewer than two machines.
func NextStepOf(n int, runs, runS, trial, above float64, sides int, alpha float64) *NextStep {
	if n < 2 || runs <= 0 || runS <= 0 {
		return nil
	}
	b, floor := stat.Fixed(alpha), stat.SDFloor*stat.SDFloor
	half := func(n int, runs float64) float64 {
		one := float64(sides) * max(above+trial/runs, floor)
		return math.Expm1(b.Crit(sides*(n-1)+1) * math.Sqrt(one/float64(n)))
	}
	out := &NextStep{Now: half(n, runs), OneMachine: half(n+1, runs), MachineS: LaunchSeconds + runs*runS}
	out.Runs = max(1, int(out.MachineS/(float64(n)*runS)))
	out.MoreRuns = half(n, runs+float64(out.Runs))
	out.AddMachines = out.OneMachine <= out.MoreRuns
	return out
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
