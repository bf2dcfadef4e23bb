package load

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"golang.org/x/sys/unix"
)

// Clock reads CLOCK_MONOTONIC in nanoseconds, so that readings of different processes on one host are comparable.
// The runtime reads the same clock through the vDSO; the system call is made only to learn the constant between the
// runtime's zero and the clock's. The zero Clock is not usable.
type Clock struct {
	base   time.Time
	offset int64 // from time.Since(base) to CLOCK_MONOTONIC
}

// NewClock returns a clock whose readings differ from CLOCK_MONOTONIC by less
// than the length of one system call.
func NewClock() (Clock, error) {
	c := Clock{base: time.Now()}
	narrowest := int64(math.MaxInt64)
	// Each system call lies between two readings; the call with the narrowest
	// pair was disturbed least.
	for range 16 {
		var ts unix.Timespec
		before := int64(time.Since(c.base))
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
			return Clock{}, fmt.Errorf("read CLOCK_MONOTONIC: %w", err)
		}
		after := int64(time.Since(c.base))
		if after-before < narrowest {
			narrowest = after - before
			c.offset = ts.Nano() - before - narrowest/2
		}
	}
	return c, nil
}

// Now returns CLOCK_MONOTONIC in nanoseconds.
func (c Clock) Now() int64 { return c.offset + int64(time.Since(c.base)) }

// Cost returns the cost of one reading in nanoseconds: that of the cheapest of several batches, the least disturbed
// one.
func (c Clock) Cost() float64 {
	const batches, reads = 16, 2000
	least := math.Inf(1)
	for range batches {
		start := c.Now()
		for range reads - 1 {
			c.Now()
		}
		least = min(least, float64(c.Now()-start)/reads)
	}
	return least
}

// SpinControl returns how late, in nanoseconds, Poisson arrivals of rate per second are met for d by a thread that
// only spins. It is the best that a generator can do on this machine, and is shown beside a trial's send lag.
func SpinControl(d time.Duration, rate float64, seed uint64) (*hdrhistogram.Histogram, error) {
	if d <= 0 || d > maxTrial {
		return nil, fmt.Errorf("spin control: a duration of %v\nhint: give more than 0", d)
	}
	s, err := NewSchedule(Poisson, rate, seed)
	if err != nil {
		return nil, fmt.Errorf("spin control: %w", err)
	}
	clock, err := NewClock()
	if err != nil {
		return nil, fmt.Errorf("spin control: %w", err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	late := newHistogram()
	zero := clock.Now()
	for t := s.First(); t < int64(d); t = s.Next(t) {
		now := clock.Now()
		for now < zero+t {
			now = clock.Now()
		}
		put(late, now-zero-t, 1)
	}
	return late, nil
}
