package stat

import (
	"fmt"
	"math"
)

// Fleet is a number of machines and the utilisation of each, as fractions of its load line.
type Fleet struct {
	Machines int
	Share    float64 // all machines up
	After    float64 // after the failures that the fleet is to survive
	Alarm    float64 // all machines up: above it the failures would leave less than the headroom
}

// FleetFor returns the smallest fleet that serves a demand with each machine at no more than the headroom's fraction of
// its load line, even after failures: N = ceil(demand / (headroom · line)) + failures. The alarm is at headroom · (N −
// failures) / N (docs/method.md#load-lines). Demand and line are rates in the same unit; to be safe, pass the lower end
// of the line's interval.
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

// AlarmShare returns the fraction of its load line up to which each machine may run so that, after the failures, the
// remaining ones serve the whole load within the headroom's fraction: headroom · (N − failures) / N.
func AlarmShare(machines, failures int, headroom float64) float64 {
	return headroom * float64(machines-failures) / float64(machines)
}
