package httpload

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
)

// tlsConfig returns a client's configuration, for the load's protocol alone.
func tlsConfig(of Config, name string) *tls.Config {
	c := &tls.Config{}
	if of.TLS != nil {
		c = of.TLS.Clone()
	}
	if c.ServerName == "" {
		c.ServerName = name
	}
	c.NextProtos = []string{"http/1.1"}
	if of.Protocol == HTTP2 {
		c.NextProtos = []string{alpnHTTP2}
	}
	if of.Resume {
		c.ClientSessionCache = tls.NewLRUClientSessionCache(0)
	}
	return c
}

// alpnHTTP2 is the name of HTTP/2 over TLS (RFC 9113, section 3.2).
const alpnHTTP2 = "h2"

// session is the encryption of one connection: crypto/tls over memory, which the lane's loop fills from the socket
// and drains into it. crypto/tls can resume after a read without data, but not within a handshake, which therefore
// runs in a coroutine that blocks in its reads.
type session struct {
	conn  *tls.Conn
	pipe  *pipe
	plain []byte // buffer of decrypted bytes

	next func() (struct{}, bool)
	stop func()
	err  error // of the handshake
}

func newSession(c *conn, config *tls.Config) *session {
	s := &session{pipe: &pipe{conn: c}, plain: make([]byte, 16<<10)}
	s.conn = tls.Client(s.pipe, config)
	s.next, s.stop = iter.Pull(func(yield func(struct{}) bool) {
		s.pipe.wait = func() bool { return yield(struct{}{}) }
		s.err = s.conn.Handshake()
		s.pipe.wait = nil
	})
	return s
}

// end abandons an unfinished handshake. It must run on the thread that began it.
func (s *session) end() { s.stop() }

// shake continues the handshake and reports whether it is done.
func (c *conn) shake(buf []byte) (done bool, f failure) {
	for {
		_, more := c.secret.next()
		if err := c.secret.err; err != nil {
			_ = c.flush() // sends the alert with the reason
			return false, failure{load.Connect, "tls", err}
		}
		if f := c.flush(); f.some() || !more {
			return !f.some(), f
		}
		n, errno := rawRead(c.fd, buf)
		switch {
		case errno == unix.EINTR:
			continue
		case errno == unix.EAGAIN:
			return false, failure{}
		case errno != 0:
			return false, failure{load.Connect, "tls", errno}
		}
		c.secret.pipe.put(buf[:n])
	}
}

// seal encrypts a request into the connection's output.
func (s *session) seal(request []byte) error {
	_, err := s.conn.Write(request)
	return err
}

// unseal decrypts received bytes; an empty b is the end.
func (c *conn) unseal(b []byte) (whole bool, f failure) {
	c.secret.pipe.put(b)
	for {
		n, err := c.secret.conn.Read(c.secret.plain)
		if n > 0 {
			whole, f = c.digest(c.secret.plain[:n])
			if whole {
				return c.last()
			}
			if f.some() {
				return false, f
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false, failure{}
		case errors.Is(err, io.EOF):
			return c.over()
		default:
			return false, failure{load.Protocol, "tls", err}
		}
	}
}

// last reports whether nothing but messages of the protocol, such as a session ticket, follows a whole answer. Other
// bytes would be taken as the answer to the next request.
func (c *conn) last() (whole bool, f failure) {
	if len(c.secret.pipe.in) == 0 {
		return true, failure{} // the usual case takes no time
	}
	n, err := c.secret.conn.Read(c.secret.plain)
	if n > 0 {
		return false, failure{class: load.Protocol, what: follows}
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		c.parser.close = true // the server closes the connection, or broke it, after its answer
	}
	return true, failure{}
}

// recordHead is the length of a TLS record's head, whose last two bytes are the length of the rest.
const recordHead = 5

// pipe is a net.Conn in memory, for crypto/tls.
type pipe struct {
	conn  *conn
	in    []byte // received and not yet read
	left  int    // of the record that is being read
	base  []byte // backing array of in
	room  []byte // backing array of the connection's out
	ended bool
	abort bool        // crypto/tls has met the end, without the alert that announces it
	wait  func() bool // nil outside a handshake; false: it is abandoned
}

// put adds received bytes; an empty b is the end.
func (p *pipe) put(b []byte) {
	if p.ended = len(b) == 0; p.ended {
		return
	}
	if len(p.in) > 0 {
		p.in = append(p.in, b...)
		return
	}
	p.base = append(p.base[:0], b...)
	p.in = p.base
}

// Read returns received bytes, of one record at most, so that those that crypto/tls hasn't looked at stay in the pipe.
// If there are none, it returns a deadline error, which crypto/tls treats as temporary.
func (p *pipe) Read(b []byte) (int, error) {
	for len(p.in) == 0 || p.left == 0 && len(p.in) < recordHead && !p.ended {
		switch {
		case p.ended:
			p.abort = true
			return 0, io.EOF
		case p.wait == nil:
			return 0, os.ErrDeadlineExceeded
		case !p.wait():
			return 0, net.ErrClosed
		}
	}
	if p.left == 0 {
		if p.left = len(p.in); p.left >= recordHead {
			p.left = recordHead + int(binary.BigEndian.Uint16(p.in[recordHead-2:]))
		}
	}
	n := copy(b, p.in[:min(p.left, len(p.in))])
	p.in, p.left = p.in[n:], p.left-n
	return n, nil
}

// Write appends to the connection's output.
func (p *pipe) Write(b []byte) (int, error) {
	if len(p.conn.out) > 0 {
		p.conn.out = append(p.conn.out, b...)
		if cap(p.conn.out) > cap(p.room) {
			p.room = p.conn.out[:0] // used again once all of it is sent
		}
		return len(b), nil
	}
	p.room = append(p.room[:0], b...)
	p.conn.out = p.room
	return len(b), nil
}

func (p *pipe) Close() error                     { return nil }
func (p *pipe) LocalAddr() net.Addr              { return nil }
func (p *pipe) RemoteAddr() net.Addr             { return nil }
func (p *pipe) SetDeadline(time.Time) error      { return nil }
func (p *pipe) SetReadDeadline(time.Time) error  { return nil }
func (p *pipe) SetWriteDeadline(time.Time) error { return nil }
