package embedded

import (
	"runtime"
	"testing"
	"time"
)

// TestBurnTakesCPUTime: burning takes the requested CPU time of its own thread.
func TestBurnTakesCPUTime(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, want := range []time.Duration{0, 200 * time.Microsecond, 5 * time.Millisecond} {
		before, err := threadTime()
		if err != nil {
			t.Fatal(err)
		}
		if err := burn(want); err != nil {
			t.Fatal(err)
		}
		after, err := threadTime()
		if err != nil {
			t.Fatal(err)
		}
		if got := after - before; got < want {
			t.Errorf("burnt %v of CPU time, want %v", got, want)
		}
	}
}

// TestBurnerServesNoMoreAtOnce: a request waits until one of the servers is free.
func TestBurnerServesNoMoreAtOnce(t *testing.T) {
	b := newBurner(time.Microsecond, 2, 1)
	<-b.free
	<-b.free
	done := make(chan error)
	for range 3 {
		go func() { done <- b.hold() }()
	}
	select {
	case <-done:
		t.Error("a request was served while no server was free")
	case <-time.After(20 * time.Millisecond):
	}
	b.free <- struct{}{}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if len(b.free) != 1 {
		t.Errorf("%d servers are free after all, want 1", len(b.free))
	}
}
