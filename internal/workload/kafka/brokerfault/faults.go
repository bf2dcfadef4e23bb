package brokerfault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload/fault"
)

// Faults are what happens to a cluster in the window, as a share of it: 0 for what does not.
type Faults struct{ Kill, Add float64 }

// ParseFaults reads them: "kill@25%,add@60%".
func ParseFaults(text string) (Faults, error) {
	var out Faults
	all, err := fault.ParseList(text, fault.Kill, fault.Add)
	for _, f := range all {
		at := &out.Kill
		if f.Kind == fault.Add {
			at = &out.Add
		}
		if *at > 0 {
			return out, fmt.Errorf("%q has %s twice", text, f.Kind)
		}
		*at = f.At
	}
	return out, err
}

// None reports whether nothing is to happen.
func (f Faults) None() bool { return f == Faults{} }

// Shares returns how much of the window is over when each of them happens.
func (f Faults) Shares() []float64 {
	return slices.DeleteFunc([]float64{f.Kill, f.Add}, func(share float64) bool { return share == 0 })
}

// Added returns the number of brokers that are added in the window.
func (f Faults) Added() int {
	if f.Add > 0 {
		return 1
	}
	return 0
}

// Runs are the Faults of a run under way; nil for what does not happen.
type Runs struct {
	wanted Faults
	killed *Run
	added  *Addition
}

// Who are the brokers that faults happen to.
type Who struct {
	Killed, Added int
	Down          time.Duration // of the one that is killed
	Only          int           // of both, the one on this host; 0: any
}

// Schedule makes ready what is wanted: the broker that is killed, and one that is added. Begin names the window.
func (f Faults) Schedule(ctx context.Context, c *Topic, w Who) (r Runs, err error) {
	r.wanted = f
	if f.Kill > 0 && (w.Only == 0 || w.Only == w.Killed) {
		if r.killed, err = Prepare(ctx, c, w.Killed, w.Down); err != nil {
			return r, err
		}
		r.killed.next.beside = func() bool { return f.Add > 0 && (r.added == nil || !r.added.Over()) }
	}
	if f.Add > 0 && (w.Only == 0 || w.Only == w.Added) {
		if r.added, err = PrepareAddition(ctx, c, w.Added); err != nil {
			return r, err
		}
		r.added.next.beside = func() bool { return f.Kill > 0 && (r.killed == nil || !r.killed.Over()) }
	}
	return r, err
}

// Begin has the Faults happen in a window: CLOCK_MONOTONIC, ns.
func (r Runs) Begin(from, to int64) {
	if r.killed != nil {
		r.killed.At(within(r.wanted.Kill, from, to))
	}
	if r.added != nil {
		r.added.At(within(r.wanted.Add, from, to))
	}
}

// within returns the instant when a share of a window is over; 0 for no share.
func within(share float64, from, to int64) int64 {
	if share == 0 {
		return 0
	}
	return from + int64(share*float64(to-from))
}

// Killed returns the broker that is killed here; 0: none is.
func (r Runs) Killed() int {
	if r.killed == nil {
		return 0
	}
	return r.killed.next.broker
}

// Wait returns once all that follows from the Faults is over.
func (r Runs) Wait(ctx context.Context) error {
	return errors.Join(r.killed.Wait(ctx), r.added.Wait(ctx))
}

// Close ends the faults, and the brokers that they started. It may be called again.
func (r Runs) Close() {
	r.killed.Close()
	r.added.Close()
}

// Events returns what happened to brokers.
func (r Runs) Events() []record.Event {
	out := append(r.killed.Course().Events(), r.added.Course().Events()...)
	slices.SortStableFunc(out, func(a, b record.Event) int { return int(a.TimeNs - b.TimeNs) })
	return out
}

// Values returns what the Faults cost. What follows from one is told apart up to the next, which on another host
// happens when it is due.
func (r Runs) Values(res load.Result) []record.Value {
	killed, added := r.killed.Course(), r.added.Course()
	killedAt, addedAt := killed.Killed, added.Begun
	if r.killed == nil {
		killedAt = within(r.wanted.Kill, res.Start, res.End)
	}
	if r.added == nil {
		addedAt = within(r.wanted.Add, res.Start, res.End)
	}
	until := func(next int64) []int64 {
		ops := res.Windows.Ops
		if next == 0 || len(ops) == 0 { // no other fault, or no window began
			return ops
		}
		return ops[:min(max((next-res.Start)/res.Windows.StepNs, 0), int64(len(ops)))]
	}
	if killedAt > 0 && killedAt < addedAt {
		return append(killed.Values(until(addedAt), res.Start, res.Windows.StepNs),
			added.Values(until(0), res.Start, res.Windows.StepNs)...)
	}
	return append(added.Values(until(killedAt), res.Start, res.Windows.StepNs),
		killed.Values(until(0), res.Start, res.Windows.StepNs)...)
}
