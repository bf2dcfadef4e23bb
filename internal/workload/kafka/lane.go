package kafka

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
)

// lane drives some of the producing clients. In an open loop it keeps its thread, whose sleeps are precise. In a
// closed loop it runs unlocked beside the library's goroutines, since handing work from a locked thread to them
// costs a thread switch each time.
type lane struct {
	clients []*client
	turn    int // next client
	tally   tally
	bell    chan struct{}
	gone    <-chan struct{} // closed once our own broker has ended; nil without one
	ended   func() error
	began   func(from, to int64) // called once the measured window is known; nil: nobody asks

	// For records followed to a consumer:
	mail     mailbox
	arrived  []arrival     // last batch of arrivals
	patience time.Duration // longest silence after the end of the load; 0: unlimited
}

func newLane(clients []*client, partitions int) *lane {
	l := &lane{clients: clients, tally: newTally(partitions), bell: make(chan struct{}, 1),
		ended: func() error { return nil }}
	for _, c := range clients {
		c.lane = l
	}
	return l
}

// Run implements workload.Lane.
func (l *lane) Run(ctx context.Context, clock *load.Lane) error {
	for _, c := range l.clients {
		c.clock = nil
		if clock.Open() {
			c.clock = clock.Now
		}
	}
	if clock.Open() {
		return l.pump(ctx, clock)
	}
	done := make(chan error, 1)
	go func() { done <- l.pump(ctx, clock) }()
	return <-done
}

// pump produces records and handles their acknowledgements, until the load is over and none is left.
func (l *lane) pump(ctx context.Context, clock *load.Lane) error {
	defer l.starved(clock)
	flushing := false
	var silence *time.Timer // since the last arrival, once the load is over
	for {
		if l.reap(clock) && silence != nil {
			silence.Reset(l.patience)
		}
		if err := l.ended(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if l.began != nil {
			if from, to := clock.Window(); to > 0 {
				l.began(from, to)
				l.began = nil
			}
		}
		now := clock.Now()
		at, more := clock.Next(now)
		switch {
		case !more && l.flying() == 0:
			return nil
		case !more:
			if !flushing {
				flushing = true
				l.flush(ctx)
				if l.patience > 0 {
					silence = time.NewTimer(l.patience)
					defer silence.Stop()
				}
			}
			if !l.park(ctx, silence) {
				return nil // missing records are outstanding, and the proof of delivery accounts for them
			}
		case at > now:
			sleep(ctx, clock, at)
		case l.take(clock, now) == 0:
			l.park(ctx, nil)
		}
	}
}

// chunk is the number of records that a client produces before it checks for finished ones.
const chunk = 64

// take produces the records that are due, and returns their number.
func (l *lane) take(clock *load.Lane, now int64) int {
	if clock.Open() {
		return l.takeOpen(clock, now)
	}
	at, taken := time.Now(), 0
	for _, c := range l.clients {
		for range min(len(c.free), chunk) {
			intended, ok := clock.Due(now)
			if !ok {
				return taken
			}
			c.produce(intended, now, at)
			taken++
		}
	}
	return taken
}

// takeOpen distributes due records to the clients in turn.
func (l *lane) takeOpen(clock *load.Lane, now int64) int {
	at, taken := time.Now(), 0
	for range chunk {
		c := l.ready()
		if c == nil {
			clock.Full()
			return taken
		}
		intended, ok := clock.Due(now)
		if !ok {
			return max(taken, 1) // nothing is due: no need to wait for a buffer
		}
		c.produce(intended, now, at)
		now = clock.Now()
		taken++
	}
	return taken
}

// ready returns the next client with room, or nil if all buffers are full.
func (l *lane) ready() *client {
	for range l.clients {
		c := l.clients[l.turn]
		if l.turn++; l.turn == len(l.clients) {
			l.turn = 0
		}
		if len(c.free) > 0 {
			return c
		}
	}
	return nil
}

// reap counts the finished records, and reports whether there were any.
func (l *lane) reap(clock *load.Lane) bool {
	some := l.collect(clock)
	var now int64
	for _, c := range l.clients {
		tail := c.tail.Load()
		if tail == c.head {
			continue
		}
		if now == 0 {
			now = clock.Now()
		}
		for ; c.head != tail; c.head++ {
			l.finish(clock, c, c.ring[c.head&uint64(len(c.ring)-1)], now)
			some = true
		}
	}
	return some
}

func (l *lane) finish(clock *load.Lane, c *client, s *slot, now int64) {
	if c.follows {
		l.promise(clock, c, s)
		return
	}
	c.free = append(c.free, s)
	if s.failed != nil {
		l.tally.failed(s.failed)
		c.fail(clock, s)
		return
	}
	c.answered = now
	if c.clock != nil {
		now = s.acked
	}
	l.tally.acked(&s.record)
	clock.DoneAt(s.intended, s.sent, now, 1, c.bytes)
}

// fail counts a record that was not acknowledged. One that timed out had no answer rather than failed if the window was
// over before that or, in a closed loop, if its client never got any.
func (c *client) fail(clock *load.Lane, s *slot) {
	class := classOf(s.failed)
	_, end := clock.Window()
	if class == load.Timeout && (!clock.Open() && c.answered == 0 || clock.Now() >= end) {
		clock.Unanswered(s.intended)
		return
	}
	clock.Fail(s.intended, class)
}

// starved counts the clients of a closed loop that got no answer in the window.
func (l *lane) starved(clock *load.Lane) {
	start, _ := clock.Window()
	for _, c := range l.clients {
		if !clock.Open() && c.answered < start {
			clock.Starved(1)
		}
	}
}

func (l *lane) flying() int {
	n := 0
	for _, c := range l.clients {
		n += c.flying()
	}
	return n
}

// flush sends lingering batches.
func (l *lane) flush(ctx context.Context) {
	for _, c := range l.clients {
		go func() { _ = c.kgo.Flush(ctx) }() // an error means that the context has ended, which the pump detects
	}
}

// park waits until some client's records have returned. It reports false if the silence was too long.
func (l *lane) park(ctx context.Context, silence *time.Timer) bool {
	already, heard := false, true
	var long <-chan time.Time
	switch {
	case silence != nil:
		long = silence.C
	case l.patience > 0:
		long = time.After(l.patience) // to notice the end even if no consumer reads
	}
	for _, c := range l.clients {
		already = c.await() || already
	}
	if !already {
		select {
		case <-l.bell:
		case <-l.gone:
		case <-ctx.Done():
		case <-long:
			heard = false
		}
	}
	for _, c := range l.clients {
		c.want.Store(0)
	}
	return heard
}

// wake ends park. It never blocks.
func (l *lane) wake() {
	select {
	case l.bell <- struct{}{}:
	default:
	}
}

// sleep waits for an intended time. Records that finish meanwhile hold their own time.
func sleep(ctx context.Context, clock *load.Lane, at int64) {
	now := clock.Now()
	if !clock.Open() {
		select {
		case <-time.After(time.Duration(at - now)):
		case <-ctx.Done():
		}
		return
	}
	if at-now > clock.Lead() {
		ts := unix.NsecToTimespec(min(at-clock.Lead(), now+load.Nap))
		// An interrupted sleep ends: the loop checks for work and sleeps again.
		_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil)
		return
	}
	from := now
	for now < at && ctx.Err() == nil {
		now = clock.Now()
	}
	clock.Spun(now - from)
}

// classOf returns the class of a library's error.
func classOf(err error) load.Class {
	var broker *kerr.Error
	var network net.Error
	switch {
	case errors.Is(err, kgo.ErrRecordTimeout), errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) &&
		network.Timeout():
		return load.Timeout
	case errors.Is(err, kgo.ErrClientClosed):
		return load.ConnClosed
	case errors.As(err, &broker):
		return load.Status
	}
	return load.Other
}
