package course

import (
	"fmt"

	"plimsoll/internal/record"
)

// Span is an interval on CLOCK_MONOTONIC, in nanoseconds.
type Span struct{ From, To int64 }

// On a busy machine a reading takes time, and the first one comes late: of what is metered it may be that part before
// the CPU time is read, and of the window miss that part.
const maxTaken, maxMissed = .1, .5

// Metered returns for how many seconds of a load, from the begin of its window to its end, CPU time was used between
// two readings: what comes after the load, when nothing is done, makes no operation cheaper. A load of no known length
// is within its readings.
func (w Span) Metered(before, after Span) (seconds float64, err error) {
	if w == (Span{}) {
		return float64(after.From-before.From) / 1e9, nil
	}
	end := min(after.From, w.To) // the second reading comes first if operations outlast the window
	metered, missed := float64(end-before.From), float64(before.From-w.From)
	if float64(before.To-before.From) > maxTaken*metered || missed > maxMissed*float64(end-w.From) {
		return 0, fmt.Errorf("the CPU use is unknown, because the machine was too busy to read it in time: %d ms late at "+
			"the begin of a load of %d ms", (before.To-w.From)/1e6, (w.To-w.From)/1e6)
	}
	return metered / 1e9, nil
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
