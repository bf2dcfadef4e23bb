package noise

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/pulse"
)

const (
	leastGap  = 65 * time.Millisecond   // timers are late, too
	maxGaps   = 1024                    // that are kept one by one
	waitedFor = int64(time.Millisecond) // a reading that takes so long
	// CPU time of each thread that may come from before a gap, since the watchdog ran last
	beforeGap = pulse.Beat + 10*time.Millisecond
)

// Gap is a time in which this process did not run though it could have: it was stopped, frozen, or its machine was.
type Gap struct {
	From, To int64   // CLOCK_MONOTONIC: when the watchdog ran last before it, and first after it
	Seconds  float64 // of these, without the time in which it waited for a CPU or ran
}

// Watchdog notes the gaps of this process, at each beat of a pulse. A beat that comes late is no gap as far as the
// kernel counts the time as waiting of a thread for a CPU, or the process went on using CPU time, so that a busy
// machine makes none. It takes some microseconds a beat, up to a hundred on a busy machine, and allocates only when
// threads come or go.
type Watchdog struct {
	queue   *runQueue
	own     *cputime.Threads // the pulse's
	running float64          // threads of this process that can run at once
	gaps    []Gap
	began   float64 // CPU seconds that the pulse's thread had used at Watch
	last    watched
	pulse   *pulse.Pulse
}

// watched is a reading at a beat.
type watched struct {
	at  int64
	cpu float64 // seconds of the whole process
	// seconds that a thread waited for a CPU since the run queue was read last: of all of them the most, at each reading
	delay float64
	used  float64 // CPU seconds of the pulse's thread
}

// Watch starts a watchdog for a process of which so many threads can run at once.
func Watch(p *pulse.Pulse, root hostfs.Root, running int) *Watchdog {
	w := &Watchdog{pulse: p, queue: newRunQueue(root, p.Thread()), own: cputime.NewThreads(p.Thread()),
		running: float64(max(running, 1)), gaps: make([]Gap, 0, maxGaps)}
	w.last = w.read()
	w.began = w.last.used
	p.Every(pulse.Beat, w.beat)
	return w
}

// Stop ends the watchdog and its pulse, and returns the gaps since Watch, in order. It may be called again.
func (w *Watchdog) Stop() []Gap {
	w.pulse.Stop()
	w.queue.close()
	return w.gaps
}

// CPUSeconds returns what all who watch by its pulse have used since Watch, with what their wake-ups cost, until Stop
// or the last beat.
func (w *Watchdog) CPUSeconds() float64 { return w.last.used - w.began }

func (w *Watchdog) beat() {
	now := w.read()
	w.note(now)
	w.last = now
}

func (w *Watchdog) read() watched {
	var r watched
	r.at, _ = cputime.Monotonic()
	for range 3 { // while it is late, and had to wait as it read
		before := r.at
		r.delay += w.queue.longest(time.Duration(before-w.last.at) >= leastGap)
		if r.at, _ = cputime.Monotonic(); r.at-before < waitedFor || time.Duration(r.at-w.last.at) < leastGap {
			break
		}
	}
	r.cpu, _ = cputime.ClockSeconds(unix.CLOCK_PROCESS_CPUTIME_ID)
	r.used, _ = w.own.CPUSeconds()
	return r
}

// note keeps the time between two readings if it is a gap.
func (w *Watchdog) note(now watched) {
	ran := (now.cpu - w.last.cpu) / w.running
	gap := float64(now.at-w.last.at)/1e9 - now.delay - max(0, ran-beforeGap.Seconds())
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
