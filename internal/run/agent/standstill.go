package agent

import (
	"slices"

	"plimsoll/internal/client/load"
	"plimsoll/internal/machine/host/noise"
	"plimsoll/internal/machine/host/pulse"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/workload"
)

// watch starts the watchdog of a window.
func (t *trial) watch(beats *pulse.Pulse) *noise.Watchdog {
	running := 1
	for _, s := range t.sides {
		running = max(running, s.lanes)
	}
	return noise.Watch(beats, t.agent.Root, min(running, len(t.machine.CPU.Allowed)))
}

// stoodStill records the agent's gaps that touch the measured interval. A command that runs once continues while the
// agent is suspended: only a gap at its start or end lengthens its measured time and counts in the sum.
func stoodStill(l *record.Ledger, gaps []noise.Gap, in course.Span, ends []int64) {
	longest, sum := 0.0, 0.0
	for _, g := range gaps {
		if g.To <= in.From || g.From >= in.To {
			continue
		}
		s := min(g.Seconds, float64(g.To-max(g.From, in.From))/1e9)
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
	stoodStill(s.trial.Ledger, s.gaps, course.Span{From: r.Start, To: max(r.End, r.Ended)}, ends)
}

// neverWaits reports whether a side's lanes run all the time: a closed loop, one lane a CPU, whose lanes do the work
// themselves.
func (s *side) neverWaits() bool {
	return s.spec.Charge == workload.Lanes && !s.spec.Waits && len(s.cpus) > 0 && s.trial.Load.Kind == record.Closed
}
