// Package pulse wakes those who watch a measured window.
package pulse

import (
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
)

// Beat is the time between two wake-ups of the pulse that has the watchdog.
const Beat = 25 * time.Millisecond

// Pulse calls functions on one thread, each at a step of its own, none of which may sleep. To wake a virtual CPU that
// sleeps takes as much CPU time as a sampler's readings or more (bench/samplers), so all of them share the wake-ups. It
// allocates nothing while it beats.
type Pulse struct {
	step    time.Duration
	mu      sync.Mutex // held while functions are called
	turns   []*turn
	began   int64 // CLOCK_MONOTONIC
	beats   int64 // since then; those that were missed count
	wake    int   // eventfd(2) that ends a beat early; -1: none
	ended   bool
	tid     int
	stopped chan struct{}
}

// turn is one function.
type turn struct {
	every, due int64 // beats
	do         func()
}

// Start begins to beat, every step. It must be followed by Stop.
func Start(step time.Duration) *Pulse {
	p := &Pulse{step: step, stopped: make(chan struct{})}
	var err error
	if p.wake, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		p.wake = -1 // Stop waits for the beat's end
	}
	p.began, _ = cputime.Monotonic()
	ready := make(chan struct{})
	go p.run(ready)
	<-ready
	return p
}

// Thread returns the kernel's id of the thread.
func (p *Pulse) Thread() int { return p.tid }

// Every has a function called every step, which is rounded to whole beats, until remove returns, which no function may
// call. The first call comes within a step, at most a beat early. Calls that were missed are not made up for.
func (p *Pulse) Every(step time.Duration, do func()) (remove func()) {
	t := &turn{every: max(1, int64((step+p.step/2)/p.step)), do: do}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.due = p.passed() + t.every
	p.turns = append(p.turns, t)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.turns = slices.DeleteFunc(p.turns, func(other *turn) bool { return other == t })
	}
}

// Stop has every function called once more and ends the beating. It may be called again.
func (p *Pulse) Stop() {
	p.mu.Lock()
	first := !p.ended
	p.ended = true
	p.mu.Unlock()
	if first && p.wake >= 0 {
		_, _ = unix.Write(p.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		<-p.stopped
		_ = unix.Close(p.wake)
	}
	<-p.stopped
}

func (p *Pulse) run(ready chan<- struct{}) {
	defer close(p.stopped)
	// Its clocks are those of whoever is called. And Go would have another thread wake a goroutine that sleeps on one of
	// its own.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p.tid = unix.Gettid()
	close(ready)
	for {
		p.sleep(p.began + (p.beats+1)*p.step.Nanoseconds())
		if !p.beat() {
			return
		}
	}
}

// sleep waits until a time on CLOCK_MONOTONIC, or until Stop, without Go's knowing. Otherwise Go's monitor takes the
// processor of this thread after 10 ms, and then looks for work 60 times: 2,400 wake-ups a second and 3% of a CPU. This
// way it only interrupts the wait every 10 ms, which also lets a collection begin.
func (p *Pulse) sleep(until int64) {
	stopped := [1]unix.PollFd{{Fd: int32(p.wake), Events: unix.POLLIN}}
	for {
		now, _ := cputime.Monotonic()
		left := unix.NsecToTimespec(max(0, until-now))
		_, _, err := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&stopped[0])), 1, uintptr(unsafe.Pointer(&left)),
			0, 0, 0)
		if err != unix.EINTR {
			return
		}
	}
}

// passed returns how many beats have.
func (p *Pulse) passed() int64 {
	now, _ := cputime.Monotonic()
	return max(p.beats, (now-p.began)/p.step.Nanoseconds())
}

// beat calls the functions that are due; all of them, and it returns false, once the pulse was stopped.
func (p *Pulse) beat() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.beats = p.passed()
	for _, t := range p.turns {
		if p.ended || p.beats >= t.due {
			t.do()
			t.due += (p.beats-t.due)/t.every*t.every + t.every
		}
	}
	return !p.ended
}
