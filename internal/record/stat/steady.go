package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

const (
	minSegment   = 15   // windows
	steadyWithin = 0.01 // of the last mean
	minKept      = 0.25 // of all windows
)

// SteadyState is the steady state of a run.
type SteadyState struct {
	Start int     // first window of the steady state
	Kept  float64 // share of the windows that lie in it, 0 to 1
}

// Holds reports whether enough of the run is steady, a quarter of it, to represent it.
func (s SteadyState) Holds() bool { return s.Kept >= minKept }

// SteadyFrom finds the steady state of a run, given as its throughput in windows of 1 s. It returns false below 30
// windows, which are too few to tell.
//
// Binary segmentation on the mean (Scott and Knott, Biometrics 30, 1974): it splits a segment where that lowers the sum
// of squares most, if both parts have 15 windows and the gain is above 3·ln(T)·s²·(1+r)/(1−r), with T the number of all
// windows, and s² and r the variance and the lag-1 correlation (0 to 0.9) of the half with the smaller such term. The
// steady state begins with the first segment from which on all means lie within 1% of the last.
//
// The noise is not taken from the second half alone, because there a change in that half would hide itself: it missed
// all runs that lost 30% after four fifths, none of which drifted either. A slow drift is not a change of the mean;
// use driftOf for that.
func SteadyFrom(x []float64) (SteadyState, bool) {
	if len(x) < 2*minSegment {
		return SteadyState{}, false
	}
	noise := min(longRunVariance(x[:len(x)/2]), longRunVariance(x[len(x)/2:]))
	s := segments{sums: cumulated(x), threshold: 3 * math.Log(float64(len(x))) * noise, starts: []int{0}}
	s.split(0, len(x))
	slices.Sort(s.starts)
	start := s.steadyStart()
	return SteadyState{Start: start, Kept: 1 - float64(start)/float64(len(x))}, true
}

// segments is a series that is being split.
type segments struct {
	sums      []float64 // of the first 0, 1, … values
	threshold float64   // of the gain
	starts    []int
}

// split splits the values from a up to b, and the parts recursively.
func (s *segments) split(a, b int) {
	at, best := 0, s.threshold
	for k := a + minSegment; k <= b-minSegment; k++ {
		apart := s.mean(a, k) - s.mean(k, b)
		if gain := float64(k-a) * float64(b-k) / float64(b-a) * apart * apart; gain > best {
			at, best = k, gain
		}
	}
	if at == 0 {
		return
	}
	s.starts = append(s.starts, at)
	s.split(a, at)
	s.split(at, b)
}

func (s *segments) mean(a, b int) float64 { return (s.sums[b] - s.sums[a]) / float64(b-a) }

// steadyStart returns the start of the first of the last segments with similar means.
func (s *segments) steadyStart() int {
	end := len(s.sums) - 1
	start := s.starts[len(s.starts)-1]
	last := s.mean(start, end)
	for i := len(s.starts) - 2; i >= 0; i-- {
		if math.Abs(s.mean(s.starts[i], start)-last) > steadyWithin*math.Abs(last) {
			break
		}
		start = s.starts[i]
	}
	return start
}

func cumulated(x []float64) []float64 {
	sums := make([]float64, len(x)+1)
	for i, v := range x {
		sums[i+1] = sums[i] + v
	}
	return sums
}

// longRunVariance returns n times the variance of the mean of n values, modelling x as a first-order autoregression.
func longRunVariance(x []float64) float64 {
	const most = 0.9
	r := stat.Correlation(x[:len(x)-1], x[1:], nil)
	if !(r > 0) { // NaN if all values are equal
		r = 0
	}
	r = min(r, most)
	s := SD(x)
	return s * s * (1 + r) / (1 - r)
}

const (
	warmRise = 0.01
	warmP    = 0.05
)

// WarmFrom finds when a run that starts cold reached its full speed, given its throughput in equal windows. It starts
// with SteadyFrom; since a slow rise is not a change of the mean, it then moves the start by a twentieth of the run at
// a time, as long as the rest rises by more than 1% with P below 0.05: it is less harmful to call a warm server warm
// half a second late than to call a cold one warm. It returns false below 30 windows.
func WarmFrom(x []float64) (SteadyState, bool) {
	s, ok := SteadyFrom(x)
	if !ok {
		return s, false
	}
	on := max(len(x)/20, 1)
	for s.Holds() {
		d, known := driftOf(x[s.Start:])
		if !known || d.Change <= warmRise || d.P >= warmP {
			break
		}
		s.Start = min(s.Start+on, len(x))
		s.Kept = 1 - float64(s.Start)/float64(len(x))
	}
	return s, true
}

// leastRise is the least number of windows that can show whether a short run still rises.
const leastRise = 5

// RiseOf fits a straight line by least squares to the windows of a run, of 5 or more, with Student's t of n − 2 degrees
// of freedom; from 20 windows on to the means of 10 batches, as driftOf. Use it for runs too short for SteadyFrom. It
// assumes independent windows: if each repeats 0.6 of the one before, P below 0.01 is more common than it says.
func RiseOf(x []float64) (Drift, bool) {
	if len(x) < leastRise || !(Mean(x) > 0) {
		return Drift{}, false
	}
	if len(x) >= 2*batches {
		return driftOf(x)
	}
	n, m, middle := float64(len(x)), Mean(x), float64(len(x)-1)/2
	slope, across := 0.0, 0.0
	for i, v := range x {
		at := float64(i) - middle
		slope += at * (v - m)
		across += at * at
	}
	slope /= across
	rest := 0.0
	for i, v := range x {
		off := v - m - slope*(float64(i)-middle)
		rest += off * off
	}
	d := Drift{Change: slope * n / m, P: 1}
	if slope != 0 {
		d.P = twoSided(math.Abs(slope)/math.Sqrt(rest/(n-2)/across), n-2)
	}
	return d, true
}

// SteadySummary describes a run, given as its throughput in windows of 1 s: whether and when it became steady, and its
// scatter and drift from then on. The fields are those of record.SteadyState.
type SteadySummary struct {
	Windows int
	SteadyS float64
	Kept    float64
	SD      float64 // over the mean
	Tau     float64
	Drift   float64
	DriftP  float64
}

// SummarizeSteady returns false below 30 windows, or if nothing was done in the last steady state.
func SummarizeSteady(x []float64) (SteadySummary, bool) {
	s, ok := SteadyFrom(x)
	if !ok || Mean(x[s.Start:]) == 0 {
		return SteadySummary{}, false
	}
	kept := x[s.Start:]
	out := SteadySummary{
		Windows: len(x), SteadyS: float64(s.Start), Kept: s.Kept,
		SD: CV(kept), Tau: autocorrelationTime(kept), DriftP: 1,
	}
	if d, ok := driftOf(kept); ok {
		out.Drift, out.DriftP = d.Change, d.P
	}
	return out, true
}
