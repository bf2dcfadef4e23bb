package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"

	"plimsoll/internal/workload"
)

// crew is the threads that run an order's lanes. Each lane keeps its locked
// thread from first touch until it is dismissed, so that its CPU time can be
// read after its last operation.
type crew struct {
	running   sync.WaitGroup // lanes in Run
	dismissal chan struct{}
}

// muster makes every lane on a thread of its own and sets it running; it waits
// in its first Take until the generator starts. After an error those made so
// far are running.
func (c *crew) muster(ctx context.Context, sides []*side) error {
	c.dismissal = make(chan struct{})
	for _, s := range sides {
		if err := c.enlistAll(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// enlistAll makes the lanes of one side, all at once: lanes of large machines
// have gigabytes to fill, each on its own CPU.
func (c *crew) enlistAll(ctx context.Context, s *side) error {
	ready := make(chan error, s.lanes)
	for i := range s.lanes {
		c.enlist(ctx, s, i, ready)
	}
	var errs []error
	for range s.lanes {
		errs = append(errs, <-ready)
	}
	return errors.Join(errs...)
}

func (c *crew) enlist(ctx context.Context, s *side, i int, ready chan<- error) {
	c.running.Add(1)
	go func() {
		// Never unlocked: the thread has an affinity of its own, and ends with
		// the goroutine.
		runtime.LockOSThread()
		if s.trial.Profiled {
			labelled(ctx)
		}
		lane, err := prepareLane(s, i)
		if err != nil {
			c.running.Done()
			ready <- fmt.Errorf("lane %d: %w", i, err)
			return
		}
		s.addThread(unix.Gettid())
		ready <- nil
		if err := lane.Run(ctx, s.gen.Lane(i)); err != nil {
			s.voidFor(fmt.Sprintf("lane %d: %v", i, s.cause(ctx, err)))
		}
		s.gen.Lane(i).Leave()
		c.running.Done()
		<-c.dismissal
	}()
}

// cause is why a lane failed, as far as its driver knows.
func (s *side) cause(ctx context.Context, err error) error {
	if c, ok := s.driver.(workload.Causer); ok && ctx.Err() == nil {
		return c.Cause(err)
	}
	return err
}

func prepareLane(s *side, i int) (workload.Lane, error) {
	if err := s.pin(i); err != nil {
		return nil, err
	}
	return s.driver.Lane(i)
}

// ended is closed when all lanes have.
func (c *crew) ended() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		c.running.Wait()
		close(done)
	}()
	return done
}

// dismiss lets the threads go.
func (c *crew) dismiss() {
	close(c.dismissal)
}
