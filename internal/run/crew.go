package run

import (
	"context"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
)

// crew carries out the orders of a plan, several at once where the plan lets the sides of a
// pair run on different hosts at the same time.
type crew struct {
	loop    *Loop
	course  *plan.Course
	done    []record.Trial
	running []record.Order
	ended   chan measured
}

// measured is what became of an order.
type measured struct {
	order  record.Order
	trials []record.Trial
	err    error
}

// work begins what may begin and takes what ends, until nothing is left. The first
// error ends what still runs.
func (c *crew) work(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var failed error
	for {
		if failed == nil {
			c.begin(ctx)
		}
		if len(c.running) == 0 {
			return failed
		}
		if err := c.take(<-c.ended); err != nil && failed == nil {
			failed = err
			stop()
		}
	}
}

func (c *crew) begin(ctx context.Context) {
	for {
		o, ok := c.course.Next(c.running...)
		if !ok {
			return
		}
		c.running = append(c.running, o)
		go func() {
			trials, err := c.loop.measure(ctx, o)
			c.ended <- measured{o, trials, err}
		}()
	}
}

func (c *crew) take(m measured) error {
	for i, o := range c.running {
		if o.ID == m.order.ID {
			c.running = append(c.running[:i:i], c.running[i+1:]...)
			break
		}
	}
	c.done = append(c.done, m.trials...)
	c.course.Add(m.trials...)
	return m.err
}

// inTurn is the loop's session, to which one order writes at a time.
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

func (s inTurn) Trial(t record.Trial) error {
	return s.write(func(to Session) error { return to.Trial(t) })
}

func (s inTurn) End(e record.End) error {
	return s.write(func(to Session) error { return to.End(e) })
}
