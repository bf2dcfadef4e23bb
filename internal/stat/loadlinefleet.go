package stat

import (
	"fmt"
	"math"
)

// Fleet is a number of machines and how much of its load line each carries, as
// fractions.
type Fleet struct {
	Machines int
	Share    float64 // all machines up
	After    float64 // the failures that the fleet is to survive have happened
	Alarm    float64 // all machines up: above it the failures would leave less than the headroom
}

// FleetFor is the smallest fleet whose machines carry a demand with at most the
// headroom's fraction of their load line, also after some of them have failed:
// N = ceil(demand / (headroom · line)) + failures. The alarm is headroom · (N − failures) / N (METHOD section 5). Demand and line are rates of one unit; the
// line to be safe with is the lower end of its interval.
func FleetFor(demand, line, headroom float64, failures int) (Fleet, error) {
	if !(demand > 0) || !(line > 0) || !(headroom > 0 && headroom <= 1) || failures < 0 {
		return Fleet{}, fmt.Errorf("no fleet for a demand of %g, a load line of %g, headroom %g and %d failures: rates must be over 0, headroom at most 1", demand, line, headroom, failures)
	}
	needed := math.Ceil(demand / (headroom * line))
	if needed > math.MaxInt32 {
		return Fleet{}, fmt.Errorf("a fleet of %g machines: the demand and the load line are not of one unit", needed)
	}
	n := int(needed) + failures
	return Fleet{Machines: n, Share: demand / float64(n) / line, After: demand / needed / line, Alarm: AlarmShare(n, failures, headroom)}, nil
}

// AlarmShare is the fraction of its load line up to which each of so many machines may run so that, once some of them
// have failed, the rest carries all of it with at most the headroom's fraction: headroom · (N − failures) / N.
func AlarmShare(machines, failures int, headroom float64) float64 {
	return headroom * float64(machines-failures) / float64(machines)
}
