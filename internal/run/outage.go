package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
)

// A host that is away is tried again after firstPause, and then after twice as long each time, up to mostPause.
const (
	firstPause = time.Second
	mostPause  = 15 * time.Second
)

// hostLost is the error of a host that was away for longer than it may.
type hostLost struct {
	host  string
	cause error
}

func (e hostLost) Error() string { return e.cause.Error() }
func (e hostLost) Unwrap() error { return e.cause }

// attached calls do, and again if a host cannot be reached, until all of its hosts are back or one has been away for
// MaxOutage. The error is then a hostLost. This host has no connection that could be lost.
func (l *Loop) attached(ctx context.Context, do func() error) error {
	err := do()
	var gone agent.Unreachable
	if !errors.As(err, &gone) || gone.On == "" || ctx.Err() != nil {
		return err
	}
	// when each was missed first: of several hosts, any may be the first
	absent, away := map[string]time.Duration{}, time.Duration(0)
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		if _, known := absent[gone.On]; !known {
			absent[gone.On], pause = away, firstPause
			l.missed(gone.On, err)
		}
		left := l.MaxOutage - (away - absent[gone.On])
		if left <= 0 {
			return hostLost{gone.On, err}
		}
		pause = min(pause, left)
		if err := l.pause(ctx, pause); err != nil {
			return err
		}
		began := time.Now()
		err = do()
		if err != nil && ctx.Err() != nil {
			return err // which says nothing about the host
		}
		if !errors.As(err, &gone) || gone.On == "" {
			l.returned(absent, away+pause)
			return err
		}
		away += pause + time.Since(began)
	}
}

// missed tells that a host is away.
func (l *Loop) missed(host string, err error) {
	if l.MaxOutage > 0 {
		l.tell(l.event(host, record.HostAway, brief(err)),
			fmt.Sprintf("is away, and is tried again for %v: %s", l.MaxOutage, brief(err)))
	}
}

// returned tells that hosts are back, which were missed at these times.
func (l *Loop) returned(absent map[string]time.Duration, now time.Duration) {
	for _, host := range slices.Sorted(maps.Keys(absent)) {
		away := (now - absent[host]).Round(time.Second)
		l.tell(l.event(host, record.HostBack, away.String()), fmt.Sprintf("is back after %v", away))
	}
}

// ask has an order's host do something about it, also if the host is away for a while.
func (l *Loop) ask(ctx context.Context, o record.Order, do string) (got outcome, err error) {
	machine := l.Machines[o.Host]
	err = l.attached(ctx, func() error {
		got = outcome{session: inTurn{l}}
		return l.Agents[o.Host].Do(ctx, agent.Request{Do: do, Order: &o, Machine: &machine, Tune: l.Tune},
			got.take)
	})
	return got, err
}

// resent asks a host, whose connection broke while it measured, for what it has finished meanwhile; no trials if it had
// not.
func (l *Loop) resent(ctx context.Context, o record.Order) (outcome, error) {
	got, err := l.ask(ctx, o, agent.DoResend)
	var lost agent.Lost
	var fault *agent.Fault
	if errors.As(err, &lost) || errors.As(err, &fault) {
		return outcome{}, nil // the first cause counts
	}
	if err == nil && len(got.trials) > 0 {
		l.tell(l.event(o.Host, record.RunResent, got.trials[0].ID), "has sent again what it had finished: "+Label(l.named(o)))
	}
	return got, err
}

// pause waits between two tries.
func (l *Loop) pause(ctx context.Context, d time.Duration) error {
	if l.Pause != nil {
		return l.Pause(ctx, d)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// brief returns the first line of an error: its hint was shown when it could still be heeded.
func brief(err error) string {
	text, _ := usage.Parts(err)
	return text
}

// event returns what happened to a host now.
func (l *Loop) event(host, name, detail string) record.Event {
	m := l.Machines[host]
	return record.Event{Name: name, Detail: detail, OfHost: record.OfHost{
		Plan: plan.Hash(l.Plan), Host: host, Machine: m.Name, MachineID: m.ID, At: record.FormatTime(time.Now()),
	}}
}

// tell writes an event of a host to the session, and says it. If it cannot be written the next trial cannot either,
// whose error counts.
func (l *Loop) tell(e record.Event, text string) {
	_ = inTurn{l}.Event(e)
	l.Progress.Note(e.Machine + " " + text)
}

// lose records that a host is lost, with the cause.
func (l *Loop) lose(lost hostLost) error {
	e := l.event(lost.host, record.HostLost, brief(lost))
	l.Lost = append(l.Lost, e)
	l.Progress.Note(fmt.Sprintf("%s is lost: %s", e.Machine, e.Detail))
	return inTurn{l}.Event(e)
}

// alone reports whether no host is left to measure.
func (l *Loop) alone() bool {
	return !slices.ContainsFunc(l.Plan.Cells, func(c record.Cell) bool {
		return !slices.ContainsFunc(l.Lost, func(e record.Event) bool { return c.On(e.Host) })
	})
}
