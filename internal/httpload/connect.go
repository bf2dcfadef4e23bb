package httpload

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
)

// abreast bounds a lane's concurrent connects before the load: a server's accept queue is short, and a connection
// that finds it full waits a second.
const abreast = 64

// NewLane makes a lane with so many connections. It returns once all are established, or the error of one; each has
// the target's timeout.
func (t *Target) NewLane(ctx context.Context, connections int) (*Lane, error) {
	if connections < 1 {
		return nil, errors.New("http: a lane has no connections\nhint: give at least as many connections as lanes")
	}
	clock, err := load.NewClock()
	if err != nil {
		return nil, err
	}
	p, err := newPoller()
	if err != nil {
		return nil, err
	}
	l := &Lane{target: t, clock: clock, poll: p, buf: make([]byte, 64<<10), next: t.firstRequest()}
	for i := range connections {
		l.conns = append(l.conns, &conn{id: int32(i), fd: -1})
	}
	if err := l.connectAll(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Close closes all connections. It may be called repeatedly, but not during Run.
func (l *Lane) Close() {
	for _, c := range l.conns {
		c.shut()
	}
	if l.poll != nil {
		l.poll.close()
		l.poll = nil
	}
}

// connectAll establishes all connections.
func (l *Lane) connectAll(ctx context.Context) error {
	end := l.clock.Now() + l.target.timeout
	for begun := 0; l.free.n < len(l.conns); {
		for begun < min(len(l.conns), l.free.n+abreast) {
			f := l.connect(l.conns[begun])
			if errors.Is(f.err, unix.EAGAIN) && l.clock.Now() < end { // a Unix socket's queue is full
				l.conns[begun].shut()
				break
			}
			if f.some() {
				return l.unreachable(f)
			}
			begun++
		}
		if err := l.await(ctx, l.conns[:begun]); err != nil {
			return err
		}
	}
	return nil
}

// await continues connections that are being established.
func (l *Lane) await(ctx context.Context, begun []*conn) error {
	found, err := l.poll.wait(short)
	if err != nil {
		return err
	}
	for _, e := range found {
		if c := begun[e.Fd]; c.state == connecting || c.state == shaking {
			if f := l.establish(c); f.some() {
				return l.unreachable(f)
			}
		}
	}
	now := l.clock.Now()
	for _, c := range begun {
		if (c.state == connecting || c.state == shaking) && now > c.deadline {
			return l.unreachable(failure{class: load.Connect, what: "connect: no connection within the timeout"})
		}
	}
	if err := ctx.Err(); err != nil {
		return l.unreachable(failure{load.Connect, "connect", err})
	}
	return nil
}

func (l *Lane) unreachable(f failure) error {
	hint := "is a server listening there?"
	switch {
	case errors.Is(f.err, unix.EMFILE) || errors.Is(f.err, unix.ENFILE):
		hint = "ulimit -n shows the limit of open files"
	case errors.Is(f.err, unix.EADDRNOTAVAIL):
		hint = "all local ports are in use or in TIME_WAIT: fewer connections, or a wider net.ipv4.ip_local_port_range"
	case l.target.tls != nil:
		hint = "is a TLS server listening there, with a trusted certificate?"
	}
	return fmt.Errorf("http: %s: %w\nhint: %s", l.target.origin.host, f, hint)
}

func (l *Lane) connect(c *conn) failure {
	if f := c.open(l.target.origin); f.some() {
		return f
	}
	if !c.busy {
		c.deadline = l.clock.Now() + l.target.timeout
	}
	if err := l.poll.add(c.fd, c.id); err != nil {
		return failure{load.Connect, "watch a socket", err}
	}
	return failure{}
}

// establish continues a connection that is being established, and takes it into use once it is.
func (l *Lane) establish(c *conn) failure {
	if c.state == connecting {
		stands, f := c.stands()
		if f.some() || !stands {
			return f
		}
		if l.target.tls != nil {
			c.state, c.secret = shaking, newSession(c, l.target.tls)
		}
	}
	if c.state == shaking {
		done, f := c.shake(l.buf)
		if f.some() || !done {
			return f
		}
	}
	if l.loaded {
		l.Stats.Reconnects++
	}
	if c.busy { // a request waits for it
		return c.post(l.target.head)
	}
	c.state = idle
	l.free.push(c)
	return failure{}
}
