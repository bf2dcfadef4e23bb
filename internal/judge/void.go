package judge

import (
	"fmt"
	"math"

	"plimsoll/internal/record"
)

// Probe is how a load generator kept up in one trial, and what its lateness is
// to be held against.
type Probe struct {
	record.LoadUse
	LatencyBase float64 // seconds at low load; 0: unknown
	SLO         float64 // seconds; 0: none
}

// The limits of DESIGN.md, "The load generator".
const (
	maxLag        = 0.05  // of the SLO, or of the base latency where there is none
	maxUseful     = 0.80  // above it the generator itself is loaded
	doubtUseful   = 0.50  // above it that is close
	minDone       = 0.99  // of what was offered
	underWay      = 2     // operations that the end of any window may catch: of few offered they are over 1 %
	maxErrors     = 0.001 // of what was tried
	backlogShare  = 0.001 // of what was offered: a growth that is not a matter of the instant
	backlogSigmas = 3     // of the Poisson scatter of two counts
)

// VoidReason says why a probe cannot be trusted, "" where it can, and what is
// doubtful about one that can. A closed load offers nothing, so that only its
// errors and its generator's work are judged.
func VoidReason(p Probe) (reason string, flags []string) {
	offered, tried := float64(p.Offered), p.Done+p.Errors
	limit := maxLag * p.limitedBy()
	switch {
	case tried == 0:
		return "no operation was done", nil
	case limit > 0 && p.SendLagP99 > limit:
		return fmt.Sprintf("the generator was late: send lag p99 is %.3g ms, over 5 %% of %.3g ms", 1e3*p.SendLagP99, 1e3*p.limitedBy()), nil
	case p.Useful > maxUseful:
		return fmt.Sprintf("the generator was loaded itself: %.0f %% of its time was useful, over 80 %%", 100*p.Useful), nil
	case float64(p.Errors) > maxErrors*float64(tried):
		return fmt.Sprintf("%d of %d operations failed, over 0.1 %%", p.Errors, tried), nil
	case float64(p.Done) < minDone*offered && p.Offered-p.Done > underWay:
		return fmt.Sprintf("%d of %d offered operations were done, under 99 %%%s", p.Done, p.Offered, p.crowded()), nil
	case p.backlogGrew():
		return fmt.Sprintf("the backlog grew from %d to %d operations", p.BacklogStart, p.BacklogEnd), nil
	}
	if p.Useful > doubtUseful {
		flags = append(flags, fmt.Sprintf("the generator was busy: %.0f %% of its time was useful", 100*p.Useful))
	}
	return "", flags
}

// crowded says that operations waited for a lane: they were sent much later
// than a thread that only spins could have. Then more were in flight than the
// generator has lanes, and not only the target was at its end.
func (p Probe) crowded() string {
	const much, least = 100, 0.010 // times the control's lateness; seconds
	if p.SendLagP99 < max(least, much*p.ControlP99) {
		return ""
	}
	return fmt.Sprintf("; they were sent up to %.3g s late (p99): more were in flight than the generator has lanes", p.SendLagP99)
}

func (p Probe) limitedBy() float64 {
	if p.SLO > 0 {
		return p.SLO
	}
	return p.LatencyBase
}

// backlogGrew needs more than scatter: the number outstanding at an instant varies
// under a load that is carried well.
func (p Probe) backlogGrew() bool {
	growth := float64(p.BacklogEnd - p.BacklogStart)
	scatter := backlogSigmas * math.Sqrt(float64(p.BacklogStart+p.BacklogEnd))
	return growth > backlogShare*float64(p.Offered) && growth > scatter
}
