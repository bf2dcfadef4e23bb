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

// SteadyState is where a run settled.
type SteadyState struct {
	Start int     // first window of the steady state
	Kept  float64 // share of the windows that lie in it, 0 to 1
}

// Holds says whether enough of the run is steady, a quarter of it, to stand for it.
func (s SteadyState) Holds() bool { return s.Kept >= minKept }

// SteadyFrom finds where a run, given as its throughput in windows of 1 s, became
// steady. It is false below 30 windows, of which nothing can be said.
//
// Binary segmentation on the mean (Scott and Knott, Biometrics 30, 1974): a segment is
// split where that lowers the sum of squares most, if both parts have 15 windows and
// the gain is above 3·ln(T)·s²·(1+r)/(1−r), with T the number of all windows, and s² and r the
// variance and the lag-1 correlation (0 to 0.9) of the half in which their term is smaller. The
// steady state begins with the first segment from which on all means lie within 1 % of the last.
//
// METHOD takes noise from the second half alone. There a change in that half hides
// itself: of runs that lose 30 % after four fifths none was found, nor did any of them drift.
// A slow drift is no change of the mean; DriftOf asks after it.
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

// split splits the values from a up to b, and the parts again.
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

// steadyStart is where the first of the last segments with like means begins.
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

// longRunVariance is n times the variance of the mean of n values of a first-order
// autoregression, as x is taken for one.
func longRunVariance(x []float64) float64 {
	const most = 0.9
	r := stat.Correlation(x[:len(x)-1], x[1:], nil)
	if !(r > 0) { // NaN where all values are the same
		r = 0
	}
	r = min(r, most)
	s := SD(x)
	return s * s * (1 + r) / (1 - r)
}
