package course

import (
	"math"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// WarmupOf returns when the throughput of a warm-up became steady, or nil for fewer than 30 windows or no operations.
func WarmupOf(w load.Windows) *record.WarmUp {
	x := counts(w)
	state, ok := stat.WarmFrom(x)
	if !ok {
		return nil
	}
	second := min(max(int(window/w.StepNs), 1), len(x))
	const batches = 10 // of stat.BatchInterval
	last := x[min(state.Start, len(x)-batches):]
	first, kept := stat.Mean(x[:second]), stat.Mean(last)
	half := stat.BatchInterval(last, .05).HalfWidth() / kept
	if !(first > 0 && kept > 0) || math.IsInf(half, 0) {
		return nil
	}
	after := func(windows int) float64 { return float64(int64(windows)*w.StepNs) / 1e9 }
	return &record.WarmUp{Seconds: after(len(x)), SettledS: after(state.Start), Kept: state.Kept, Gain: kept / first,
		Half: half}
}

// RiseOf returns the trend of a closed loop's throughput; nil for an open loop, whose throughput is the offered rate.
func RiseOf(l record.LoadPoint, w load.Windows) *record.Rise {
	if l.Kind != record.Closed || w.StepNs != window {
		return nil
	}
	d, ok := stat.RiseOf(counts(w))
	if !ok {
		return nil
	}
	return &record.Rise{Windows: len(w.Ops), Change: d.Change, P: d.P}
}

func counts(w load.Windows) []float64 {
	x := make([]float64, len(w.Ops))
	for i, n := range w.Ops {
		x[i] = float64(n)
	}
	return x
}

// window is the length of the windows of a trial, in nanoseconds; stat.SteadyFrom requires it.
const window = 1e9

// SteadyStateOf returns the steady state of a trial's windows. It is nil for fewer than 30 windows, for an open loop,
// whose throughput is the offered rate (its latency would have to be steady), and for a single run, which has no
// windows.
//
// A sliced side is treated like any other: its windows are in its lanes' own time (load.Windows), so each holds 1 s of
// its work and none of the other sides'. SteadyS and Tau are in that time too.
//
// SD is relative to the mean rather than on logs: the two are equal to first order, and a window without a finished
// operation, as in a stall, has no log.
func SteadyStateOf(l record.LoadPoint, w load.Windows) *record.SteadyState {
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
