package httpload

import (
	"context"
	"slices"

	"plimsoll/internal/load"
)

// fail ends a request that failed, or sends it again where the server has only closed a connection that
// it had used before.
func (l *Lane) fail(clock *load.Lane, c *conn, f *failure) {
	if c.unread(f) && l.target.retries && !c.again {
		l.Stats.Retries++
		c.again = true
		c.out = l.target.requests[c.request]
		c.parser.reset(l.target.head)
		l.redial(c)
		return
	}
	l.lost(clock, c, f)
}

// lost ends the request that a connection carries, if any, and the connection.
func (l *Lane) lost(clock *load.Lane, c *conn, f *failure) {
	l.note(f)
	if c.carries() {
		l.flying--
		clock.Fail(c.intended, f.class)
	}
	if f.class == load.Connect {
		c.out = nil
		l.breakOff(c)
		return
	}
	l.reconnect(c)
}

// carries says whether a request is with the connection.
func (c *conn) carries() bool { return len(c.out) > 0 || c.state == awaiting || c.state == sending }

// breakOff leaves a connection that cannot be made until revive.
func (l *Lane) breakOff(c *conn) {
	waiting := c.out
	c.shut()
	c.out = waiting
	l.downs++
}

// reconnect makes a connection anew, without a request.
func (l *Lane) reconnect(c *conn) {
	c.out = nil
	l.redial(c)
}

// redial makes a connection anew; the request that waits for it stays.
func (l *Lane) redial(c *conn) {
	waiting := c.out
	c.shut()
	c.out = waiting
	l.Stats.Reconnects++
	if err := l.connect(c); err != nil {
		l.note(err)
		l.breakOff(c)
	}
}

// revive tries connections again that could not be made.
func (l *Lane) revive() {
	l.downs = 0
	for _, c := range l.conns {
		if c.state == broken {
			l.redial(c)
		}
	}
}

// overdue ends requests that have taken too long.
func (l *Lane) overdue(clock *load.Lane, now int64) {
	for _, c := range l.conns {
		switch {
		case now <= c.deadline:
		case c.carries():
			l.lost(clock, c, failed(load.Timeout, "no whole answer within the timeout"))
		case c.state == connecting:
			l.lost(clock, c, failed(load.Connect, "no connection within the timeout"))
		}
	}
}

// checkIdle sees whether a connection without a request was closed, or spoken on out of turn.
func (l *Lane) checkIdle(clock *load.Lane, c *conn) {
	n, errno := c.read(l.buf)
	if n <= 0 && (errno == again || errno == interrupted) {
		return
	}
	if i := slices.Index(l.free, c); i >= 0 {
		l.free = slices.Delete(l.free, i, i+1)
	}
	l.reconnect(c)
}

// settle waits a moment for the answers that are still to come after the trial; what then is in
// flight is outstanding.
func (l *Lane) settle(ctx context.Context, clock *load.Lane) error {
	end := clock.Now() + settling
	if !clock.Open() {
		end += l.target.timeout // every request of a closed load is measured whole
	}
	for l.flying > 0 && ctx.Err() == nil {
		now := clock.Now()
		if now >= end {
			break
		}
		if err := l.turn(clock, now, min(short, end-now)); err != nil {
			return err
		}
	}
	return ctx.Err()
}
