package httpload

import (
	"context"
	"fmt"

	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
)

// The times of a lane's loop, in nanoseconds.
const (
	lead     = 40_000      // how long before a due time a wait ends, since waits end late
	settling = 250_000_000 // after the trial, for requests in flight
	sweeping = 50_000_000  // between checks for timed-out requests
	backoff  = 10_000_000  // before a failed connect is retried
)

// Lane is one event loop and its connections. Its methods belong to one thread.
type Lane struct {
	target *Target
	clock  load.Clock
	poll   *poller
	conns  []*conn
	free   queue
	buf    []byte
	next   int  // index of the next request
	flying int  // requests taken and not finished
	loaded bool // Run has begun

	sweepAt int64
	retryAt int64
	downs   int // broken connections

	// Its counters over its lifetime.
	Stats Stats
}

// Stats count events beside requests.
type Stats struct {
	Reconnects  int64 // connections reopened during the load
	Retries     int64 // requests resent because the server closed a reused connection without an answer
	Status      int64 // of the last error answer
	First       error // first failure
	FirstStatus int64 // its status, if it was an answer
	Answers     int64 // complete, without errors
	Bytes       int64 // of their bodies
}

// Add adds another lane's counts.
func (s *Stats) Add(o Stats) {
	s.Reconnects += o.Reconnects
	s.Retries += o.Retries
	s.Answers += o.Answers
	s.Bytes += o.Bytes
	if s.First == nil {
		s.First, s.FirstStatus, s.Status = o.First, o.FirstStatus, o.Status
	}
}

// Run makes the load's requests until it is over, or ctx ends.
func (l *Lane) Run(ctx context.Context, clock *load.Lane) error {
	l.loaded = true
	defer l.abandon()
	for {
		now := clock.Now()
		l.send(clock, now)
		until, more := clock.Next(now)
		if !more {
			return l.settle(ctx, clock)
		}
		if err := l.turn(ctx, clock, now, l.patience(clock, now, until)); err != nil {
			return err
		}
	}
}

// patience returns how long to wait for events: until the next due time if a connection is free for it, less the
// lead; briefly while an answer may arrive.
func (l *Lane) patience(clock *load.Lane, now, until int64) int64 {
	most := int64(load.Nap)
	if l.flying > 0 {
		most = short
	}
	switch {
	case l.target.spin && clock.Open():
		return 0
	case l.free.n == 0:
		return most
	}
	return min(max(until-now-lead, 0), most)
}

// send hands due requests to free connections.
func (l *Lane) send(clock *load.Lane, now int64) {
	for l.free.n > 0 {
		intended, ok := clock.Due(now)
		if !ok {
			return
		}
		c := l.free.pop()
		l.flying++
		c.busy, c.again, c.intended, c.sent, c.deadline = true, false, intended, now, now+l.target.timeout
		c.request = l.request()
		if f := c.post(l.target.head); f.some() {
			l.fail(clock, c, f)
		}
		now = clock.Now()
	}
}

// turn waits for events and handles them.
func (l *Lane) turn(ctx context.Context, clock *load.Lane, now, patience int64) error {
	found, err := l.poll.wait(patience)
	if err != nil {
		return err
	}
	if len(found) == 0 && patience == 0 {
		clock.Spun(clock.Now() - now)
	}
	for i := range found {
		l.progress(clock, l.conns[found[i].Fd], found[i].Events&(unix.EPOLLRDHUP|unix.EPOLLHUP|unix.EPOLLERR) != 0)
	}
	if now >= l.sweepAt {
		l.sweepAt = now + min(sweeping, l.target.timeout/16)
		l.overdue(clock, now)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if l.downs > 0 && now >= l.retryAt {
		l.retryAt = now + backoff
		l.revive(clock)
	}
	return nil
}

// progress handles an event on a connection; ended reports that the stream has ended.
func (l *Lane) progress(clock *load.Lane, c *conn, ended bool) {
	var f failure
	switch c.state {
	case connecting, shaking:
		f = l.establish(c)
	case sending:
		// The answer, and the end of the connection, may come before the whole request is sent.
		if f = c.push(); !f.some() || ended {
			l.receive(clock, c, ended)
			return
		}
	case awaiting:
		l.receive(clock, c, ended)
		return
	case idle:
		l.checkIdle(clock, c)
	}
	if f.some() {
		l.fail(clock, c, f)
	}
}

func (l *Lane) receive(clock *load.Lane, c *conn, ended bool) {
	whole, f := c.receive(l.buf, ended)
	switch {
	case f.some():
		l.fail(clock, c, f)
	case whole:
		l.finish(clock, c, ended)
	}
}

// finish records an answer and frees its connection.
func (l *Lane) finish(clock *load.Lane, c *conn, ended bool) {
	l.flying--
	c.busy, c.reused = false, true
	if s := c.parser.status; s >= 400 {
		clock.Fail(c.intended, load.Status)
		l.Stats.Status = int64(s)
		if l.Stats.First == nil {
			l.Stats.First, l.Stats.FirstStatus = fmt.Errorf("an answer with status %d", s), int64(s)
		}
	} else {
		l.Stats.Answers++
		l.Stats.Bytes += c.parser.body
		clock.Done(c.intended, c.sent, 1, c.parser.body)
	}
	if c.parser.close || ended || len(c.out) > 0 {
		l.redial(clock, c)
		return
	}
	c.state = idle
	l.free.push(c)
}

// settle waits briefly after the trial for answers that are still to come; requests then in flight are outstanding.
// In a closed loop every request is measured completely.
func (l *Lane) settle(ctx context.Context, clock *load.Lane) error {
	end := clock.Now() + settling
	if !clock.Open() {
		end += l.target.timeout
	}
	for l.flying > 0 {
		now := clock.Now()
		if now >= end {
			break
		}
		if err := l.turn(ctx, clock, now, min(short, end-now)); err != nil {
			return err
		}
	}
	return ctx.Err()
}
