package main

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// holder returns once a request that takes so long has been served.
type holder func(time.Duration)

func newHolder(hold string, servers int) holder {
	if hold == "cpu" {
		free := make(chan struct{}, servers)
		return func(d time.Duration) {
			free <- struct{}{}
			burn(d)
			<-free
		}
	}
	// The queue lives in computed time: a timer that rings late delays one answer and not those behind it.
	var mu sync.Mutex
	at := make(agenda, servers)
	return func(d time.Duration) {
		mu.Lock()
		until := at.serve(time.Now(), d)
		mu.Unlock()
		time.Sleep(time.Until(until))
	}
}

// agenda holds when each server becomes free.
type agenda []time.Time

// serve gives a request that arrives now to the server that becomes free first, and returns when it is done.
func (a agenda) serve(now time.Time, d time.Duration) time.Time {
	at := 0
	for i := range a {
		if a[i].Before(a[at]) {
			at = i
		}
	}
	a[at] = slices.MaxFunc([]time.Time{a[at], now}, time.Time.Compare).Add(d)
	return a[at]
}

// burn uses d of CPU time of a thread.
func burn(d time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for began := threadTime(); threadTime()-began < d; {
	}
}

func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // Linux has this clock
	}
	return time.Duration(t.Nano())
}
