package cputime

import (
	"fmt"

	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
)

// Threads is the account of threads of this process.
type Threads struct {
	tids []int
}

// NewThreads opens the account of the given threads of this process, by their
// kernel ids; without any, of the whole process and none of its children.
func NewThreads(tids ...int) *Threads { return &Threads{tids: tids} }

// CPUSeconds fails once one of the threads has ended.
func (t *Threads) CPUSeconds() (float64, error) {
	if len(t.tids) == 0 {
		return ClockSeconds(unix.CLOCK_PROCESS_CPUTIME_ID)
	}
	sum := 0.0
	for _, tid := range t.tids {
		s, err := ClockSeconds(threadClock(tid))
		if err != nil {
			return 0, fmt.Errorf("cpu time of thread %d: %w", tid, err)
		}
		sum += s
	}
	return sum, nil
}

// threadClock returns the CPU clock of any thread of this process, as the kernel builds it:
// include/linux/posix-timers_types.h, MAKE_THREAD_CPUCLOCK with CPUCLOCK_SCHED.
func threadClock(tid int) int32 {
	const perThread, sched = 4, 2
	return int32(^tid<<3 | perThread | sched)
}

// Source returns record.ChargedThreads.
func (t *Threads) Source() string { return record.ChargedThreads }

// Close does nothing.
func (t *Threads) Close() error { return nil }
