package embedded

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// burner serves requests by real work: each takes a CPU for its service time, so that CPU use shows how full the
// server is. Requests queue for one of its servers, first come first served.
type burner struct {
	mean time.Duration
	free chan struct{} // holds one token for each free server

	mu   sync.Mutex
	rand *rand.Rand
}

func newBurner(mean time.Duration, servers int, seed uint64) *burner {
	b := &burner{mean: mean, free: make(chan struct{}, servers), rand: services(seed)}
	for range servers {
		b.free <- struct{}{}
	}
	return b
}

func (b *burner) hold() error {
	b.mu.Lock()
	work := time.Duration(b.rand.ExpFloat64() * float64(b.mean))
	b.mu.Unlock()
	<-b.free
	defer func() { b.free <- struct{}{} }()
	return burn(work)
}

// burn returns once this thread has had so much CPU time, however long it was preempted.
func burn(work time.Duration) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begun, err := threadTime()
	if err != nil {
		return err
	}
	for {
		now, err := threadTime()
		if err != nil || now-begun >= work {
			return err
		}
	}
}

func threadTime() (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0, fmt.Errorf("CPU time of a thread: %w", err)
	}
	return time.Duration(t.Nano()), nil
}
