package run

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"plimsoll/internal/record"
)

// readings is the number of readings of each host's clock before the load; the one with the shortest round trip counts.
const readings = 5

// offset is an estimate of a clock minus our own: our own is taken halfway through the round trip.
type offset struct{ ns, half int64 }

// hostClock is the clock of a host that takes part in a concert.
type hostClock struct {
	asked  time.Duration // of our own clock
	asking bool          // its answer has not come
	heard  int           // readings
	before offset        // before the load
	after  *offset       // at the end of the window; nil: not answered
}

// take adds a reading that arrived at a time of our own clock.
func (c *hostClock) take(mono int64, at time.Duration) {
	half := int64(at-c.asked) / 2
	got := offset{mono - int64(c.asked) - half, half}
	if c.heard++; c.heard > readings {
		c.after = &got
	} else if c.heard == 1 || half < c.before.half {
		c.before = got
	}
}

// onto returns the clock's offset to a target's, and the bound of its error: both round trips, and the drift that they
// do not explain.
func (c hostClock) onto(target hostClock) (shift, bound int64) {
	shift, bound = target.before.ns-c.before.ns, target.before.half+c.before.half
	if c.after == nil || target.after == nil {
		return shift, bound
	}
	drift := target.after.ns - c.after.ns - shift
	return shift, bound + max(0, max(drift, -drift)-bound-target.after.half-c.after.half)
}

// align brings the measured times of all parts onto the target's clock.
func (c *concert) align() error {
	if c.clocks[0].heard == 0 {
		return errors.New("the target: its clock was not read")
	}
	first := int64(math.MaxInt64)
	for i := range c.parts {
		p := &c.parts[i]
		if p.info == nil {
			return fmt.Errorf("%s: %s", c.name(i+1), cmp.Or(p.trial.Void, "it did not state its part of the load"))
		}
		shift, bound := c.clocks[i+1].onto(c.clocks[0])
		p.info.StartNs, p.info.EndNs = p.info.StartNs+shift, p.info.EndNs+shift
		if p.info.HeatNs != 0 {
			p.info.HeatNs += shift
		}
		p.clock = record.SourceClock{OffsetS: float64(shift) * 1e-9, ErrorS: float64(bound) * 1e-9}
		first = min(first, p.info.StartNs)
	}
	for i := range c.parts {
		p := &c.parts[i]
		p.clock.LateS = float64(p.info.StartNs-first) * 1e-9
	}
	return nil
}

// stepsLate returns how many steps each host's windows begin after those of the first one.
func stepsLate(starts []int64, step int64) []int {
	out := make([]int, len(starts))
	if step <= 0 {
		return out
	}
	first := slices.Min(starts)
	for i, s := range starts {
		// no host's word can overflow it
		out[i] = int(min(math.Round((float64(s)-float64(first))/float64(step)), math.MaxInt32))
	}
	return out
}

// The limits beyond which a run has a note on its generators' clocks: a tenth of a step of series, and of the window.
const (
	vagueClock = .1 // s
	lateStart  = .1
)

// clockDoubts returns warnings about a generator's clock, for a window of so many seconds.
func clockDoubts(c record.SourceClock, window float64) []string {
	var out []string
	if c.ErrorS > vagueClock {
		out = append(out, fmt.Sprintf("its clock is known to within %.2g s only: operations may stand beside the server's "+
			"activity of another time", c.ErrorS))
	}
	if c.LateS > lateStart*window {
		out = append(out, fmt.Sprintf("its measured time began %.2g s after that of the first generator", c.LateS))
	}
	return out
}
