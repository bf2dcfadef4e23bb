package load

import (
	"math"
	"math/bits"

	"plimsoll/internal/record"
)

// The arrival processes of an open loop, as record.LoadPoint names them.
const (
	Poisson = record.Poisson
	Uniform = record.Uniform
)

// The range of rates that a schedule in whole nanoseconds can represent, in arrivals per second: at the highest,
// rounding gaps shifts the mean by less than 0.01 %.
const (
	minRate = 1e-3
	maxRate = 1e7
)

// gapBits is the number of fractional bits in a schedule's mean gap, in ns.
const gapBits = 16

// Schedule is the intended times of an open loop as a pure function of its seed: nanoseconds from the start of the
// load, strictly increasing. The next time depends only on the previous one, so that the whole state of a schedule
// shared by many lanes is one number.
type Schedule struct {
	seed  uint64
	phase int64   // first arrival of a uniform schedule
	gap   float64 // mean gap, ns; 0 for Poisson
	mean  uint64  // mean gap, ns * 2^gapBits
}

// NewSchedule returns the schedule of rate arrivals per second. Arrivals is
// Poisson or Uniform; a uniform schedule begins at a seeded fraction of its
// gap, so that it does not always meet timers at the same phase.
func NewSchedule(arrivals string, rate float64, seed uint64) (Schedule, error) {
	point := record.LoadPoint{Kind: record.Open, Level: rate, Arrivals: arrivals}
	if err := checkOpen(point); err != nil {
		return Schedule{}, err
	}
	gap := 1e9 / rate
	s := Schedule{seed: Mix(seed), mean: uint64(math.Round(gap * (1 << gapBits)))}
	if arrivals == Uniform {
		s.gap = gap
		hi, _ := bits.Mul64(Mix(s.seed), uint64(gap))
		s.phase = int64(hi)
	}
	return s, nil
}

// First returns the first intended time.
func (s Schedule) First() int64 {
	if s.gap > 0 {
		return s.phase
	}
	return s.Next(0)
}

// Next returns the intended time that follows t, which must be one of the
// schedule's own.
func (s Schedule) Next(t int64) int64 {
	if s.gap > 0 {
		i := math.Round(float64(t-s.phase)/s.gap) + 1
		return s.phase + int64(math.Round(i*s.gap))
	}
	// Hashing the time instead of advancing a generator gives every gap its own
	// stream, without a second word of state.
	r := Random(Mix(s.seed ^ uint64(t)))
	whole, fraction := r.exponential()
	hi, _ := bits.Mul64(fraction, s.mean)
	gap := (whole*s.mean + hi + 1<<(gapBits-1)) >> gapBits
	return t + int64(max(gap, 1))
}
