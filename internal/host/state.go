package host

import (
	"cmp"
	"context"
	"time"

	"golang.org/x/sys/unix"
)

// stateSample is long enough for 20 of the 10 ms ticks that steal is counted in.
const stateSample = 200 * time.Millisecond

// state says how busy the machine is: its load, what a thread that wants to
// run all the time loses to other processes and to the hypervisor, and how late one runs that a timer wakes.
func (d *description) state(ctx context.Context) {
	load, err := loadAverage(d.root)
	d.note("load average", err)
	before, errBefore := readStat(d.root)
	delay, errDelay := spinDelay(ctx, d.root)
	after, errAfter := readStat(d.root)

	s := &d.m.State
	s.Load1 = load
	s.Boot, err = readText(d.root.proc("sys/kernel/random/boot_id"))
	d.note("boot id", err)
	s.Available, err = availableBytes(d.root)
	if !NotHere(err) { // kernels before 3.14 do not say
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
	if total := passed(after.CPUTotal) - passed(before.CPUTotal); total > 0 {
		s.StealPct = percent(after.CPUTotal.Steal-before.CPUTotal.Steal, total)
	}
}

// wake says how late an idle CPU wakes. It comes after the busy thread, which keeps a core awake, and like that needs to know what
// threads wait for each other.
func (d *description) wake(ctx context.Context) {
	late, err := wakeLate(ctx, d.root)
	d.note("wake-up of an idle CPU", err)
	if err == nil {
		d.m.State.WakeP99S = &late
	}
}

// percent is part of whole in %. Counters of separate CPUs are not read at one
// instant, so that a small part can come out below zero: it is zero then.
func percent(part, whole float64) *float64 {
	pct := max(0, 100*part/whole)
	return &pct
}

// spinDelay keeps a thread busy and returns its run delay, % of the time.
func spinDelay(ctx context.Context, root Root) (pct float64, err error) {
	onThread(func() { pct, err = spin(ctx, root, unix.Gettid()) })
	return pct, err
}

func spin(ctx context.Context, root Root, tid int) (float64, error) {
	before, err := runDelay(root, tid)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	for time.Since(start) < stateSample && ctx.Err() == nil {
	}
	wall := time.Since(start).Seconds()
	after, err := runDelay(root, tid)
	return 100 * (after - before) / wall, err
}
