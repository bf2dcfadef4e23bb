package run

import (
	"context"
	"errors"
	"slices"
	"time"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
)

// scheduler carries out the orders of a plan, concurrently if the plan lets the sides of a pair run on different hosts
// at the same time.
type scheduler struct {
	loop    *Loop
	course  *plan.Course
	done    []record.Trial
	running []record.Order
	ended   chan measured

	until time.Time    // no further pair begins after it; zero: no limit
	last  record.Order // the last one that began
}

// measured is the result of an order.
type measured struct {
	order  record.Order
	trials []record.Trial
	err    error
}

// run starts orders as they become ready and handles their results, until none is left. The first error cancels those
// still running.
func (s *scheduler) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var failed error
	for {
		if failed == nil {
			s.begin(ctx)
		}
		if len(s.running) == 0 {
			return failed
		}
		if err := s.take(<-s.ended); err != nil && failed == nil {
			failed = err
			stop()
		}
	}
}

func (s *scheduler) begin(ctx context.Context) {
	for {
		o, ok := s.course.Next(s.running...)
		if !ok || s.late(time.Now(), o) {
			return
		}
		s.last = o
		s.running = append(s.running, o)
		go func() {
			trials, err := s.loop.measure(ctx, o)
			s.ended <- measured{o, trials, err}
		}()
	}
}

// late reports whether an order begins another pair after the plan's time. What was begun is completed: half a pair
// would be lost.
func (s *scheduler) late(now time.Time, o record.Order) bool {
	return !s.until.IsZero() && now.After(s.until) && (o.Group != s.last.Group || o.Replicate != s.last.Replicate)
}

func (s *scheduler) take(m measured) error {
	for i, o := range s.running {
		if o.ID == m.order.ID {
			s.running = append(s.running[:i:i], s.running[i+1:]...)
			break
		}
	}
	if n := len(m.trials); n > 0 { // of a batch, the pair that it reached
		s.last.Group, s.last.Replicate = m.trials[n-1].Group, m.trials[n-1].Replicate
	}
	s.done = append(s.done, m.trials...)
	s.course.Add(m.trials...)
	return s.without(m.err)
}

// without goes on without a target that is lost. It returns the error if nothing is left to do without it, as without a
// generator.
func (s *scheduler) without(err error) error {
	var lost hostLost
	if !errors.As(err, &lost) || !slices.Contains(s.loop.Plan.Hosts, lost.host) {
		return err
	}
	if err := s.loop.lose(lost); err != nil {
		return err
	}
	s.course.Lose(lost.host)
	if s.loop.alone() {
		return err
	}
	return nil
}

// inTurn serialises writes to the loop's session.
type inTurn struct{ loop *Loop }

func (s inTurn) write(do func(Session) error) error {
	s.loop.writing.Lock()
	defer s.loop.writing.Unlock()
	return do(s.loop.Session)
}

func (s inTurn) Series(x record.Series) error {
	return s.write(func(to Session) error { return to.Series(x) })
}

func (s inTurn) Event(e record.Event) error {
	return s.write(func(to Session) error { return to.Event(e) })
}

func (s inTurn) Trial(trials ...record.Trial) error {
	return s.write(func(to Session) error { return to.Trial(trials...) })
}

func (s inTurn) End(e record.End) error {
	return s.write(func(to Session) error { return to.End(e) })
}
