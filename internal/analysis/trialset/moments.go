package trialset

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// StatedMoments returns the moments of a metric that a file states for the only trial, with whether they leave out how
// runs differ: those of parts of one run do, and so does the error of a reading. Several trials are replicates,
// whatever theirs are.
func StatedMoments(trials []record.Trial, metric string) (m stat.Moments, within, ok bool) {
	if len(trials) != 1 {
		return stat.Moments{}, false, false
	}
	v, ok := ValueIn(&trials[0], metric)
	stated := trials[0].Moments[metric]
	m = stat.Moments{Mean: v.Value, SD: stated.SD, N: stated.N, Known: stated.Read}
	if !ok || m.Freedom() < 1 || !(stated.SD >= 0) {
		return stat.Moments{}, false, false
	}
	return m, stated.Within || stated.Read, true
}

// EstimateOf returns the mean of moments with its interval; without, if they are of too few runs.
func EstimateOf(m stat.Moments) (e estimate.Estimate, enough bool) {
	if m.N < estimate.MinReplicates && !m.Known {
		return estimate.Estimate{Value: m.Mean}, false
	}
	e = estimate.Bounded(m.Mean, m.Interval(estimate.Alpha, stat.SDFloor*math.Abs(m.Mean)))
	if m.Mean > 0 {
		e = e.Within(0, math.Inf(1))
	}
	return e, true
}

// Summarized returns the moments of both sides if a file states those of at least one; of the other they may be those
// of its replicates. within reports whether some are of parts of one run.
func (s Sample) Summarized(metric string) (a, b stat.Moments, within, ok bool) {
	a, withinA, okA := StatedMoments(s.A, metric)
	b, withinB, okB := StatedMoments(s.B, metric)
	if !okA && okB {
		a, okA = replicateMoments(s.A, metric)
	} else if okA && !okB {
		b, okB = replicateMoments(s.B, metric)
	}
	return a, b, withinA || withinB, okA && okB && a.Mean > 0 && b.Mean > 0
}

func replicateMoments(trials []record.Trial, metric string) (stat.Moments, bool) {
	if len(trials) < estimate.MinReplicates {
		return stat.Moments{}, false
	}
	m := stat.LogMoments(ValuesOf(trials, metric))
	return m, !math.IsNaN(m.Mean + m.SD)
}
