package agent

import (
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// window is the length of the windows of a trial, in nanoseconds; stat.SteadyFrom requires it.
const window = 1e9

// steadyStateOf returns the steady state of a trial's windows. It is nil for fewer than 30 windows, for an open loop,
// whose throughput is the offered rate (its latency would have to be steady), and for a single run, which has no
// windows.
//
// A sliced side is treated like any other: its windows are in its lanes' own time (load.Windows), so each holds 1 s of
// its work and none of the other sides'. SteadyS and Tau are in that time too.
//
// SD is relative to the mean rather than on logs: the two are equal to first order, and a window without a finished
// operation, as in a stall, has no log.
func steadyStateOf(l record.LoadPoint, w load.Windows) *record.SteadyState {
	if l.Kind != record.Closed || w.StepNs != window {
		return nil
	}
	within, ok := stat.SummarizeSteady(counts(w))
	if !ok {
		return nil
	}
	out := record.SteadyState(within)
	return &out
}
