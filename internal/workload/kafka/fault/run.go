package fault

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"plimsoll/internal/host/cputime"
)

// Cluster is what a fault happens to.
type Cluster interface {
	Kill(ctx context.Context, broker int) error
	// Restart starts a killed broker again, until the context ends, and returns once it listens. Its process is there when
	// await is called, and becomes the broker when that returns.
	Restart(ctx context.Context, broker int, await func(context.Context) error) error
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
	asked  atomic.Bool   // Kill was called
	due    chan int64    // when to kill, CLOCK_MONOTONIC in ns
	killed chan struct{} // closed once it is
	done   chan struct{}
	gone   chan struct{} // closed once Restart has returned
	course Course
	err    error
}

// Prepare makes ready to kill a broker at Kill's instant, and to start it again so much later. The broker runs until Close.
func Prepare(ctx context.Context, c Cluster, broker int, down time.Duration) (*Run, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r := &Run{cancel: cancel, due: make(chan int64, 1), killed: make(chan struct{}), done: make(chan struct{}),
		gone: make(chan struct{}), course: Course{Broker: broker}}
	there, back := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(r.gone)
		back <- c.Restart(ctx, broker, func(ctx context.Context) error {
			close(there)
			select {
			case <-r.killed:
				return sleep(ctx, down)
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	}()
	select {
	case <-there:
	case err := <-back:
		cancel()
		return nil, fmt.Errorf("prepare to start broker %d again: %w", broker, err)
	}
	go func() {
		defer close(r.done)
		r.err = r.do(ctx, c, back)
	}()
	return r, nil
}

// Kill has the broker killed at an instant: CLOCK_MONOTONIC, ns. It is called once.
func (r *Run) Kill(at int64) {
	r.asked.Store(true)
	r.due <- at
}

func (r *Run) do(ctx context.Context, c Cluster, back <-chan error) error {
	select {
	case at := <-r.due:
		now, err := cputime.Monotonic()
		if err != nil {
			return err
		}
		if err := sleep(ctx, time.Duration(at-now)); err != nil {
			return err
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	var err error
	if r.course.Killed, err = cputime.Monotonic(); err != nil {
		return err
	}
	if err := c.Kill(ctx, r.course.Broker); err != nil {
		return err
	}
	close(r.killed)
	return r.watch(ctx, c, back)
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
	if !r.asked.Load() {
		return errors.New("the window never began, so that no broker was killed")
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
		<-r.gone
	}
}
