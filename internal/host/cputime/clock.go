// Package cputime reads the CPU time of threads, of this process and of the whole machine.
package cputime

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// OnThread runs f with its goroutine locked to a thread.
func OnThread(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f()
}

// ClockSeconds reads a clock, such as unix.CLOCK_THREAD_CPUTIME_ID.
func ClockSeconds(clock int32) (float64, error) {
	var ts unix.Timespec
	if err := unix.ClockGettime(clock, &ts); err != nil {
		return 0, err
	}
	return float64(ts.Sec) + float64(ts.Nsec)/1e9, nil
}

// Monotonic reads CLOCK_MONOTONIC, in nanoseconds.
func Monotonic() (int64, error) {
	var ts unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano(), err
}
