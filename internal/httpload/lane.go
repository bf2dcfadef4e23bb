package httpload

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
)

// The times of a lane's loop, in nanoseconds.
const (
	nap      = 20_000_000  // the longest wait, so that an end is obeyed soon
	lead     = 40_000      // how long before a due time a wait ends, since a wait ends late
	settling = 250_000_000 // after the trial, for what is in flight
	sweeping = 50_000_000  // between looks for requests that take too long
	backoff  = 10_000_000  // before a connection that could not be made is tried again
)

// Lane is one event loop and its connections. Its methods belong to one thread.
type Lane struct {
	target *Target
	clock  load.Clock
	poll   *poller
	conns  []*conn
	free   []*conn // idle
	buf    []byte
	next   int // request
	flying int // requests taken and not finished

	sweepAt int64
	retryAt int64
	downs   int // connections that are broken

	// What it has seen over its life.
	Stats Stats
}

// Stats count what happened beside requests.
type Stats struct {
	Reconnects int64 // connections made anew during the load
	Retries    int64 // requests sent again, since the server closed a used connection without an answer
	Status     int64 // of the last answer that was an error
	First      error // failure
	Answers    int64 // that were whole and no error
	Bytes      int64 // of their bodies
}

// Add adds up what several lanes have seen.
func (s *Stats) Add(o Stats) {
	s.Reconnects += o.Reconnects
	s.Retries += o.Retries
	s.Answers += o.Answers
	s.Bytes += o.Bytes
	if s.First == nil {
		s.First, s.Status = o.First, o.Status
	}
}

// NewLane connects so often. It returns once all connections stand.
func (t *Target) NewLane(ctx context.Context, connections int) (*Lane, error) {
	if connections < 1 {
		return nil, errors.New("http: a lane without connections\nhint: give as many connections as lanes, or more")
	}
	clock, err := load.NewClock()
	if err != nil {
		return nil, err
	}
	p, err := newPoller()
	if err != nil {
		return nil, err
	}
	l := &Lane{target: t, clock: clock, poll: p, buf: make([]byte, 64<<10)}
	for i := range connections {
		l.conns = append(l.conns, &conn{id: int32(i), fd: -1, state: broken})
	}
	if err := l.connectAll(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Close closes all connections. It may be called more than once.
func (l *Lane) Close() {
	for _, c := range l.conns {
		c.shut()
	}
	if l.poll != nil {
		l.poll.close()
		l.poll = nil
	}
}

// connectAll makes all connections at once and waits for them.
func (l *Lane) connectAll(ctx context.Context) error {
	for _, c := range l.conns {
		if err := l.connect(c); err != nil {
			return err
		}
	}
	for len(l.free) < len(l.conns) {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("http: connecting to %s: %w", l.target.origin.host, err)
		}
		found, err := l.poll.wait(nap)
		if err != nil {
			return err
		}
		for _, e := range found {
			if c := l.conns[e.Fd]; c.state == connecting {
				if err := l.established(c); err != nil {
					return fmt.Errorf("http: connect to %s: %w\nhint: does a server listen there?", l.target.origin.host, err)
				}
			}
		}
	}
	return nil
}

// connect begins to connect, and watches for when it stands.
func (l *Lane) connect(c *conn) error {
	if err := c.open(l.target.origin); err != nil {
		return err
	}
	if !c.carries() {
		c.deadline = l.clock.Now() + l.target.timeout
	}
	return l.poll.add(c.fd, c.id)
}

// established takes a connection into use if it stands by now.
func (l *Lane) established(c *conn) error {
	stands, err := c.connected()
	if err != nil || !stands {
		return err
	}
	if l.target.tls != nil {
		if c.secret, err = handshake(c.fd, l.target.tls, l.target.timeout); err != nil {
			return err
		}
	}
	if len(c.out) > 0 { // a request waits for it
		c.state = sending
		return nil
	}
	c.state = idle
	l.free = append(l.free, c)
	return nil
}

// Run makes the load's requests until it is over, or ctx ends.
func (l *Lane) Run(ctx context.Context, clock *load.Lane) error {
	for {
		now := clock.Now()
		l.send(clock, now)
		until, more := clock.Next(now)
		if !more {
			return l.settle(ctx, clock)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.turn(clock, now, l.patience(now, until)); err != nil {
			return err
		}
	}
}

// patience is how long may be waited for events: to the next due time where a connection is
// free for it, less the lead; shortly where an answer may come at any time.
func (l *Lane) patience(now, until int64) int64 {
	most := int64(nap)
	if l.flying > 0 {
		most = short
	}
	if len(l.free) == 0 {
		return most
	}
	return min(max(until-now-lead, 0), most)
}

// send hands out what is due to connections that are free.
func (l *Lane) send(clock *load.Lane, now int64) {
	for len(l.free) > 0 {
		intended, ok := clock.Due(now)
		if !ok {
			return
		}
		c := l.free[len(l.free)-1]
		l.free = l.free[:len(l.free)-1]
		l.flying++
		l.begin(c, intended, now)
		if f := c.flush(); f != nil {
			l.fail(clock, c, f)
		}
		now = clock.Now()
	}
}

// begin gives a connection its next request.
func (l *Lane) begin(c *conn, intended, now int64) {
	c.intended, c.sent, c.deadline, c.again = intended, now, now+l.target.timeout, false
	c.request = l.next
	if l.next++; l.next == len(l.target.requests) {
		l.next = 0
	}
	c.out = l.target.requests[c.request]
	c.parser.reset(l.target.head)
}

// turn waits for events and goes on with their connections.
func (l *Lane) turn(clock *load.Lane, now, patience int64) error {
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
		l.sweepAt = now + sweeping
		l.overdue(clock, now)
	}
	if l.downs > 0 && now >= l.retryAt {
		l.retryAt = now + backoff
		l.revive()
	}
	return nil
}

// progress goes on with a connection on which something has happened; ended says that no more
// will come than has.
func (l *Lane) progress(clock *load.Lane, c *conn, ended bool) {
	if c.state == connecting {
		if err := l.established(c); err != nil {
			l.lost(clock, c, failed(load.Connect, "connecting: %w", err))
			return
		}
	}
	if c.state == sending {
		if f := c.flush(); f != nil {
			l.fail(clock, c, f)
			return
		}
	}
	switch c.state {
	case awaiting:
		l.receive(clock, c, ended)
	case idle:
		l.checkIdle(clock, c)
	}
}

func (l *Lane) receive(clock *load.Lane, c *conn, ended bool) {
	whole, f := c.receive(l.buf, ended)
	switch {
	case f != nil:
		l.fail(clock, c, f)
	case whole:
		l.finish(clock, c)
	}
}

// finish records an answer and frees its connection.
func (l *Lane) finish(clock *load.Lane, c *conn) {
	l.flying--
	if s := c.parser.status; s >= 400 {
		clock.Fail(c.intended, load.Status)
		l.Stats.Status = int64(s)
		l.note(fmt.Errorf("an answer of status %d", s))
	} else {
		clock.Done(c.intended, c.sent, 1, c.parser.body)
		l.Stats.Answers++
		l.Stats.Bytes += c.parser.body
	}
	c.reused = true
	if c.parser.close {
		l.reconnect(c)
		return
	}
	c.state = idle
	l.free = append(l.free, c)
}

func (l *Lane) note(err error) {
	if l.Stats.First == nil {
		l.Stats.First = err
	}
}
