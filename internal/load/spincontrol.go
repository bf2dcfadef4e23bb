package load

import (
	"fmt"
	"runtime"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

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
