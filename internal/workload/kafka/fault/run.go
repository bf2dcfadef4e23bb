package fault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plimsoll/internal/host/cputime"
)

// Cluster is what a fault happens to.
type Cluster interface {
	Kill(ctx context.Context, broker int) error
	// Restart starts a killed broker again, until the context ends, and returns once it listens.
	Restart(ctx context.Context, broker int) error
	// Whole reports whether every partition has a leader, and all of its replicas in sync.
	Whole(context.Context) (bool, error)
}

// The bounds of a fault's parts.
const (
	rejoining = 90 * time.Second // until a broker that listens has all records
	looking   = 50 * time.Millisecond
)

// Run is a fault under way.
type Run struct {
	cancel context.CancelFunc
	done   chan struct{}
	course Course
	err    error
}

// Begin kills a broker at an instant (CLOCK_MONOTONIC, ns) and starts it again so much later. The broker runs until Close.
func Begin(ctx context.Context, c Cluster, broker int, at int64, down time.Duration) *Run {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r := &Run{cancel: cancel, done: make(chan struct{}), course: Course{Broker: broker}}
	go func() {
		defer close(r.done)
		r.err = r.do(ctx, c, at, down)
	}()
	return r
}

func (r *Run) do(ctx context.Context, c Cluster, at int64, down time.Duration) error {
	now, err := cputime.Monotonic()
	if err != nil {
		return err
	}
	if err := sleep(ctx, time.Duration(at-now)); err != nil {
		return err
	}
	if r.course.Killed, err = cputime.Monotonic(); err != nil {
		return err
	}
	if err := c.Kill(ctx, r.course.Broker); err != nil {
		return err
	}
	back := make(chan error, 1)
	go func() { back <- r.restart(ctx, c, down) }()
	return r.watch(ctx, c, back)
}

func (r *Run) restart(ctx context.Context, c Cluster, down time.Duration) error {
	if err := sleep(ctx, down); err != nil {
		return err
	}
	return c.Restart(ctx, r.course.Broker)
}

// watch looks at the cluster until it is whole again.
func (r *Run) watch(ctx context.Context, c Cluster, back <-chan error) error {
	var late <-chan time.Time
	var last error
	for {
		whole, err := c.Whole(ctx)
		now, broken := cputime.Monotonic()
		switch {
		case broken != nil:
			return broken
		case err != nil:
			last = err
		case !whole && r.course.Left == 0:
			r.course.Left = now
		case whole && r.course.Left > 0 && r.course.Started > 0:
			r.course.InSync = now
			return nil
		}
		select {
		case err := <-back:
			if err != nil {
				return fmt.Errorf("broker %d was killed and did not start again: %w", r.course.Broker, err)
			}
			if r.course.Started, err = cputime.Monotonic(); err != nil {
				return err
			}
			back, late = nil, time.After(rejoining)
		case <-late:
			return errors.Join(fmt.Errorf("broker %d was killed, and %v after it listened again not all of its replicas are in sync",
				r.course.Broker, rejoining), last)
		case <-time.After(looking):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Wait returns once the cluster is whole again, or why it is not.
func (r *Run) Wait(ctx context.Context) error {
	if r == nil {
		return nil
	}
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Course returns what has happened, after Wait.
func (r *Run) Course() Course { return r.course }

// Close ends it, and the broker that it started.
func (r *Run) Close() {
	if r != nil {
		r.cancel()
		<-r.done
	}
}
