package waits

import (
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
)

// TestBusiestThread: how many threads there are, and the CPU time of the one that has most.
func TestBusiestThread(t *testing.T) {
	const busy = 60 * time.Millisecond
	w := NewSampler(hostfs.System(), func() []int { return []int{os.Getpid()} }, nil).Sparing()
	if w.step <= Step || w.share >= waitShare {
		t.Errorf("every %v, %g of a CPU", w.step, w.share)
	}
	w.Start()
	for w.CPUSeconds() == 0 { // until it has looked
		time.Sleep(time.Millisecond)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for used := 0.; used < busy.Seconds(); {
			used, _ = cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
		}
		time.Sleep(5 * w.step) // it is there at a later look
	}()
	<-done
	got := w.Stop()
	if _, err := os.Stat("/proc/self/schedstat"); err != nil {
		t.Skip("the kernel keeps no schedstat")
	}
	if got.Threads < 1 || got.BusiestS <= 0 || got.Busiest == "" || got.RunDelayS < 0 {
		t.Errorf("%+v", got)
	}
}
