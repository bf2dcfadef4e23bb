package restart

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plimsoll/internal/host/cputime"
	"plimsoll/internal/workload/fault"
)

// Cluster is what a fault happens to.
type Cluster interface {
	Kill(ctx context.Context, broker int) error
	// Restart starts a killed broker again, until the context ends, and returns once it listens. Its process is there when
	// await is called, and becomes the broker when that returns.
	Restart(ctx context.Context, broker int, await func(context.Context) error) error
	// InSync reports whether every partition has a leader, and all of its replicas in sync.
	InSync(context.Context) (bool, error)
}

// The bounds of a fault's parts.
const (
	rejoining = 90 * time.Second // until a broker that listens has all records
	looking   = 50 * time.Millisecond
)

// Run is a fault under way.
type Run struct {
	*fault.Run
	killed chan struct{} // closed once it is
	gone   chan struct{} // closed once Restart has returned
	end    context.CancelFunc
	course Course
}

// Prepare makes ready to kill a broker at At's instant, and to start it again so much later. The broker runs until Close.
func Prepare(ctx context.Context, c Cluster, broker int, down time.Duration) (*Run, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r := &Run{end: cancel, killed: make(chan struct{}), gone: make(chan struct{}), course: Course{Broker: broker}}
	there, back := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(r.gone)
		back <- c.Restart(ctx, broker, func(ctx context.Context) error {
			close(there)
			select {
			case <-r.killed:
				return fault.Sleep(ctx, down)
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
	r.Run = fault.Intend(ctx, func(ctx context.Context) error { return r.do(ctx, c, back) })
	return r, nil
}

func (r *Run) do(ctx context.Context, c Cluster, back <-chan error) error {
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

// watch looks at the cluster until all replicas are in sync again.
func (r *Run) watch(ctx context.Context, c Cluster, back <-chan error) error {
	var late <-chan time.Time
	var last error
	for {
		inSync, err := c.InSync(ctx)
		now, broken := cputime.Monotonic()
		switch {
		case broken != nil:
			return broken
		case err != nil:
			last = err
		case !inSync && r.course.Left == 0:
			r.course.Left = now
		case inSync && r.course.Left > 0 && r.course.Started > 0:
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

// Wait returns once all replicas are in sync again, or why it is not.
func (r *Run) Wait(ctx context.Context) error {
	if r == nil {
		return nil
	}
	return r.Run.Wait(ctx)
}

// Course returns what has happened, nothing before it is over.
func (r *Run) Course() Course {
	if r == nil || !r.Over() {
		return Course{}
	}
	return r.course
}

// Close ends it, and the broker that it started.
func (r *Run) Close() {
	if r != nil {
		r.end()
		r.Run.Close()
		<-r.gone
	}
}
