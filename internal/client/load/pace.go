package load

import (
	"errors"

	"golang.org/x/sys/unix"
)

const (
	// lead is the longest time before an intended time that a sleeping lane wakes, to spin for the rest: a little more
	// than the usual delay of a kernel timer.
	lead = 60_000 // ns
	// spinning is the part of the CPUs that lanes spin away at most, if the target shares these. Longer spinning would
	// slow it down: with two CPUs, 60 µs for each of 30,000 reads per second tripled the p99 of a loop device.
	spinning = .1
	// Nap is the longest sleep, so that an end is noticed soon.
	Nap = 20_000_000 // ns
)

// leadOf returns the lead on CPUs that the target shares, in nanoseconds, of lanes that make operations at a rate per
// second.
func leadOf(rate float64, cpus int) int64 { return int64(min(lead, spinning*float64(cpus)/rate*1e9)) }

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
	for g.pacing == Sleep && due-now > g.lead {
		if g.stopped() {
			return now, 0, false
		}
		sleepUntil(min(due-g.lead, now+Nap))
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
