package httpload

import (
	"context"
	"fmt"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
)

// The times of a lane's loop, in nanoseconds.
const (
	settling = 250_000_000   // after the trial, beyond the timeout of requests in flight
	sweeping = 50_000_000    // between checks for timed-out requests
	backoff  = 10_000_000    // before a failed connect is retried
	parts    = 1_000_000_000 // for a server to close a connection that it was asked to close
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

	standing int // connections established so far, again ones included

	script Script // nil: the requests are the target's
	broken error  // why the script has no further operation

	draws  draws
	spots  []spot // by line of a mix; nil: all requests are of one
	sample sample // of the body of a failed answer

	// Began is called once the measured window is known, CLOCK_MONOTONIC in ns; nil: nobody asks.
	Began func(from, to int64)
	// Its counters over its lifetime.
	Stats Stats
}

// Stats count events beside requests.
type Stats struct {
	Reconnects  int64           // connections reopened during the load
	Handshakes  int64           // TLS handshakes during the load
	Resumed     int64           // of those, the ones that resumed a session
	Retries     int64           // requests resent because the server closed a reused connection without an answer
	Refused     int64           // requests of HTTP/2 resent because the server refused them unprocessed
	Doubtful    int64           // answers over TLS that may be cut: see conn.doubtful
	First       error           // first failure
	FirstStatus int             // its status, if that was the failure
	FirstBody   []byte          // the beginning of its body, if it was an answer
	Answers     int64           // complete, without errors
	Bytes       int64           // of their bodies
	Statuses    [statuses]int64 // number of measured answers by status, bad ones too
}

// Add adds another lane's counts.
func (s *Stats) Add(o Stats) {
	s.Reconnects += o.Reconnects
	s.Retries += o.Retries
	s.Refused += o.Refused
	s.Doubtful += o.Doubtful
	s.Handshakes += o.Handshakes
	s.Resumed += o.Resumed
	s.Answers += o.Answers
	s.Bytes += o.Bytes
	if s.First == nil {
		s.First, s.FirstStatus, s.FirstBody = o.First, o.FirstStatus, o.FirstBody
	}
	for status, n := range o.Statuses {
		s.Statuses[status] += n
	}
}

// Run makes the load's requests until it is over, or ctx ends.
func (l *Lane) Run(ctx context.Context, clock *load.Lane) error {
	l.loaded = true
	defer l.abandon(clock)
	for _, c := range l.conns { // those that had bytes before the load
		if err := l.again(c); err != nil {
			return err
		}
	}
	for {
		now := clock.Now()
		if l.send(clock, now); l.broken != nil {
			return l.broken
		}
		if l.Began != nil {
			if from, to := clock.Window(); to > 0 {
				l.Began(from, to)
				l.Began = nil
			}
		}
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
	return min(max(until-now-clock.Lead(), 0), most)
}

// send hands due requests to free streams. Requests of one HTTP/2 connection that follow each other are sent together.
func (l *Lane) send(clock *load.Lane, now int64) {
	var last *conn
	for l.free.n > 0 {
		intended, ok := clock.Due(now)
		if !ok {
			break
		}
		s := l.free.pop()
		c := s.conn
		l.flying++
		s.busy, s.again, s.intended, s.sent, s.deadline = true, false, intended, now, now+l.target.timeout
		if l.script != nil {
			if l.broken = l.begin(s); l.broken != nil {
				break
			}
		} else if s.request = l.request(); s.request.varied != nil {
			s.fill(&l.draws, l.target.values.number(l.target.serial.Add(1)-1), l.target.two)
		}
		if last != nil && last != c {
			l.flush(clock, last)
		}
		last = c
		l.post(clock, s)
		now = clock.Now()
	}
	if last != nil {
		l.flush(clock, last)
	}
	if l.free.n == 0 {
		clock.Full()
	}
}

// post sends a stream's request, or connects for it. The frames of HTTP/2 are sent by flush.
func (l *Lane) post(clock *load.Lane, s *stream) {
	c := s.conn
	switch {
	case c.state == parted:
		l.redial(clock, c)
	case c.mux != nil:
		c.mux.post(s)
	default:
		if f := c.post(s.request, s.wire(), s.rest); f.some() {
			l.fail(clock, c, f)
		}
	}
}

// flush sends the frames of an HTTP/2 connection that is established.
func (l *Lane) flush(clock *load.Lane, c *conn) {
	if c.mux == nil || c.state != sharing {
		return
	}
	if f := c.sendFrames(); f.some() {
		l.fail(clock, c, f)
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
		c := l.conns[found[i].Fd]
		l.progress(clock, c, ended(found[i]))
		if err := l.again(c); err != nil {
			return err
		}
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

// again causes an event of a connection that has bytes left to read.
func (l *Lane) again(c *conn) error {
	if !c.more {
		return nil
	}
	c.more = false
	if err := l.poll.again(c.fd, c.id); err != nil {
		return fmt.Errorf("http: wait for the rest of an answer: %w", err)
	}
	return nil
}

// progress handles an event on a connection; ended reports that the stream has ended.
func (l *Lane) progress(clock *load.Lane, c *conn, ended bool) {
	var f failure
	switch c.state {
	case connecting, shaking, greeting:
		f = l.establish(clock, c, ended)
	case sharing:
		l.receiveFrames(clock, c, ended)
		return
	case parting:
		l.part(c, ended)
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

// finish records an answer of HTTP/1.1 and frees its connection.
func (l *Lane) finish(clock *load.Lane, c *conn, ended bool) {
	s := &c.streams[0]
	if c.doubtful() {
		l.Stats.Doubtful++
	}
	if c.reused = true; l.script != nil && l.another(clock, c, ended) {
		return
	}
	l.flying--
	s.busy = false
	if l.script == nil {
		l.count(clock, s, &c.parser.answer)
	}
	switch {
	case !l.target.keeps:
		c.state, c.deadline = parting, clock.Now()+min(parts, l.target.timeout)
		l.part(c, ended)
	case c.parser.close || ended || c.unsent():
		l.redial(clock, c)
	default:
		c.state = idle
		l.free.push(s)
	}
}

// part ends a connection that served its only request once the server has closed it, which leaves the wait for late
// packets (TIME_WAIT), and the port that it takes, to the server.
func (l *Lane) part(c *conn, ended bool) {
	for reads := 0; !ended; reads++ {
		if reads == mostReads {
			c.more = true
			return
		}
		n, errno := rawRead(c.fd, l.buf)
		switch {
		case errno == unix.EINTR || n > 0:
		case errno == unix.EAGAIN:
			return
		default:
			ended = true
		}
	}
	c.shut()
	c.state = parted
	l.free.push(&c.streams[0])
}

// settle waits after the trial for the answers that are still to come, until their timeout: a request that is slow is
// told from one that never gets an answer, however short the window.
func (l *Lane) settle(ctx context.Context, clock *load.Lane) error {
	end := clock.Now() + settling + l.target.timeout
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
