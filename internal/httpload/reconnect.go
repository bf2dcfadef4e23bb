package httpload

import (
	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
)

// fail ends a failed request, and its connection. A closed loop resends it, once, if the server has merely closed a
// reused connection: it may have done so before the request arrived. In an open loop that would hide events of the
// schedule.
func (l *Lane) fail(clock *load.Lane, c *conn, f failure) {
	if c.unanswered(f) && l.target.retries && !clock.Open() && !c.again {
		l.Stats.Retries++
		c.again = true
		l.redial(clock, c)
		return
	}
	l.lost(clock, c, f)
}

// lost ends a connection and its request. If the connection failed before it had a request, the request due now is
// the one that found no server.
func (l *Lane) lost(clock *load.Lane, c *conn, f failure) {
	if l.Stats.First == nil {
		l.Stats.First = f
	}
	if c.busy {
		l.flying--
		c.busy = false
		clock.Fail(c.intended, f.class)
	} else if f.class == load.Connect {
		if intended, ok := clock.Due(clock.Now()); ok {
			clock.Fail(intended, f.class)
		}
	}
	if f.class == load.Connect {
		c.shut()
		l.downs++
		return
	}
	l.redial(clock, c)
}

// redial reopens a connection; its request is sent once it is established.
func (l *Lane) redial(clock *load.Lane, c *conn) {
	c.shut()
	if f := l.connect(c); f.some() {
		l.lost(clock, c, f)
	}
}

// revive retries failed connections.
func (l *Lane) revive(clock *load.Lane) {
	l.downs = 0
	for _, c := range l.conns {
		if c.state == broken {
			l.redial(clock, c)
		}
	}
}

// overdue ends requests and connects that have timed out.
func (l *Lane) overdue(clock *load.Lane, now int64) {
	for _, c := range l.conns {
		switch {
		case now <= c.deadline:
		case c.state == connecting || c.state == shaking:
			l.lost(clock, c, failure{class: load.Connect, what: "no connection within the timeout"})
		case c.busy:
			l.lost(clock, c, failure{class: load.Timeout, what: "no complete answer within the timeout"})
		}
	}
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
	l.free.remove(c)
	l.redial(clock, c)
}

// abandon ends handshakes in progress: only the thread that began one can.
func (l *Lane) abandon() {
	for _, c := range l.conns {
		if c.state == shaking {
			c.shut()
		}
	}
}
