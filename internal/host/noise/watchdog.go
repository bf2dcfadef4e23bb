package noise

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/host/cputime"
	"plimsoll/internal/host/hostfs"
)

const (
	watchStep = 10 * time.Millisecond // how often the watchdog wakes
	leastGap  = 50 * time.Millisecond // timers are late, too
	maxGaps   = 1024                  // that are kept one by one
	beforeGap = 2 * watchStep         // CPU time of each thread that may come from before a gap, since the watchdog ran last
)

// Gap is a time in which this process did not run though it could have: it was stopped, frozen, or its machine was.
type Gap struct {
	From, To int64   // CLOCK_MONOTONIC: when the watchdog ran last before it, and first after it
	Seconds  float64 // of these, without the time in which it waited for a CPU or ran
}

// Watchdog notes the gaps of this process. Its thread wakes every 10 ms. Waking late is no gap as
// far as the kernel counts the time as waiting for a CPU, or the process went on using CPU time, so
// that a busy machine makes none. It takes some microseconds a wake-up and allocates nothing.
type Watchdog struct {
	delay   *os.File // run delay of the watchdog's thread; nil: the kernel does not say
	buf     [64]byte
	running float64 // threads of this process that can run at once
	gaps    []Gap
	last    watched
	stop    atomic.Bool
	wake    int // eventfd(2) that ends a step early; -1: none
	ready   chan struct{}
	stopped chan struct{}
}

// watched is a reading at a wake-up of the watchdog.
type watched struct {
	at    int64
	cpu   float64 // seconds of the whole process
	delay float64 // seconds that the watchdog's thread has waited for a CPU
}

// Watch starts a watchdog for a process of which so many threads can run at once.
func Watch(root hostfs.Root, running int) *Watchdog {
	w := &Watchdog{running: float64(max(running, 1)), gaps: make([]Gap, 0, maxGaps), ready: make(chan struct{}), stopped: make(chan struct{})}
	var err error
	if w.wake, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		w.wake = -1 // Stop waits for the step's end
	}
	go w.run(root)
	<-w.ready
	return w
}

// Stop ends the watchdog and returns the gaps since Watch, in order. It may be called again.
func (w *Watchdog) Stop() []Gap {
	if w.stop.CompareAndSwap(false, true) && w.wake >= 0 {
		_, _ = unix.Write(w.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		<-w.stopped
		_ = unix.Close(w.wake)
	}
	<-w.stopped
	return w.gaps
}

func (w *Watchdog) run(root hostfs.Root) {
	defer close(w.stopped)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if f, err := os.Open(root.ProcPath("self/task", strconv.Itoa(unix.Gettid()), "schedstat")); err == nil {
		w.delay = f
		defer f.Close()
	}
	w.last = w.read()
	close(w.ready)
	for !w.stop.Load() {
		w.sleep(w.last.at + watchStep.Nanoseconds())
		now := w.read()
		w.note(now)
		w.last = now
	}
}

// sleep waits until a time on CLOCK_MONOTONIC, or until Stop.
func (w *Watchdog) sleep(until int64) {
	stopped := [1]unix.PollFd{{Fd: int32(w.wake), Events: unix.POLLIN}}
	for {
		now, _ := cputime.Monotonic()
		left := unix.NsecToTimespec(max(0, until-now))
		if _, err := unix.Ppoll(stopped[:], &left, nil); err != unix.EINTR {
			return
		}
	}
}

func (w *Watchdog) read() watched {
	var r watched
	r.at, _ = cputime.Monotonic()
	r.cpu, _ = cputime.ClockSeconds(unix.CLOCK_PROCESS_CPUTIME_ID)
	if w.delay != nil {
		if n, err := w.delay.ReadAt(w.buf[:], 0); n > 0 && (err == nil || n < len(w.buf)) {
			r.delay = float64(secondNumber(w.buf[:n])) / 1e9
		}
	}
	return r
}

// note keeps the time between two readings if it is a gap.
func (w *Watchdog) note(now watched) {
	ran := (now.cpu - w.last.cpu) / w.running
	gap := float64(now.at-w.last.at)/1e9 - max(0, now.delay-w.last.delay) - max(0, ran-beforeGap.Seconds())
	if gap < leastGap.Seconds() {
		return
	}
	if len(w.gaps) == maxGaps {
		last := &w.gaps[maxGaps-1]
		last.To, last.Seconds = now.at, last.Seconds+gap
		return
	}
	w.gaps = append(w.gaps, Gap{From: w.last.at, To: now.at, Seconds: gap})
}

// secondNumber returns the second of the numbers in a line of schedstat, as hostfs.ParseSchedstat
// reads it, without allocating; 0 if there is none.
func secondNumber(b []byte) uint64 {
	fields, n := 0, uint64(0)
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			if fields == 1 {
				n = n*10 + uint64(c-'0')
			}
		case c == ' ':
			fields++
		}
	}
	return n
}

// slowedByHeat counts since boot how often a CPU was slowed down for the heat of its core or of its
// package, once for each CPU. Only Intel's processors count it (Linux
// drivers/thermal/intel/therm_throt.c), and virtual machines hide it. ThermalThrottle of
// procfs/sysfs fails if a CPU has one of the two files alone.
func slowedByHeat(root hostfs.Root) (float64, error) {
	files, err := filepath.Glob(root.SysPath("devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count"))
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("thermal_throttle of the CPUs: %w", fs.ErrNotExist)
	}
	sum := 0.0
	for _, f := range files {
		n, err := hostfs.ReadNumber(f)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", f, err)
		}
		sum += float64(n)
	}
	return sum, nil
}
