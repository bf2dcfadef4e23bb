package load

import (
	"math"
	"math/bits"
	"sync/atomic"

	"plimsoll/internal/record"
)

// The arrival processes of an open loop, as record.LoadPoint names them.
const (
	Poisson = record.Poisson
	Uniform = record.Uniform
)

// The range of rates that a schedule in whole nanoseconds can represent, in arrivals per second: at the highest,
// rounding gaps shifts the mean by less than 0.01%.
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

// cacheLines separates data written by different threads. It is two lines of 64 bytes, because x86 fetches them in
// pairs and some Arm cores have lines of 128.
const cacheLines = 128

// arrivals is an open loop's schedule, shared by its lanes: each claims the next intended time by one
// compare-and-swap, so no lane waits for another and no dispatcher is needed.
type arrivals struct {
	_        [cacheLines]byte
	next     atomic.Int64
	_        [cacheLines]byte
	schedule Schedule
}

func newArrivals(s Schedule) *arrivals {
	a := &arrivals{schedule: s}
	a.next.Store(s.First())
	return a
}

// claim returns the next intended time, in nanoseconds from the start of the load. Each time is returned once.
func (a *arrivals) claim() int64 {
	for {
		t := a.next.Load()
		if a.next.CompareAndSwap(t, a.schedule.Next(t)) {
			return t
		}
	}
}

// Random is SplitMix64 (Steele, Lea and Flood, 2014): 64 bits of state, every seed is good, and one step costs about
// a nanosecond.
type Random uint64

// Next returns 64 random bits.
func (r *Random) Next() uint64 {
	*r += 0x9E3779B97F4A7C15
	return Mix(uint64(*r))
}

// Mix is SplitMix64's finalizer, a bijection that spreads every input bit.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Below returns a number from 0 to n-1; the bias is under n/2^64.
func (r *Random) Below(n int) int {
	hi, _ := bits.Mul64(r.Next(), uint64(n))
	return int(hi)
}

// exponential returns an exponentially distributed number of mean 1 as whole
// and fraction/2^64. It is von Neumann's method (1951): draw until the first
// number that is not smaller than the one before it; a run of odd length
// accepts its first number, an even one adds 1 and draws again. It compares integers only,
// so that amd64 and arm64, where a compiler may fuse float operations, give the
// same schedule to the last bit.
func (r *Random) exponential() (whole, fraction uint64) {
	for {
		first := r.Next()
		length := 1
		for last := first; ; length++ {
			u := r.Next()
			if u >= last {
				break
			}
			last = u
		}
		if length%2 == 1 {
			return whole, first
		}
		whole++
	}
}
