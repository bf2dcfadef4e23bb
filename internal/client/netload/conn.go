package netload

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/client/socket"
)

// Conn is a client's end of a connection. It is for one goroutine at a time, on a locked thread.
type Conn struct {
	Order
	Own Account // of this end

	// Stepped is called with payload that has moved while an operation of a slow stream goes on: while it sends, at least
	// once in each Sampled. Moved.Stepped is the sum. It may be nil.
	Stepped func(bytes int64)

	talk talk
	data *data          // of TCP
	udp  *socket.Socket // of UDP

	block, answer []byte
	batch         *batch
	sequence      sequence
	known         int64 // what the peer has confirmed and the caller knows of: bytes of TCP, datagrams of UDP
	stepped       int64 // of the current operation, what Stepped was called with
	fine          int   // operations that are still to be sampled
	stepper       func()
	before        int64 // CPU time of the thread at the beginning
}

// Dial opens a connection to a peer.
func Dial(ctx context.Context, at netip.AddrPort, key []byte, o Order, seed uint64) (*Conn, error) {
	c := &Conn{Order: o}
	c.sequence.Account = &c.Own
	t, w, err := proved(ctx, at, key, hello{Order: &o}, o)
	if err != nil {
		return nil, err
	}
	c.talk = talk{t, bufio.NewReader(t)}
	if o.Transport == UDP {
		err = c.dialUDP(ctx, at)
	} else {
		err = c.dialTCP(ctx, at, key, w)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.prepare(seed)
	return c, nil
}

// proved returns a TCP connection that both ends have proved to each other.
func proved(ctx context.Context, at netip.AddrPort, key []byte, h hello, o Order) (net.Conn, welcome, error) {
	dialer := net.Dialer{Timeout: o.Timeout}
	if h.Data != "" {
		dialer.Control = o.with(buffered)
	}
	c, err := dialer.DialContext(ctx, "tcp", at.String())
	if err != nil {
		return nil, welcome{}, unreachable(err, o)
	}
	w, err := introduce(c, key, h, o.Timeout)
	if err != nil {
		c.Close()
		return nil, w, fmt.Errorf("%s accepts connections, but not this one: %w", at, err)
	}
	return c, w, nil
}

// unreachable explains why no connection could be made.
func unreachable(err error, o Order) error {
	var late interface{ Timeout() bool }
	switch {
	case errors.As(err, &late) && late.Timeout():
		return fmt.Errorf("no answer within %v: %w\nhint: does a firewall drop packets to that port? --set "+
			"network.port=PORT sets it", o.Timeout, err)
	case errors.Is(err, unix.ECONNREFUSED):
		return fmt.Errorf("%w\nhint: does a firewall reject that port? --set network.port=PORT sets it", err)
	}
	return err
}

func (c *Conn) dialTCP(ctx context.Context, at netip.AddrPort, key []byte, w welcome) error {
	conn, _, err := proved(ctx, at, key, hello{Data: w.Name}, c.Order)
	if err != nil {
		return err
	}
	var secure *tls.Config
	if c.TLS {
		// The peer has proved that the certificate is its own: bytes are compared, not a chain and a name.
		secure = &tls.Config{InsecureSkipVerify: true, DynamicRecordSizingDisabled: true,
			VerifyConnection: func(s tls.ConnectionState) error {
				if len(s.PeerCertificates) == 0 || !bytes.Equal(s.PeerCertificates[0].Raw, w.Certificate) {
					return errors.New("another server answers: its certificate differs")
				}
				return nil
			}}
	}
	c.data, err = newData(conn, c.Order, secure, true)
	return err
}

func (c *Conn) dialUDP(ctx context.Context, at netip.AddrPort) error {
	dialer := net.Dialer{Control: c.with(buffered, whole)}
	conn, err := dialer.DialContext(ctx, "udp", at.String())
	if err != nil {
		return err
	}
	port := conn.LocalAddr().(*net.UDPAddr).Port
	if c.udp, err = socket.Take(conn); err != nil {
		return err
	}
	if err := c.set(c.udp.FD, impatient); err != nil {
		return err
	}
	_, err = c.talk.ask(word{Port: port}, c.Timeout)
	return err
}

// prepare allocates all that the connection moves.
func (c *Conn) prepare(seed uint64) {
	c.stepper = c.step // once: each such value takes memory
	if c.Transport == UDP && c.Mode == Stream {
		c.batch = newBatch(c.Size, seed)
		return
	}
	c.block, c.answer = filled(c.Size, seed), make([]byte, c.Answer)
}

// Begin is called once, on the connection's thread, before its first operation.
func (c *Conn) Begin(ctx context.Context) error {
	c.before = cpuTime()
	if c.data != nil {
		c.data.Within(ctx)
	} else {
		c.udp.Within(ctx)
	}
	if c.Mode == Stream && !c.Out {
		_, err := c.talk.ask(word{}, c.Timeout)
		return err
	}
	return nil
}

// Moved is what one operation has brought.
type Moved struct {
	Ops, Bytes int64 // bytes of payload that the receiving end is known to have, or, if Order.Paced, that were sent
	Stepped    int64 // of these, the bytes that Conn.Stepped got
	Lost       bool  // a round trip without an answer in time
}

// An operation that takes longer than slow makes a stream slow. So many operations after it are sampled, since a buffer
// may take the next ones at once.
const (
	slow  = 2 * time.Millisecond
	after = 64
)

// Took states how long the last operation took: slow streams are sampled.
func (c *Conn) Took(d time.Duration) {
	if c.data == nil || c.Mode != Stream || c.Stepped == nil {
		return
	}
	if c.fine = max(0, c.fine-1); d > slow {
		c.fine = after
	}
	if c.data.sample = nil; c.fine > 0 {
		c.data.sample = c.stepper
	}
}

// step reports the payload that was acknowledged since the last time.
func (c *Conn) step() {
	fresh := c.news(c.data.confirmed(c.Own.SentBytes))
	c.stepped += fresh
	c.Stepped(fresh)
}

// Next does the next operation: a block, a round trip, or datagrams, at most some.
func (c *Conn) Next(some int) (Moved, error) {
	switch {
	case c.Mode == RoundTrip && c.udp != nil:
		return c.tripUDP()
	case c.Mode == RoundTrip:
		return c.trip()
	case c.udp != nil && c.Out:
		return c.sendSome(min(some, batchSize))
	case c.udp != nil:
		return c.receiveSome()
	case c.Out:
		return c.send()
	}
	return c.receive()
}

func (c *Conn) send() (Moved, error) {
	stamp(c.block, uint64(c.Own.Sent))
	c.stepped = 0
	if err := c.data.send(c.block); err != nil {
		return Moved{}, c.broken(err)
	}
	c.Own.sent(1, len(c.block))
	return Moved{Ops: 1, Bytes: c.stepped + c.news(c.data.confirmed(c.Own.SentBytes)), Stepped: c.stepped}, nil
}

// news returns how much of a growing sum is new to the caller.
func (c *Conn) news(sum int64) int64 {
	fresh := max(0, sum-c.known)
	c.known += fresh
	return fresh
}

func (c *Conn) receive() (Moved, error) {
	c.stepped = 0
	if err := c.receiveBlock(); err != nil {
		return Moved{}, c.broken(err)
	}
	if err := checked(c.block, uint64(c.Own.Received)); err != nil {
		return Moved{}, err
	}
	c.Own.got(len(c.block))
	return Moved{Ops: 1, Bytes: int64(len(c.block)), Stepped: c.stepped}, nil
}

// receiveBlock reads a block, and reports each part of it if the stream is slow.
func (c *Conn) receiveBlock() error {
	if c.fine == 0 {
		return c.data.receive(c.block)
	}
	for done := 0; done < len(c.block); {
		n, err := c.data.path().Read(c.block[done:])
		if err != nil {
			return err
		}
		done += n
		c.stepped += int64(n)
		c.Stepped(int64(n))
	}
	return nil
}

func (c *Conn) trip() (Moved, error) {
	number := uint64(c.Own.Sent)
	stamp(c.block, number)
	if err := c.data.send(c.block); err != nil {
		return Moved{}, c.broken(err)
	}
	c.Own.sent(1, len(c.block))
	if err := c.data.receive(c.answer); err != nil {
		return Moved{}, c.broken(err)
	}
	if err := checked(c.answer, number); err != nil {
		return Moved{}, err
	}
	return c.answered(), nil
}

func (c *Conn) answered() Moved {
	c.Own.got(len(c.answer))
	return Moved{Ops: 1, Bytes: int64(len(c.block) + len(c.answer))}
}

func (c *Conn) tripUDP() (Moved, error) {
	number := uint64(c.Own.Sent)
	c.Own.sent(1, len(c.block))
	ok, err := exchange(c.udp, c.block, c.answer, number, c.Timeout)
	switch {
	case err != nil:
		return Moved{}, c.broken(err)
	case !ok:
		return Moved{Lost: true}, nil
	}
	return c.answered(), nil
}

func (c *Conn) sendSome(n int) (Moved, error) {
	if err := c.batch.sendAll(c.udp, n, uint64(c.Own.Sent)); err != nil {
		return Moved{}, c.broken(err)
	}
	c.Own.sent(n, c.Size)
	if c.Paced {
		return Moved{Ops: int64(n), Bytes: int64(n) * int64(c.Size)}, nil
	}
	return c.confirmed()
}

// confirmed returns the datagrams that the peer has confirmed since the last time.
func (c *Conn) confirmed() (Moved, error) {
	sum, err := receiptOf(c.udp, c.known)
	if err != nil {
		return Moved{}, c.broken(err)
	}
	fresh := c.news(sum)
	return Moved{Ops: fresh, Bytes: fresh * int64(c.Size)}, nil
}

func (c *Conn) receiveSome() (Moved, error) {
	n, err := c.batch.receiveSome(c.udp, c.Timeout)
	if errors.Is(err, errQuiet) {
		err = socket.ErrStalled
	}
	if err != nil {
		return Moved{}, c.broken(err)
	}
	fresh, err := c.batch.count(&c.sequence, n, c.Size)
	return Moved{Ops: int64(fresh), Bytes: int64(fresh * c.Size)}, err
}

// broken explains the end of a connection.
func (c *Conn) broken(err error) error {
	moved := c.Own.SentBytes + c.Own.GotBytes
	switch {
	case errors.Is(err, socket.ErrStalled) &&
		(c.Mode == Stream && c.Out || c.Mode == RoundTrip && c.Own.Sent == c.Own.Received):
		return fmt.Errorf("the other end has read nothing for %v, after %d bytes: it stopped reading, or its packets are "+
			"lost\nhint: --set network.timeout=DURATION waits longer", c.Timeout, moved)
	case errors.Is(err, socket.ErrStalled):
		return fmt.Errorf("the other end has sent nothing for %v, after %d bytes\nhint: --set network.timeout=DURATION "+
			"waits longer", c.Timeout, moved)
	case errors.Is(err, unix.EMSGSIZE):
		return fmt.Errorf("a datagram of %d bytes exceeds the MTU of the path: %w\nhint: --set network.size=1400B fits an "+
			"MTU of 1500", c.Size, err)
	case ended(err), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, unix.ECONNREFUSED):
		return fmt.Errorf("the other end closed the connection after %d bytes: %w", moved, err)
	}
	return err
}

// Finish ends the load of the connection, on its thread: no operation follows. Data under way are still received.
func (c *Conn) Finish() error {
	defer func() { c.Own.CPUNs = cpuTime() - c.before }()
	switch {
	case c.data != nil && (c.Out || c.Mode == RoundTrip):
		return c.data.finish()
	case c.data != nil:
		return c.drain()
	}
	if _, err := c.talk.ask(word{Stop: true}, c.Timeout); err != nil {
		return err
	}
	if c.Mode == Stream && !c.Out {
		return c.drainDatagrams()
	}
	return nil
}

// drain receives what the peer has sent before it heard that no more is wanted.
func (c *Conn) drain() error {
	if _, err := c.talk.ask(word{Stop: true}, c.Timeout); err != nil {
		return err
	}
	for {
		switch err := c.data.receive(c.block); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return c.broken(err)
		}
		if err := checked(c.block, uint64(c.Own.Received)); err != nil {
			return err
		}
		c.Own.got(len(c.block))
	}
}

func (c *Conn) drainDatagrams() error {
	for {
		n, err := c.batch.receiveSome(c.udp, quiet)
		if errors.Is(err, errQuiet) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := c.batch.count(&c.sequence, n, c.Size); err != nil {
			return err
		}
	}
}

// Account returns what the peer's end has done, once it is done.
func (c *Conn) Account() (Account, error) {
	r, err := c.talk.ask(word{Account: true}, c.Timeout+2*time.Second)
	switch {
	case err != nil:
		return Account{}, fmt.Errorf("the peer's account: %w", err)
	case r.Account == nil:
		return Account{}, errors.New("the peer gave no account")
	}
	return *r.Account, nil
}

// WirePerByte returns the bytes on an Ethernet for each byte of payload: with the headers of Ethernet, IP and TCP or
// UDP of whole segments.
func (c *Conn) WirePerByte() float64 {
	const ethernet, ip4, ip6, udp, tcp, timestamps = 14, 20, 40, 8, 20, 12
	fd, segment, header := 0, c.Size, ethernet+udp
	if c.data != nil {
		fd, header = c.data.FD, ethernet+tcp
	} else {
		fd = c.udp.FD
	}
	at, err := unix.Getpeername(fd)
	if _, is6 := at.(*unix.SockaddrInet6); err == nil && is6 {
		header += ip6
	} else {
		header += ip4
	}
	if c.data != nil {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil || info.Snd_mss == 0 {
			return 1
		}
		segment = int(info.Snd_mss)
		if info.Options&1 != 0 { // TCPI_OPT_TIMESTAMPS
			header += timestamps
		}
	}
	return float64(segment+header) / float64(segment)
}

// Close closes the connection, which ends the peer's half.
func (c *Conn) Close() error {
	var errs []error
	if c.data != nil {
		errs = append(errs, c.data.Close())
	}
	if c.udp != nil {
		errs = append(errs, c.udp.Close())
	}
	if c.talk.Conn != nil {
		errs = append(errs, c.talk.Conn.Close())
	}
	err := errors.Join(errs...)
	if errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// Probe checks the path with one round trip of small and of large packets in each direction.
func Probe(ctx context.Context, at netip.AddrPort, key []byte, o Order) error {
	large := min(max(o.Size, o.Answer), 64<<10)
	for _, p := range []struct {
		size, answer int
		where        string
	}{{LeastSize, LeastSize, ""}, {large, LeastSize, "to the target"}, {LeastSize, large, "from the target"}} {
		probe := o
		probe.Mode, probe.Size, probe.Answer = RoundTrip, p.size, p.answer
		probe.Timeout = min(o.Timeout, 3*time.Second)
		err := once(ctx, at, key, probe)
		switch {
		case err == nil:
		case p.where != "" && !errors.Is(err, context.Canceled):
			return fmt.Errorf("packets of %d bytes arrive, but %d bytes %s do not: %s\nhint: the MTUs of the path differ, or "+
				"something drops large packets: compare ip link on both hosts, and ping -M do -s 1472 TARGET", LeastSize, large,
				p.where, usage.FirstLine(err))
		case o.Transport == UDP && errors.Is(err, errLost):
			return fmt.Errorf("TCP reaches the target, but no datagram comes back within %v\nhint: does a firewall drop UDP to "+
				"port %d?", probe.Timeout, at.Port())
		default:
			return err
		}
	}
	return nil
}

// errLost is the error of a probe without an answer.
var errLost = errors.New("no answer came")

func once(ctx context.Context, at netip.AddrPort, key []byte, o Order) error {
	c, err := Dial(ctx, at, key, o, 1)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Begin(ctx); err != nil {
		return err
	}
	for range 3 { // a datagram may be lost by chance
		m, err := c.Next(1)
		if err != nil || !m.Lost {
			return err
		}
	}
	return errLost
}
