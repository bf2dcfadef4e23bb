package httpload

import (
	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
)

// fail ends a connection that failed, and its requests. A closed loop resends a request, once, if the server has merely
// closed a reused connection: it may have done so before the request arrived. In an open loop that would hide events of
// the schedule.
func (l *Lane) fail(clock *load.Lane, c *conn, f failure) {
	l.end(clock, c, f, func(s *stream) bool {
		if c.mux != nil && s.number == 0 {
			return true // never sent, or not processed as the server says
		}
		if clock.Open() || s.again || !s.request.retries || !c.unanswered(s, f) {
			return false
		}
		l.Stats.Retries++
		s.again = true
		return true
	})
}

// lost is fail without resending.
func (l *Lane) lost(clock *load.Lane, c *conn, f failure) {
	l.end(clock, c, f, func(*stream) bool { return false })
}

// end ends a connection and those of its requests that are not kept for the next one. If it failed before it had a
// request, the request due now is the one that found no server.
func (l *Lane) end(clock *load.Lane, c *conn, f failure, keep func(*stream) bool) {
	had := false
	for i := range c.streams {
		s := &c.streams[i]
		l.free.remove(s)
		if had = had || s.busy; s.busy && !keep(s) {
			l.drop(clock, s, f)
		}
	}
	if !had && f.class == load.Connect {
		l.note(f)
		if intended, ok := clock.Due(clock.Now()); ok {
			clock.Fail(intended, f.class)
		}
	}
	switch {
	case f.class == load.Connect:
		c.shut()
		l.downs++
	case !l.target.keeps:
		l.part(c, true)
	default:
		l.redial(clock, c)
	}
}

// drop ends a failed request.
func (l *Lane) drop(clock *load.Lane, s *stream, f failure) {
	l.note(f)
	l.flying--
	if s.busy = false; l.script != nil {
		l.script.Lost(s.slot)
	}
	if f.class == load.Timeout && l.unanswered(clock, s) {
		clock.Unanswered(s.intended)
		return
	}
	if clock.Fail(s.intended, f.class) {
		l.failed(s.request, 0, f.class)
	}
}

// unanswered reports whether a request that timed out is one without an answer rather than a failed one: the window was
// over before the timeout, or, in a closed loop, its client never got any.
func (l *Lane) unanswered(clock *load.Lane, s *stream) bool {
	_, end := clock.Window()
	return !clock.Open() && s.answered == 0 || clock.Now() >= end
}

// note keeps the first failure.
func (l *Lane) note(f failure) {
	if l.Stats.First == nil {
		l.Stats.First = f
	}
}

// redial reopens a connection; its requests are sent once it is established.
func (l *Lane) redial(clock *load.Lane, c *conn) {
	for i := range c.streams {
		l.free.remove(&c.streams[i])
	}
	c.shut()
	if f := l.connect(c); f.some() {
		l.lost(clock, c, f)
	}
}

// revive retries failed connections.
func (l *Lane) revive(clock *load.Lane) {
	l.downs = 0
	for _, c := range l.conns {
		switch {
		case c.state != broken:
		case l.target.keeps:
			l.redial(clock, c)
		default:
			l.part(c, true)
		}
	}
}

// overdue ends requests and connects that have timed out, and connections that the server did not close.
func (l *Lane) overdue(clock *load.Lane, now int64) {
	for _, c := range l.conns {
		switch {
		case c.state == parting && now > c.deadline:
			l.part(c, true)
		case c.beginning() && now > c.deadline:
			l.lost(clock, c, c.silent(l.target.timeout))
		case !c.beginning():
			l.late(clock, c, now)
		}
	}
}

// late ends the requests of a connection that have timed out; and with one of HTTP/1.1, or if nothing at all came since
// the request, the connection.
func (l *Lane) late(clock *load.Lane, c *conn, now int64) {
	for i := range c.streams {
		s := &c.streams[i]
		if !s.busy || now <= s.deadline {
			continue
		}
		f := failure{class: load.Timeout, what: "no complete answer within the timeout"}
		if c.mux == nil || c.mux.reads == s.seen {
			l.lost(clock, c, f)
			return
		}
		c.mux.cancel(s)
		l.drop(clock, s, f)
		l.release(clock, s)
	}
	l.flush(clock, c)
}

// checkIdle checks whether an idle connection was closed, or received unexpected bytes.
func (l *Lane) checkIdle(clock *load.Lane, c *conn) {
	n, errno := rawRead(c.fd, l.buf)
	switch {
	case n < 0 && (errno == unix.EAGAIN || errno == unix.EINTR):
		return
	case n > 0 && c.secret != nil:
		c.parser.reset(false)
		if whole, f := c.unseal(l.buf[:n]); !whole && !f.some() && !c.parser.began {
			return // only protocol messages, such as a session ticket
		}
	}
	l.redial(clock, c)
}

// abandon ends handshakes in progress, since only the thread that began one can, and accounts for the requests in
// flight and for the clients of a closed loop that got no answer in the window.
func (l *Lane) abandon(clock *load.Lane) {
	start, _ := clock.Window()
	for _, c := range l.conns {
		if c.state == shaking {
			c.shut()
		}
		for i := range c.streams {
			s := &c.streams[i]
			if s.busy {
				clock.Unanswered(s.intended)
			}
			if !clock.Open() && s.answered < start {
				clock.Starved(1)
			}
		}
	}
}
