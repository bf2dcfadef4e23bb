package load

import (
	"errors"

	"golang.org/x/sys/unix"
)

const (
	// Lead is how long before an intended time a sleeping lane wakes, to spin for the rest: a little more than the
	// usual delay of a kernel timer.
	Lead = 60_000 // ns
	// Nap is the longest sleep, so that an end is noticed soon.
	Nap = 20_000_000 // ns
)

// fineTimers makes the calling thread's sleeps end on time instead of up to 50 µs later, when the kernel may
// coalesce timers. If that is refused, sleeps are later, which the send lag shows.
func fineTimers() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) }

// sleepUntil sleeps until a CLOCK_MONOTONIC time. The runtime's preemption signals interrupt it; since the time is
// absolute, it just resumes.
func sleepUntil(ns int64) {
	ts := unix.NsecToTimespec(ns)
	for errors.Is(unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil), unix.EINTR) {
	}
}

// wait returns when due has come, or false if the load has been stopped, together with the time. spun is the part
// spent spinning, in nanoseconds: CPU time that the load did not need.
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
