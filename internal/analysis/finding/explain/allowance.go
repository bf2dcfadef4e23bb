package explain

import (
	"fmt"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// causeAllowance is the cause named if only one side exceeded an allowance of its instance type.
const causeAllowance = "network allowance"

// allowance names the network's allowances as a cause if each run of one side exceeded one and no run of the other
// did; fewer runs or runs of both sides only get a sentence.
func (e *explainer) allowance(x *Explanation, s sides) {
	for _, side := range []struct {
		name, other   string
		trials, rests []record.Trial
	}{{x.labelA, x.labelB, s.measuredA, s.measuredB}, {x.labelB, x.labelA, s.measuredB, s.measuredA}} {
		over, sum := overAllowance(side.trials)
		if over == 0 {
			continue
		}
		others, _ := overAllowance(side.rests)
		x.Allowances = append(x.Allowances,
			fmt.Sprintf("%s exceeded a network allowance of its instance type%s in %d of %s: %s; %s in %d of %d",
				side.name, e.networkOf(side.trials), over, figure.Count(len(side.trials), "run"), trialset.ExceededText(sum),
				side.other, others, len(side.rests)))
		if over == len(side.trials) && over >= estimate.MinReplicates && others == 0 &&
			len(side.rests) >= estimate.MinReplicates {
			x.Causes = append(x.Causes, causeAllowance)
		}
	}
}

// overAllowance counts the trials that exceeded an allowance, and adds up their packets by counter.
func overAllowance(trials []record.Trial) (n int, sum map[string]int64) {
	var all record.NetworkUse
	for _, t := range trials {
		if t.Network == nil || len(t.Network.Exceeded) == 0 {
			continue
		}
		n++
		for counter, packets := range t.Network.Exceeded {
			all.Exceed(counter, packets)
		}
	}
	return n, all.Exceeded
}

// networkOf states the bandwidth of the trials' instance type in parentheses; "" if unknown.
func (e *explainer) networkOf(trials []record.Trial) string {
	if text := e.typeOf(trials[0].Keys[record.KeyMachine]).NetworkText(); text != "" {
		return " (" + text + ")"
	}
	return ""
}
