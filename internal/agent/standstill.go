package agent

import (
	"plimsoll/internal/host/noise"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"slices"
)

// watch starts the watchdog of a window.
func (t *trial) watch() *noise.Watchdog {
	running := 1
	for _, s := range t.sides {
		running = max(running, s.lanes)
	}
	return noise.Watch(t.agent.Root, min(running, len(t.machine.CPU.Allowed)))
}

// span is an interval on CLOCK_MONOTONIC, in nanoseconds.
type span struct{ from, to int64 }

// stoodStill records the agent's gaps that touch the measured interval. A command that runs once continues while the
// agent is suspended: only a gap at its start or end lengthens its measured time and counts in the sum.
func stoodStill(l *record.Ledger, gaps []noise.Gap, in span, ends []int64) {
	longest, sum := 0.0, 0.0
	for _, g := range gaps {
		if g.To <= in.from || g.From >= in.to {
			continue
		}
		s := min(g.Seconds, float64(g.To-max(g.From, in.from))/1e9)
		longest = max(longest, s)
		if ends == nil || touches(g, ends) {
			sum += s
		}
	}
	l.GapMaxS, l.GapsS = &longest, &sum
}

// besideGap is the tolerance, in nanoseconds, for an instant that was stamped late or an action that was early: the
// time to start a command or to notice its end.
const besideGap = int64(50e6)

func touches(g noise.Gap, instants []int64) bool {
	return slices.ContainsFunc(instants, func(at int64) bool { return at >= g.From-besideGap && at <= g.To+besideGap })
}

// stoodStill records how the gaps affect the side's own time.
func (s *side) stoodStill(r load.Result) {
	if s.trial.Ledger == nil || r.End <= r.Start {
		return
	}
	var ends []int64
	if s.trial.Load.Kind == record.Once {
		ends = append(ends, r.Start)
		for _, l := range r.Lanes {
			ends = append(ends, r.Start+int64(l.Seconds*1e9))
		}
	}
	stoodStill(s.trial.Ledger, s.gaps, span{r.Start, r.End}, ends)
}

// neverWaits reports whether a side's lanes run all the time: a closed loop, one lane a CPU, whose lanes do the work
// themselves.
func (s *side) neverWaits() bool {
	return s.spec.Charge == workload.Lanes && !s.spec.Waits && len(s.cpus) > 0 && s.trial.Load.Kind == record.Closed
}

// lanesIdle returns the share of the window, in %, in which lanes that never wait neither ran nor waited for a CPU, so
// that stops too short for the watchdog add up too. Steal and interrupts do not count as idle. It returns nil if that
// cannot be told.
func lanesIdle(ran, window float64, lanes, cpus int, l record.Ledger) *float64 {
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
