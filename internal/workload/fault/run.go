package fault

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"plimsoll/internal/machine/host/cputime"
)

// Run is a fault that is intended, under way, or over.
type Run struct {
	cancel context.CancelFunc
	asked  atomic.Bool
	due    chan int64 // CLOCK_MONOTONIC in ns
	done   chan struct{}
	err    error
}

// Intend has happen called at the instant that At names. It outlives ctx, and ends with Close.
func Intend(ctx context.Context, happen func(context.Context) error) *Run {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r := &Run{cancel: cancel, due: make(chan int64, 1), done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.err = r.await(ctx, happen)
	}()
	return r
}

func (r *Run) await(ctx context.Context, happen func(context.Context) error) error {
	select {
	case at := <-r.due:
		now, err := cputime.Monotonic()
		if err == nil {
			err = Sleep(ctx, time.Duration(at-now))
		}
		if err != nil {
			return err
		}
		return happen(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// At names the instant: CLOCK_MONOTONIC, ns. It is called once.
func (r *Run) At(at int64) {
	r.asked.Store(true)
	r.due <- at
}

// Wait returns once the fault and all that follows from it are over, or why they are not as they should be.
func (r *Run) Wait(ctx context.Context) error {
	if r == nil {
		return nil
	}
	if !r.asked.Load() {
		return errors.New("the window never began, so that nothing was killed")
	}
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Over reports whether it is.
func (r *Run) Over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// Close ends it. It may be called again.
func (r *Run) Close() {
	if r != nil {
		r.cancel()
		<-r.done
	}
}

// Sleep waits so long, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
