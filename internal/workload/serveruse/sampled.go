package serveruse

import (
	"math"
	"sort"
)

// Sampled is a counter that was read N times, at ascending instants (CLOCK_MONOTONIC, ns). Between two readings it is
// interpolated; before the first and after the last it is as there.
type Sampled struct {
	N         int
	At, Count func(i int) int64
}

// value returns it at an instant; 0 if it was never read.
func (s Sampled) value(at int64) float64 {
	i := sort.Search(s.N, func(i int) bool { return s.At(i) >= at })
	switch {
	case s.N == 0:
		return 0
	case i == 0:
		return float64(s.Count(0))
	case i == s.N:
		return float64(s.Count(i - 1))
	}
	from, to := float64(s.Count(i-1)), float64(s.Count(i))
	return from + (to-from)*float64(at-s.At(i-1))/float64(s.At(i)-s.At(i-1))
}

// Rise returns its increase between two instants; 0 if it went back.
func (s Sampled) Rise(from, to int64) float64 { return max(0, s.value(to)-s.value(from)) }

// Steps returns its increase in each of n steps. What is rounded off goes to the next, and one that went back, as after
// a reset, counts as constant.
func (s Sampled) Steps(start, step int64, n int) []int64 {
	out := make([]int64, n)
	before := math.Round(s.value(start))
	for i := range out {
		now := math.Round(s.value(start + int64(i+1)*step))
		out[i], before = int64(max(0, now-before)), now
	}
	return out
}
