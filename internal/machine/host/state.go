package host

import (
	"cmp"
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
)

const (
	// stateSample is long enough for 20 of the 10 ms ticks that steal is counted in, and for a p99 of 100 wake-ups.
	stateSample = 200 * time.Millisecond
	// sampleVariable of the environment is only for tests, which start thousands of agents: another stateSample.
	sampleVariable = "PLIMSOLL_SAMPLE"
)

// sample returns for how long a busy thread and then a sleeping one are watched.
func sample() time.Duration {
	if given, err := time.ParseDuration(os.Getenv(sampleVariable)); err == nil && given > 0 {
		return given
	}
	return stateSample
}

// state measures how busy the machine is: its load, the time that a thread which is always ready
// loses to other processes and to the hypervisor, and how late a thread runs that a timer wakes.
func (d *description) state(ctx context.Context) {
	load, err := hostfs.LoadAverage(d.root)
	d.note("load average", err)
	before, errBefore := cputime.ReadStat(d.root)
	delay, errDelay := spinDelay(ctx, d.root)
	after, errAfter := cputime.ReadStat(d.root)

	s := &d.m.State
	s.Load1 = load
	s.Boot, err = hostfs.ReadText(d.root.ProcPath("sys/kernel/random/boot_id"))
	d.note("boot id", err)
	s.Available, err = hostfs.AvailableBytes(d.root)
	if !hostfs.NotHere(err) { // kernels before 3.14 do not say
		d.note("available memory", err)
	}
	d.note("run delay", errDelay)
	if errDelay == nil {
		s.RunDelayPct = &delay
		d.wake(ctx)
	}
	if err := cmp.Or(errBefore, errAfter); err != nil {
		d.note("steal", err)
		return
	}
	if total := cputime.Elapsed(after.CPUTotal) - cputime.Elapsed(before.CPUTotal); total > 0 {
		s.StealPct = cputime.Percent(after.CPUTotal.Steal-before.CPUTotal.Steal, total)
	}
}

// wake measures how late an idle CPU wakes. It comes after the busy thread, which keeps a core
// awake, and like that needs schedstat.
func (d *description) wake(ctx context.Context) {
	late, err := wakeLate(ctx, d.root)
	d.note("wake-up of an idle CPU", err)
	if err == nil {
		d.m.State.WakeP99S = &late
	}
}

// spinDelay keeps a thread busy and returns its run delay, % of the time.
func spinDelay(ctx context.Context, root hostfs.Root) (pct float64, err error) {
	cputime.OnThread(func() { pct, err = spin(ctx, root, unix.Gettid()) })
	return pct, err
}

func spin(ctx context.Context, root hostfs.Root, tid int) (float64, error) {
	before, err := hostfs.RunDelay(root, tid)
	if err != nil {
		return 0, err
	}
	length, start := sample(), time.Now()
	for time.Since(start) < length && ctx.Err() == nil {
	}
	wall := time.Since(start).Seconds()
	after, err := hostfs.RunDelay(root, tid)
	return 100 * (after - before) / wall, err
}

// wakeSleep is long enough for the deep states of idle CPUs.
const wakeSleep = 2 * time.Millisecond

// wakeLate returns how late a thread runs that sleeps until a given time: the p99 over short
// sleeps, in seconds. Time in which it waits for a CPU that others use is not counted.
func wakeLate(ctx context.Context, root hostfs.Root) (p99 float64, err error) {
	cputime.OnThread(func() {
		// A thread's timers may be 50 µs late by default, to be served together. 0 gives it its default back.
		if err = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0); err != nil {
			return
		}
		defer func() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0) }()
		var late []float64
		if late, err = sleeps(ctx, root, unix.Gettid()); err == nil {
			p99 = nearestRank(late, .99)
		}
	})
	return p99, err
}

// sleeps returns the delays of a thread's wake-ups, in seconds.
func sleeps(ctx context.Context, root hostfs.Root, tid int) ([]float64, error) {
	waited, err := hostfs.RunDelay(root, tid)
	if err != nil {
		return nil, err
	}
	var out []float64
	for range sample() / wakeSleep {
		if ctx.Err() != nil {
			break
		}
		late, err := sleepOnce()
		if err != nil {
			return nil, err
		}
		now, err := hostfs.RunDelay(root, tid)
		if err != nil {
			return nil, err
		}
		out = append(out, max(0, late-(now-waited)))
		waited = now
	}
	return out, ctx.Err()
}

// sleepOnce sleeps until a time and returns by how many seconds it was missed.
func sleepOnce() (float64, error) {
	due, err := cputime.Monotonic()
	if err != nil {
		return 0, err
	}
	due += wakeSleep.Nanoseconds()
	at := unix.NsecToTimespec(due)
	for {
		err = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &at, nil)
		if !errors.Is(err, unix.EINTR) { // Go's runtime sends signals to threads
			break
		}
	}
	if err != nil {
		return 0, err
	}
	now, err := cputime.Monotonic()
	return float64(now-due) / 1e9, err
}

// nearestRank returns the smallest of the values that a share q of them does not exceed.
func nearestRank(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}
