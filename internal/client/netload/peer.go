package netload

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"plimsoll/internal/client/socket"
)

// Peer is the end that clients connect to.
type Peer struct {
	Key    []byte           // which clients must know
	Secure *tls.Certificate // nil: no TLS
	Most   int              // connections

	mu   sync.Mutex
	ends map[string]*end
}

// end is the peer's half of a connection.
type end struct {
	order Order
	start chan struct{} // closed when a sender may begin
	begun sync.Once
	stop  atomic.Bool
	data  chan *data
	done  chan struct{} // closed once account is final
	ran   bool          // a thread works on it

	account Account
}

// Serve accepts connections until the listener is closed.
func (p *Peer) Serve(ctx context.Context, l net.Listener) error {
	p.ends = map[string]*end{}
	unproven := make(chan struct{}, 2*p.Most+16)
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		unproven <- struct{}{}
		go func() {
			proved := sync.OnceFunc(func() { <-unproven })
			defer proved()
			defer c.Close()
			p.handle(ctx, c, proved)
		}()
	}
}

// handle serves one TCP connection. Who does not prove to know the key gets no answer.
func (p *Peer) handle(ctx context.Context, c net.Conn, proved func()) {
	challenge, h, err := challenged(c, p.Key)
	if err != nil {
		return
	}
	proved()
	switch {
	case h.Order != nil:
		p.control(ctx, c, challenge, *h.Order)
	case h.Data != "":
		p.carry(c, challenge, h.Data)
	}
}

// control serves a connection for control. Its end is the end of the data.
func (p *Peer) control(ctx context.Context, c net.Conn, challenge []byte, o Order) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := &end{order: o, start: make(chan struct{}), data: make(chan *data, 1), done: make(chan struct{})}
	w := welcome{Name: rand.Text()}
	if err := p.add(w.Name, e); err != nil {
		w = welcome{Refused: err.Error()}
	} else if o.TLS {
		w.Certificate = p.Secure.Certificate[0]
	}
	defer p.remove(w.Name)
	if put(c, p.Key, challenge, w) != nil || w.Refused != "" || c.SetDeadline(time.Time{}) != nil {
		return
	}
	if o.Transport == TCP {
		e.ran = true
		go e.tcp(ctx)
	}
	in := bufio.NewReader(c)
	for {
		var said word
		if get(in, nil, nil, &said) != nil {
			break
		}
		if put(c, nil, nil, e.heed(ctx, c, said)) != nil {
			break
		}
	}
	p.remove(w.Name) // at once: the client may want another connection
	cancel()
	if e.ran {
		<-e.done
	}
	select {
	case d := <-e.data: // it came too late
		d.Close()
	default:
	}
}

// heed does what a client's word asks for.
func (e *end) heed(ctx context.Context, c net.Conn, w word) reply {
	switch {
	case w.Port > 0 && !e.ran:
		s, err := towards(ctx, c, w.Port, e.order)
		if err != nil {
			return reply{Refused: err.Error()}
		}
		e.ran = true
		go e.udp(ctx, s)
	case w.Stop:
		e.stop.Store(true)
		e.begin()
	case w.Account:
		select {
		case <-e.done:
			return reply{Account: &e.account}
		case <-time.After(e.order.Timeout + time.Second):
			return reply{Refused: fmt.Sprintf("the peer's end is still at work %v after the load", e.order.Timeout)}
		case <-ctx.Done():
			return reply{Refused: "the peer was stopped"}
		}
	default:
		e.begin()
	}
	return reply{}
}

func (e *end) begin() { e.begun.Do(func() { close(e.start) }) }

// add registers an end under a name that nobody can guess.
func (p *Peer) add(name string, e *end) error {
	if err := e.order.check(); err != nil {
		return err
	}
	if e.order.TLS && p.Secure == nil {
		return errors.New("the peer has no certificate")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.ends) >= p.Most {
		return fmt.Errorf("the peer has its %d connections already", p.Most)
	}
	p.ends[name] = e
	return nil
}

func (p *Peer) remove(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.ends, name)
}

// check returns an error for an order that no client of ours makes.
func (o Order) check() error {
	most := 1 << 30
	if o.Transport == UDP {
		most = MostDatagram
	}
	if o.Size < LeastSize || o.Size > most || o.Mode == RoundTrip && (o.Answer < LeastSize || o.Answer > most) ||
		o.Mode != Stream && o.Mode != RoundTrip || o.Transport != TCP && o.Transport != UDP || o.Timeout <= 0 ||
		o.TLS && o.Transport == UDP {
		return fmt.Errorf("the peer knows no such order: mode %s, transport %s, size %d, answer %d, tls %t, timeout %v",
			o.Mode, o.Transport, o.Size, o.Answer, o.TLS, o.Timeout)
	}
	return nil
}

// carry gives a TCP connection to the end that it carries the data of.
func (p *Peer) carry(c net.Conn, challenge []byte, name string) {
	p.mu.Lock()
	e := p.ends[name]
	p.mu.Unlock()
	if e == nil || e.order.Transport != TCP {
		_ = put(c, p.Key, challenge, welcome{Refused: "the peer has no such connection"})
		return
	}
	if put(c, p.Key, challenge, welcome{Name: name}) != nil || c.SetDeadline(time.Time{}) != nil {
		return
	}
	var secure *tls.Config
	if e.order.TLS {
		secure = &tls.Config{Certificates: []tls.Certificate{*p.Secure}, DynamicRecordSizingDisabled: true}
	}
	d, err := newData(c, e.order, secure, false)
	if err != nil {
		return
	}
	select {
	case e.data <- d:
	default:
		d.Close()
	}
}

// tcp works on the data of a TCP connection on its own thread.
func (e *end) tcp(ctx context.Context) {
	defer close(e.done)
	var d *data
	select {
	case d = <-e.data:
	case <-ctx.Done():
		return
	}
	defer d.Close()
	d.Within(ctx)
	if e.order.Out || e.order.Mode == RoundTrip {
		d.Limit = 0 // the client begins when it wants to, and ends with its connection for control
	}
	e.work(func() error {
		switch {
		case e.order.Mode == RoundTrip:
			return e.answer(d)
		case e.order.Out:
			return e.take(d)
		}
		return e.give(ctx, d)
	})
}

// work runs f on a locked thread and accounts for its CPU time and its end.
func (e *end) work(f func() error) {
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
	before := cpuTime()
	err := f()
	e.account.CPUNs = cpuTime() - before
	if err != nil && !ended(err) && !errors.Is(err, context.Canceled) {
		e.account.Broken = err.Error()
	}
}

// take receives a stream to its end.
func (e *end) take(d *data) error {
	block := make([]byte, e.order.Size)
	for a := &e.account; ; {
		if err := d.receive(block); err != nil {
			return err
		}
		if err := checked(block, uint64(a.Received)); err != nil {
			return err
		}
		a.got(len(block))
	}
}

// give sends a stream until the client wants no more.
func (e *end) give(ctx context.Context, d *data) error {
	if err := e.await(ctx); err != nil {
		return err
	}
	block := filled(e.order.Size, 1)
	for a := &e.account; !e.stop.Load(); {
		stamp(block, uint64(a.Sent))
		if err := d.send(block); err != nil {
			return err
		}
		a.sent(1, len(block))
	}
	return d.finish()
}

func (e *end) await(ctx context.Context) error {
	select {
	case <-e.start:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answer answers the requests of a TCP connection to its end.
func (e *end) answer(d *data) error {
	request, out := make([]byte, e.order.Size), filled(e.order.Answer, 1)
	for a := &e.account; ; {
		if err := d.receive(request); err != nil {
			return err
		}
		if err := checked(request, uint64(a.Received)); err != nil {
			return err
		}
		stamp(out, uint64(a.Received))
		a.got(len(request))
		if err := d.send(out); err != nil {
			return err
		}
		a.sent(1, len(out))
	}
}

// towards returns a UDP socket at the port of the TCP connection, for datagrams of that port of the client only.
func towards(ctx context.Context, c net.Conn, port int, o Order) (*socket.Socket, error) {
	own, client := c.LocalAddr().(*net.TCPAddr), c.RemoteAddr().(*net.TCPAddr)
	dialer := net.Dialer{LocalAddr: &net.UDPAddr{IP: own.IP, Port: own.Port, Zone: own.Zone},
		Control: o.with(shared, buffered, whole)}
	udp, err := dialer.DialContext(ctx, "udp", net.JoinHostPort((&net.IPAddr{IP: client.IP, Zone: client.Zone}).String(),
		strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("the peer's UDP port: %w", err)
	}
	s, err := socket.Take(udp)
	if err != nil {
		return nil, err
	}
	return s, o.set(s.FD, impatient)
}

// udp works on the datagrams of a connection on its own thread.
func (e *end) udp(ctx context.Context, s *socket.Socket) {
	defer close(e.done)
	defer s.Close()
	s.Within(ctx)
	e.work(func() error {
		switch {
		case e.order.Mode == RoundTrip:
			return respond(s, e.order, &e.account, e.stop.Load)
		case e.order.Out:
			return e.gather(s)
		}
		return e.scatter(ctx, s)
	})
}

// gather receives datagrams until none follow.
func (e *end) gather(s *socket.Socket) error {
	b, q, r := newBatch(e.order.Size, 1), &sequence{Account: &e.account}, receipts{}
	confirm := func() {
		if !e.order.Paced {
			r.send(s, q.Received)
		}
	}
	for {
		n, err := b.receiveSome(s, quiet)
		if errors.Is(err, errQuiet) {
			if e.stop.Load() {
				return nil
			}
			confirm()
			continue
		}
		if err != nil {
			return err
		}
		if _, err := b.count(q, n, e.order.Size); err != nil {
			return err
		}
		confirm()
	}
}

// scatter sends datagrams until the client wants no more.
func (e *end) scatter(ctx context.Context, s *socket.Socket) error {
	if err := e.await(ctx); err != nil {
		return err
	}
	b := newBatch(e.order.Size, 1)
	for a := &e.account; !e.stop.Load(); {
		if err := b.sendAll(s, batchSize, uint64(a.Sent)); err != nil {
			return err
		}
		a.sent(batchSize, e.order.Size)
	}
	return nil
}
