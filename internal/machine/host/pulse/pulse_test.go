package pulse

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// at has the pulse beat at that beat, whatever the clock says.
func (p *Pulse) at(beat int64) {
	p.beats, p.began = beat, 1<<62
	p.beat()
}

// TestTurns: each function has a step of its own, from a step later on at most; what was missed is not made up for, and
// the grid stays.
func TestTurns(t *testing.T) {
	p := Pulse{step: Beat}
	var got []int64
	p.at(7)
	remove := p.Every(4*Beat, func() { got = append(got, p.beats) })
	often := 0
	p.Every(Beat/4, func() { often++ })
	for _, beat := range []int64{8, 9, 10, 11, 12, 13, 16, 17, 31, 32, 33, 36, 40} {
		p.at(beat)
	}
	remove()
	p.at(100)
	if want := []int64{11, 16, 31, 36, 40}; !slices.Equal(got, want) || often != 14 {
		t.Errorf("called at %v and %d times, want %v and 14", got, often, want)
	}
}

// TestOneThread: functions are called on one thread, and once more at the end, but none that was removed.
func TestOneThread(t *testing.T) {
	p := Start(Beat)
	defer p.Stop()
	var calls atomic.Int64
	var inside atomic.Bool
	reached := make(chan struct{})
	var elsewhere atomic.Bool
	remove := p.Every(Beat, func() {
		inside.Store(true)
		elsewhere.Store(elsewhere.Load() || unix.Gettid() != p.Thread())
		if calls.Add(1) == 3 {
			close(reached)
		}
		time.Sleep(2 * time.Millisecond)
		inside.Store(false)
	})
	<-reached
	remove()
	if n := calls.Load(); inside.Load() || n < 3 || elsewhere.Load() {
		t.Errorf("removed in mid-call %t, after %d calls, on another thread %t", inside.Load(), n, elsewhere.Load())
	}
	n := calls.Load()
	last := 0
	p.Every(time.Hour, func() { last++ })
	p.Stop()
	p.Stop()
	if calls.Load() != n || last != 1 {
		t.Errorf("called %d times more after it was removed, %d times at the end", calls.Load()-n, last)
	}
}

func TestBeatAllocatesNothing(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p := Pulse{step: Beat, wake: -1}
	p.Every(Beat, func() {})
	if n := testing.AllocsPerRun(100, func() { p.sleep(0); p.beat() }); n != 0 {
		t.Errorf("%g allocations a beat", n)
	}
}
