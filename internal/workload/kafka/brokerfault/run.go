package brokerfault

import (
	"context"
	"time"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/workload/fault"
)

// Cluster is what a fault happens to.
type Cluster interface {
	starter
	Kill(ctx context.Context, broker int) error
	// InSync reports whether every partition has a leader, and all of its replicas in sync.
	InSync(context.Context) (bool, error)
}

// Run is a fault under way.
type Run struct {
	*fault.Run
	next   *process // the broker's after its kill
	course Course
}

// Prepare makes ready to kill a broker at At's instant, and to start it again so much later. The broker runs until
// Close.
func Prepare(ctx context.Context, c Cluster, broker int, down time.Duration) (*Run, error) {
	next, err := fork(ctx, c, broker, down)
	if err != nil {
		return nil, err
	}
	r := &Run{next: next, course: Course{Broker: broker}}
	r.Run = fault.Intend(ctx, func(ctx context.Context) error { return r.do(ctx, c) })
	return r, nil
}

func (r *Run) do(ctx context.Context, c Cluster) error {
	err := stamp(&r.course.Killed)
	if err == nil {
		err = c.Kill(ctx, r.course.Broker)
	}
	if err != nil {
		return err
	}
	close(r.next.begin)
	back := func(ctx context.Context) (bool, error) {
		inSync, err := c.InSync(ctx)
		switch {
		case err != nil:
			return false, err
		case !inSync && r.course.Left == 0:
			return false, stamp(&r.course.Left)
		case inSync && r.course.Left > 0 && r.course.Started > 0:
			return true, stamp(&r.course.InSync)
		}
		return false, nil
	}
	return r.next.await(ctx, phase{back, "was killed and did not start again",
		"was killed, and %v after it listened again not all of its replicas are in sync"},
		func() error { return stamp(&r.course.Started) })
}

// stamp sets an instant to now.
func stamp(at *int64) (err error) {
	*at, err = cputime.Monotonic()
	return err
}

// Wait returns once all replicas are in sync again, or why they are not.
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
		r.next.end()
		r.Run.Close()
		r.next.close()
	}
}
