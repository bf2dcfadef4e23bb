package agent

import (
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// window is the length of the windows that a trial is judged by, in nanoseconds: stat.SteadyFrom takes no other.
const window = 1e9

// withinOf is what a trial's windows say of it. It is nil where they are fewer than 30, and where they
// say nothing: an open load carries what it is offered, so that it is its latency that would have to be
// steady, and a single run has no windows.
//
// A sliced side is judged like any other: its windows are of its lanes' own time (load.Windows), so that
// each holds a second of its work and none of the other sides'. SteadyS and Tau are of that time too.
//
// SD is relative to the mean, and no standard deviation of logs: they are the same to first order, and a
// window in which a stall let no operation end has no log.
func withinOf(l record.LoadPoint, w load.Windows) *record.Within {
	if l.Kind != record.Closed || w.StepNs != window {
		return nil
	}
	within, ok := stat.WithinOf(counts(w))
	if !ok {
		return nil
	}
	out := record.Within(within)
	return &out
}
