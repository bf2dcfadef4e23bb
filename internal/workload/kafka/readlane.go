package kafka

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"plimsoll/internal/client/load"
)

// readLane drives some consumers of the filled log. In a closed loop each polls again as soon as it has checked the
// records, and an operation is one poll. In an open loop they read ahead by one poll, and a record is taken whenever
// one is due.
type readLane struct {
	consumers []*consumer
	given     chan given
	gone      <-chan struct{} // closed once our own broker has ended; nil without one
	ended     func() error

	end atomic.Int64 // of the trial; 0: unknown
	now func() int64

	stock, each int64 // records received and not yet taken, and the bytes of one
}

// given is the result of a poll.
type given struct {
	begun, ended   int64
	records, bytes int64
	err            error
}

// Run implements workload.Lane.
func (l *readLane) Run(ctx context.Context, clock *load.Lane) error {
	if clock.Open() {
		return l.run(ctx, clock, l.paced)
	}
	// As in producing lanes, a locked thread would cost a thread switch per poll.
	done := make(chan error, 1)
	go func() { done <- l.run(ctx, clock, l.greedy) }()
	return <-done
}

// run runs the consumers during a load.
func (l *readLane) run(ctx context.Context, clock *load.Lane, take func(context.Context, *load.Lane) error) error {
	// Otherwise records read ahead would count for a closed loop.
	for !clock.Open() {
		now := clock.Now()
		at, more := clock.Next(now)
		if !more || ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if at <= now {
			break
		}
		sleep(ctx, clock, at)
	}
	reading, stop := context.WithCancel(ctx)
	l.given, l.now, l.stock = make(chan given), clock.Now, 0
	l.end.Store(0)
	var all sync.WaitGroup
	for _, c := range l.consumers {
		all.Go(func() { l.read(reading, c) })
	}
	over := make(chan struct{})
	go func() {
		all.Wait()
		close(l.given)
		close(over)
	}()
	err := take(ctx, clock)
	stop()
	<-over
	return err
}

// read polls until the trial is over.
func (l *readLane) read(ctx context.Context, c *consumer) {
	for {
		g := given{begun: l.now()}
		if end := l.end.Load(); end != 0 && g.begun >= end {
			return
		}
		g.records, g.bytes, g.err = c.poll(ctx, nil)
		g.ended = l.now()
		select {
		case l.given <- g:
		case <-ctx.Done():
			return
		}
		if g.err != nil {
			return
		}
	}
}

// next waits for the result of a poll; ok is false if all consumers have ended.
func (l *readLane) next(ctx context.Context) (given, bool, error) {
	select {
	case g, ok := <-l.given:
		return g, ok, g.err
	case <-l.gone:
		return given{}, false, l.ended()
	case <-ctx.Done():
		return given{}, false, context.Cause(ctx)
	}
}

// greedy counts each poll as it comes.
func (l *readLane) greedy(ctx context.Context, clock *load.Lane) error {
	for {
		g, ok, err := l.next(ctx)
		if err != nil || !ok {
			return err
		}
		intended, ok := clock.Due(g.begun)
		if end := l.end.Load(); !ok && g.begun < end {
			return nil // the load was stopped
		}
		if !ok {
			continue // begun after the end: the others finish
		}
		clock.DoneAt(intended, intended, g.ended, g.records, g.bytes)
		_, end := clock.Window()
		l.end.Store(end)
	}
}

// wait is how long an idle lane waits between checks for the end of the load.
const wait = 20 * time.Millisecond

// paced takes a record whenever one is due.
func (l *readLane) paced(ctx context.Context, clock *load.Lane) error {
	for {
		if err := l.ended(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		now := clock.Now()
		at, more := clock.Next(now)
		switch {
		case !more:
			return nil
		case at > now:
			sleep(ctx, clock, at)
		case l.stock == 0:
			clock.Full()
			if err := l.restock(ctx); err != nil {
				return err
			}
		default:
			l.takeDue(clock, now)
		}
	}
}

// restock waits briefly for a poll's records.
func (l *readLane) restock(ctx context.Context) error {
	soon, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	g, ok, err := l.next(soon)
	switch {
	case soon.Err() != nil && ctx.Err() == nil && !ok:
		return nil
	case err != nil:
		return err
	case ok && g.records > 0:
		l.stock, l.each = g.records, g.bytes/g.records
	}
	return nil
}

// takeDue takes the due records out of the stock.
func (l *readLane) takeDue(clock *load.Lane, now int64) {
	for range min(l.stock, chunk) {
		intended, ok := clock.Due(now)
		if !ok {
			return
		}
		end := clock.Now()
		clock.DoneAt(intended, now, end, 1, l.each)
		l.stock--
		now = end
	}
}
