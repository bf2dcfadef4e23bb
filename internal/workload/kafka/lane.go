package kafka

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
)

// lane drives some of the producing clients. In an open load it keeps its thread, whose sleeps end on time; in a closed one the loop
// runs wherever the library's goroutines do, since handing work from a locked thread to them costs a switch of threads each time.
type lane struct {
	clients []*client
	turn    int // whose turn it is
	tally   tally
	bell    chan struct{}
	gone    <-chan struct{} // the broker that was started has ended; nil where none was
	ended   func() error

	// Where records are followed to a consumer:
	mail     mailbox
	arrived  []arrival     // read last
	patience time.Duration // how long nothing may come once the load is over; 0: for ever
}

func newLane(clients []*client, partitions int) *lane {
	l := &lane{clients: clients, tally: newTally(partitions), bell: make(chan struct{}, 1), ended: func() error { return nil }}
	for _, c := range clients {
		c.lane = l
	}
	return l
}

// Run is as workload.Lane has it.
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

// pump takes records up and sees them acknowledged, until the load is over and none is left.
func (l *lane) pump(ctx context.Context, clock *load.Lane) error {
	flushing := false
	var silence *time.Timer // since something came last, once the load is over
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
				return nil // what has not come is outstanding, and the proof of delivery says what became of it
			}
		case at > now:
			sleep(ctx, clock, at)
		case l.take(clock, now) == 0:
			l.park(ctx, nil)
		}
	}
}

// chunk is how many records a client takes up before finished ones are looked for.
const chunk = 64

// take takes up what is due, and returns how many records that was.
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

// takeOpen gives what is due to the clients in turn.
func (l *lane) takeOpen(clock *load.Lane, now int64) int {
	at, taken := time.Now(), 0
	for range chunk {
		c := l.ready()
		if c == nil {
			return taken
		}
		intended, ok := clock.Due(now)
		if !ok {
			return max(taken, 1) // nothing is due: there is no need to wait for a buffer
		}
		c.produce(intended, now, at)
		now = clock.Now()
		taken++
	}
	return taken
}

// ready is the next client with room; nil: all buffers are full.
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

// reap counts what was finished, and says whether anything was.
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
		clock.Fail(s.intended, classOf(s.failed))
		return
	}
	if c.clock != nil {
		now = s.acked
	}
	l.tally.acked(&s.record)
	clock.DoneAt(s.intended, s.sent, now, 1, c.bytes)
}

func (l *lane) flying() int {
	n := 0
	for _, c := range l.clients {
		n += c.flying()
	}
	return n
}

// flush sends what lingers.
func (l *lane) flush(ctx context.Context) {
	for _, c := range l.clients {
		go func() { _ = c.kgo.Flush(ctx) }() // an error: the context has ended, which the pump sees
	}
}

// park waits until some client's records have come back. False: until the silence was long.
func (l *lane) park(ctx context.Context, silence *time.Timer) bool {
	already, heard := false, true
	var long <-chan time.Time
	switch {
	case silence != nil:
		long = silence.C
	case l.patience > 0:
		long = time.After(l.patience) // so that an end is seen even where no consumer reads
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

// sleep waits for an intended time. Records that are finished meanwhile carry their own time.
func sleep(ctx context.Context, clock *load.Lane, at int64) {
	now := clock.Now()
	if !clock.Open() {
		select {
		case <-time.After(time.Duration(at - now)):
		case <-ctx.Done():
		}
		return
	}
	if at-now > load.Lead {
		ts := unix.NsecToTimespec(min(at-load.Lead, now+load.Nap))
		// An interrupted sleep is over: the loop looks around and sleeps again.
		_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil)
		return
	}
	from := now
	for now < at && ctx.Err() == nil {
		now = clock.Now()
	}
	clock.Spun(now - from)
}

// classOf is what kind of failure an error of the library is.
func classOf(err error) load.Class {
	var broker *kerr.Error
	var network net.Error
	switch {
	case errors.Is(err, kgo.ErrRecordTimeout), errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return load.Timeout
	case errors.Is(err, kgo.ErrClientClosed):
		return load.ConnClosed
	case errors.As(err, &broker):
		return load.Status
	}
	return load.Other
}
