package course

import (
	"fmt"

	"plimsoll/internal/record"
)

// Span is an interval on CLOCK_MONOTONIC, in nanoseconds.
type Span struct{ From, To int64 }

// A reading is taken over a time of its own, and late on a busy machine. What it meters after the window's end, when there
// is no load, makes an operation's CPU time too low: at most by maxOff. Of the window itself it may miss half.
const maxOff, maxMissed = .1, .5

// Metered returns an error if readings, taken at the begin and at the end of a window, cannot tell the CPU time of its
// load. Those of a window of no planned length stand around it.
func (w Span) Metered(before, after Span) error {
	if w == (Span{}) {
		return nil
	}
	end := min(after.From, w.To) // earlier if the load has ended before its time
	off := float64(before.To - before.From + after.To - end)
	missed := float64(before.From - w.From)
	if off <= maxOff*float64(after.From-before.From) && missed <= maxMissed*float64(end-w.From) {
		return nil
	}
	return fmt.Errorf("the CPU use is unknown, because the machine was too busy to read it in time: %d ms late at the begin and %d ms at the end of a window of %d ms",
		(before.To-w.From)/1e6, (after.To-end)/1e6, (w.To-w.From)/1e6)
}

// LanesIdle returns the share of the window, in %, in which lanes that never wait neither ran nor waited for a CPU, so
// that stops too short for the watchdog add up too. Steal and interrupts do not count as idle. It returns nil if that
// cannot be told.
func LanesIdle(ran, window float64, lanes, cpus int, l record.Ledger) *float64 {
	if window <= 0 || lanes < 1 || l.RunDelayPct == nil || l.ThrottledS != nil && *l.ThrottledS > 0 {
		return nil
	}
	taken := 0.0
	if l.StealPct != nil {
		taken += *l.StealPct * float64(cpus)
	}
	if l.InterruptCPU != nil {
		taken += *l.InterruptCPU
	}
	n := float64(lanes)
	idle := max(0, 100-100*ran/(window*n)-*l.RunDelayPct-taken/n)
	return &idle
}
