package load

import (
	"errors"

	"golang.org/x/sys/unix"
)

const (
	// Lead is how long before an intended time a sleeping lane is woken, to spin
	// for the rest: a little more than a kernel timer is commonly late.
	Lead = 60_000 // ns
	// Nap is the longest sleep, so that an end is obeyed soon.
	Nap = 20_000_000 // ns
)

// fineTimers makes the calling thread's sleeps end on time instead of up to
// 50 us later, when the kernel may join timers. Where that is refused, sleeps
// are later, which the send lag shows.
func fineTimers() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) }

// sleepUntil sleeps until a CLOCK_MONOTONIC time. The runtime's preemption
// signals interrupt it; the time is absolute, so it just sleeps on.
func sleepUntil(ns int64) {
	ts := unix.NsecToTimespec(ns)
	for errors.Is(unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil), unix.EINTR) {
	}
}

// wait returns when due has come, or false when the load has been stopped, and
// the time that it then is. Spun is how much of it went into spinning, in
// nanoseconds: CPU time that the load did not need.
func (g *Generator) wait(due int64) (now, spun int64, ok bool) {
	now = g.clock.Now()
	for g.pacing == Sleep && due-now > Lead {
		if g.stopped() {
			return now, 0, false
		}
		sleepUntil(min(due-Lead, now+Nap))
		now = g.clock.Now()
	}
	from := now
	for now < due {
		if g.stopped() {
			return now, now - from, false
		}
		now = g.clock.Now()
	}
	return now, now - from, !g.stopped()
}
