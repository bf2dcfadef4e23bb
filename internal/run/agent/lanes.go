package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/workload"
)

// lanes runs the lanes of an order, each on a locked thread that lives from first touch to stop, so that its CPU time
// can still be read after its last operation.
type laneThreads struct {
	running sync.WaitGroup // lanes in Run
	release chan struct{}
	late    atomic.Bool // lanes were ended after the window, with operations in flight
}

// start launches each lane on its own locked thread. Lanes block in their first Take until the generator starts. After
// an error, the lanes started so far keep running.
func (c *laneThreads) start(ctx context.Context, sides []*side) error {
	c.release = make(chan struct{})
	for _, s := range sides {
		if err := c.startSide(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// startSide prepares the lanes of one side concurrently: on large machines each has gigabytes to fill, on its own CPU.
func (c *laneThreads) startSide(ctx context.Context, s *side) error {
	ready := make(chan error, s.lanes)
	for i := range s.lanes {
		c.startLane(ctx, s, i, ready)
	}
	var first error
	failed, silent := 0, 0
	for range s.lanes {
		err := <-ready
		if err == nil {
			continue
		}
		failed++
		if late := interface{ Timeout() bool }(nil); errors.As(err, &late) && late.Timeout() {
			silent++
		}
		if first == nil {
			first = err
		}
	}
	switch {
	case failed < 2:
		return first
	case silent == failed:
		return fmt.Errorf("%d of %d clients got no answer; the first: %w", failed, s.lanes, first)
	}
	return fmt.Errorf("%d of %d lanes failed; the first: %w", failed, s.lanes, first)
}

func (c *laneThreads) startLane(ctx context.Context, s *side, i int, ready chan<- error) {
	c.running.Add(1)
	go func() {
		// Never unlocked: the thread has its own CPU affinity, and exits with the goroutine.
		runtime.LockOSThread()
		if s.trial.Profiled {
			labelled(ctx)
		}
		if s.spec.Waits {
			withoutPreemption()
		}
		lane, err := prepareLane(s, i)
		if err != nil {
			c.running.Done()
			ready <- fmt.Errorf("lane %d: %w", i, err)
			return
		}
		s.addThread(unix.Gettid())
		ready <- nil
		if err := lane.Run(ctx, s.gen.Lane(i)); err != nil && !(c.late.Load() && ctx.Err() != nil) {
			s.voidFor(fmt.Sprintf("lane %d: %v", i, s.cause(ctx, err)))
		}
		s.gen.Lane(i).Leave()
		c.running.Done()
		<-c.release
	}()
}

// withoutPreemption blocks SIGURG on this thread, by which Go interrupts a goroutine that runs for 10 ms. A lane that
// waits in the kernel without Go's knowing seems to run all the time, and a signal delays its operation. Such a lane
// still yields at function calls.
func withoutPreemption() {
	var set unix.Sigset_t
	set.Val[0] = 1 << (unix.SIGURG - 1)
	_ = unix.PthreadSigmask(unix.SIG_BLOCK, &set, nil) // it fails for unknown arguments only
}

// cause returns the reason that a lane failed, as far as its driver knows it.
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
	if s.node != nil && s.spec.Charge == workload.Lanes {
		if _, err := topology.BindMemory(s.node.number); err != nil {
			return nil, err
		}
	}
	return s.driver.Lane(i)
}

// ended returns a channel that closes when all lanes have returned from Run.
func (c *laneThreads) ended() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		c.running.Wait()
		close(done)
	}()
	return done
}

// stop lets the threads exit.
func (c *laneThreads) stop() {
	close(c.release)
}
