package httpload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
)

// abreast bounds a lane's concurrent connects before the load: a server's accept queue is short, and a connection
// that finds it full waits a second.
const abreast = 64

// NewLane makes a lane that can have so many requests in flight: one per connection, or Config.Streams. It returns once
// all connections are established, or the error of one; each has the target's timeout. If they are not kept alive, each
// request makes one.
func (t *Target) NewLane(ctx context.Context, requests int) (*Lane, error) {
	if requests < 1 {
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
	n := t.lanes.Add(1) - 1
	l := &Lane{target: t, clock: clock, poll: p, buf: make([]byte, 64<<10), next: t.firstRequest(n), spots: t.newSpots(),
		draws: t.values.seed(n)}
	if t.script != nil {
		l.script = t.script(int(n))
	}
	l.makeConns(requests)
	if err := l.connectAll(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// makeConns makes as few connections as have so many streams, with as equal numbers of them as possible.
func (l *Lane) makeConns(requests int) {
	n := (requests + l.target.streams - 1) / l.target.streams
	l.sample.good, l.sample.any = l.target.good, len(l.target.expected) > 0
	first, clients := l.target.clients.Add(int64(requests))-int64(requests), int64(0)
	dialed := l.target.conns.Add(int64(n)) - int64(n)
	for i := range n {
		c := &conn{id: int32(i), fd: -1, server: l.target.server(dialed + int64(i)),
			streams: make([]stream, requests*(i+1)/n-requests*i/n)}
		c.parser.answer.find.text, c.parser.answer.sample = l.target.expected, &l.sample
		c.parser.answer.script, c.parser.answer.slot = l.script, i
		for k := range c.streams {
			c.streams[k].conn, c.streams[k].answer.find.text = c, l.target.expected
			c.streams[k].answer.sample = &l.sample
			c.streams[k].client, c.streams[k].slot = first+clients, int(clients)
			clients++
		}
		l.conns = append(l.conns, c)
	}
}

// server returns where the target's nth connection goes, which is the same when it is reopened.
func (t *Target) server(n int64) *origin { return &t.servers[n%int64(len(t.servers))] }

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
	if !l.target.keeps {
		for _, c := range l.conns {
			c.state = parted
			l.free.push(&c.streams[0])
		}
		return nil
	}
	end := l.clock.Now() + l.target.timeout
	for begun := 0; l.standing < len(l.conns); {
		for begun < min(len(l.conns), l.standing+abreast) {
			f := l.connect(l.conns[begun])
			if errors.Is(f.err, unix.EAGAIN) && l.clock.Now() < end { // a Unix socket's queue is full
				l.conns[begun].shut()
				break
			}
			if f.some() {
				return l.unreachable(l.conns[begun], f)
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
		c := begun[e.Fd]
		if !c.beginning() {
			c.more = c.more || e.Events&unix.EPOLLIN != 0 // the load reads it
			continue
		}
		if f := l.establish(nil, c, ended(e)); f.some() {
			return l.unreachable(c, f)
		}
	}
	now := l.clock.Now()
	for _, c := range begun {
		if c.beginning() && now > c.deadline {
			return l.unreachable(c, c.silent(l.target.timeout))
		}
	}
	if err := ctx.Err(); err != nil {
		return l.unreachable(l.conns[0], failure{load.Connect, "connect", err})
	}
	return nil
}

func (l *Lane) unreachable(c *conn, f failure) error {
	hint := "is a server listening there?"
	switch {
	case errors.Is(f.err, load.ErrSilent):
		hint = silentHint
	case errors.Is(f.err, unix.EMFILE) || errors.Is(f.err, unix.ENFILE):
		hint = "ulimit -n shows the limit of open files"
	case errors.Is(f.err, unix.EADDRNOTAVAIL):
		hint = "all local ports are in use or in TIME_WAIT: fewer connections, or a wider net.ipv4.ip_local_port_range"
	case l.target.tls != nil:
		hint = "is a TLS server listening there, with a trusted certificate?"
	}
	return fmt.Errorf("http: %s: %w\nhint: %s", c.server.host, f, hint)
}

func (l *Lane) connect(c *conn) failure {
	if f := c.open(c.server); f.some() {
		return f
	}
	c.deadline = l.clock.Now() + l.target.timeout
	for i := range c.streams {
		if s := &c.streams[i]; s.busy {
			c.deadline = min(c.deadline, s.deadline)
		}
	}
	if err := l.poll.add(c.fd, c.id); err != nil {
		return failure{load.Connect, "watch a socket", err}
	}
	return failure{}
}

const silentHint = "is the server stuck, or out of workers? With TLS or HTTP/2, does it speak that at this port?"

// silent returns why a connection was not established in time: nobody accepted it, or the server did and stopped before
// the end of the handshake.
func (c *conn) silent(within int64) failure {
	if c.state == connecting {
		return failure{class: load.Connect, what: "connect: no connection within the timeout"}
	}
	what := "tls"
	if c.state == greeting {
		what = "HTTP/2"
	}
	return failure{load.Connect, what, fmt.Errorf("%w within %v", load.ErrSilent, time.Duration(within))}
}

// beginning reports whether a connection is being established.
func (c *conn) beginning() bool {
	return c.state == connecting || c.state == shaking || c.state == greeting
}

// ended reports whether an event says that the stream of bytes has ended.
func ended(e unix.EpollEvent) bool {
	return e.Events&(unix.EPOLLRDHUP|unix.EPOLLHUP|unix.EPOLLERR) != 0
}

// establish continues a connection that is being established, and takes it into use once it is. clock is nil before the
// load.
func (l *Lane) establish(clock *load.Lane, c *conn, ended bool) failure {
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
		l.shaken(c)
	}
	if l.target.two {
		if done, f := c.greet(l.target, l.buf, ended); f.some() || !done {
			return f
		}
	}
	l.standing++
	if l.loaded && l.target.keeps {
		l.Stats.Reconnects++
	}
	l.use(clock, c)
	if c.mux == nil {
		return failure{}
	}
	return c.sendFrames()
}

func (l *Lane) shaken(c *conn) {
	if !l.loaded {
		return
	}
	l.Stats.Handshakes++
	if c.secret.conn.ConnectionState().DidResume {
		l.Stats.Resumed++
	}
}

// use sends the requests that wait for a new connection, and frees its other streams.
func (l *Lane) use(clock *load.Lane, c *conn) {
	c.state = idle
	if c.mux != nil {
		c.state = sharing
	}
	for i := range c.streams {
		if s := &c.streams[i]; s.busy {
			l.post(clock, s)
		} else {
			l.free.push(s)
		}
	}
}
