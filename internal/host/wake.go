package host

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// What is asked of an idle CPU: long enough asleep for the deep states that idle CPUs go into, often enough for a p99.
const (
	wakeSleep   = 2 * time.Millisecond
	wakeSamples = 100
)

// wakeLate is how late a thread runs that sleeps until a given time: the p99 over short sleeps, in seconds. What it waits for
// a CPU that others use is not counted, so that it is what waking the CPU takes.
func wakeLate(ctx context.Context, root Root) (p99 float64, err error) {
	onThread(func() {
		// A thread's timers may be 50 us late by default, to be served together. 0 gives it its default back.
		if err = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0); err != nil {
			return
		}
		defer func() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0) }()
		var late []float64
		if late, err = sleeps(ctx, root, unix.Gettid()); err == nil {
			p99 = nearestRank(late, .99)
		}
	})
	return p99, err
}

// sleeps are the delays of a thread's wake-ups, in seconds.
func sleeps(ctx context.Context, root Root, tid int) ([]float64, error) {
	waited, err := runDelay(root, tid)
	if err != nil {
		return nil, err
	}
	var out []float64
	for range wakeSamples {
		if ctx.Err() != nil {
			break
		}
		late, err := sleepOnce()
		if err != nil {
			return nil, err
		}
		now, err := runDelay(root, tid)
		if err != nil {
			return nil, err
		}
		out = append(out, max(0, late-(now-waited)))
		waited = now
	}
	return out, ctx.Err()
}

// sleepOnce sleeps until a time and returns by how many seconds it was missed.
func sleepOnce() (float64, error) {
	due, err := monotonic()
	if err != nil {
		return 0, err
	}
	due += wakeSleep.Nanoseconds()
	at := unix.NsecToTimespec(due)
	for {
		err = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &at, nil)
		if !errors.Is(err, unix.EINTR) { // Go's runtime sends signals to threads
			break
		}
	}
	if err != nil {
		return 0, err
	}
	now, err := monotonic()
	return float64(now-due) / 1e9, err
}

func monotonic() (int64, error) {
	var ts unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano(), err
}

// nearestRank is the smallest of the values that a share q of them does not exceed.
func nearestRank(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}
