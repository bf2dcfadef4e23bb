package httpload

import (
	"errors"
	"fmt"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
)

// conn is one connection with its streams, each with at most one request in flight.
type conn struct {
	id       int32
	fd       int // −1: none
	server   *origin
	state    state
	reused   bool     // a previous answer came on this socket
	streams  []stream // one of HTTP/1.1
	out      []byte   // not yet accepted by the socket
	rest     []byte   // of a request, to be sent, and encrypted, after out
	parser   parser   // of HTTP/1.1
	mux      *mux     // of HTTP/2; nil for 1.1, and until its preface is sent
	secret   *session // nil if nothing is encrypted
	deadline int64    // of connecting, or of the server's closing
	more     bool     // bytes may be left to read without another event
}

type state uint8

const (
	broken     state = iota // no connection, and the next is not tried before retryAt
	connecting              // waiting for the connection
	shaking                 // waiting for the TLS handshake
	greeting                // waiting for the server's HTTP/2 settings
	idle                    // ready for a request
	sending                 // part of the request is not sent yet
	awaiting                // waiting for the answer, or the rest of it
	sharing                 // HTTP/2: any of its streams may be in use
	parting                 // its only request is answered, and the server closes it
	parted                  // no connection, until the next request
)

// open begins to connect.
func (c *conn) open(o *origin) failure {
	fd, err := unix.Socket(o.family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return failure{load.Connect, "make a socket", err}
	}
	c.fd, c.state, c.reused = fd, connecting, false
	if o.family != unix.AF_UNIX {
		if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
			return failure{load.Connect, "set a socket to send at once", err}
		}
	}
	if err := unix.Connect(fd, o.addr); err != nil && !errors.Is(err, unix.EINPROGRESS) {
		return failure{load.Connect, "connect", err}
	}
	return failure{}
}

func (c *conn) shut() {
	if c.secret != nil {
		c.secret.end()
	}
	if c.fd >= 0 {
		_ = unix.Close(c.fd)
	}
	c.fd, c.state, c.out, c.rest, c.secret, c.mux, c.more = -1, broken, nil, nil, nil, nil, false
}

// stands reports whether the connection is established, once its socket is writable.
func (c *conn) stands() (bool, failure) {
	code, err := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err == nil && code != 0 {
		err = syscall.Errno(code)
	}
	if err != nil {
		return false, failure{load.Connect, "connect", err}
	}
	_, err = unix.Getpeername(c.fd)
	return err == nil, failure{}
}

// post sends as much of an HTTP/1.1 request, a text and the rest of its body, as the socket accepts.
func (c *conn) post(r *request, text, rest []byte) failure {
	c.parser.reset(r.head)
	c.state, c.rest = sending, rest
	if c.secret == nil {
		c.out = text
	} else if err := c.secret.seal(text); err != nil {
		return failure{load.ConnClosed, "sending", err}
	}
	return c.push()
}

// push continues to send the request.
func (c *conn) push() failure {
	f := c.flush()
	if !f.some() && !c.unsent() {
		c.state = awaiting
	}
	return f
}

// unsent reports whether a part of the request is still to be sent.
func (c *conn) unsent() bool { return len(c.out) > 0 || len(c.rest) > 0 }

// sealed is how much of a body is encrypted at once.
const sealed = 64 << 10

// advance makes the next part of a request's rest pending.
func (c *conn) advance() failure {
	if c.secret == nil {
		c.out, c.rest = c.rest, nil
		return failure{}
	}
	n := min(len(c.rest), sealed)
	if err := c.secret.seal(c.rest[:n]); err != nil {
		return failure{load.ConnClosed, "sending", err}
	}
	c.rest = c.rest[n:]
	return failure{}
}

// flush sends pending bytes until the socket is full.
func (c *conn) flush() failure {
	for c.unsent() {
		if len(c.out) == 0 {
			if f := c.advance(); f.some() {
				return f
			}
		}
		n, errno := rawWrite(c.fd, c.out)
		switch errno {
		case 0:
			c.out = c.out[n:]
		case unix.EINTR:
		case unix.EAGAIN:
			return failure{}
		default:
			return failure{load.ConnClosed, "sending", errno}
		}
	}
	return failure{}
}

// mostReads bounds the reads of one event. A server that sends faster than a lane reads would otherwise block the
// lane's other connections, its timeouts and an interrupt.
const mostReads = 16

// receive reads the answer. A read that does not fill the buffer has emptied the socket, and later bytes cause
// another edge, unless the event reported the end as well.
func (c *conn) receive(buf []byte, ended bool) (whole bool, f failure) {
	for range mostReads {
		n, errno := rawRead(c.fd, buf)
		switch {
		case errno == unix.EINTR:
			continue
		case errno == unix.EAGAIN:
			return false, failure{}
		case errno != 0:
			return false, failure{load.ConnClosed, "receiving", errno}
		case c.secret != nil:
			whole, f = c.unseal(buf[:n])
		case n == 0:
			whole, f = c.over()
		default:
			whole, f = c.digest(buf[:n])
		}
		if whole || f.some() || n < len(buf) && !ended {
			return whole, f
		}
	}
	c.more = true
	return false, failure{}
}

// digest parses a piece of the answer, or of several.
func (c *conn) digest(b []byte) (whole bool, f failure) {
	if c.mux != nil {
		return false, c.mux.feed(b)
	}
	used, whole, err := c.parser.feed(b)
	switch {
	case err != nil:
		return false, failure{load.Protocol, "malformed answer", err}
	case whole && used < len(b):
		return false, failure{class: load.Protocol, what: follows}
	}
	return whole, failure{}
}

const follows = "unexpected bytes follow the answer"

// over reports whether the answer is complete at the end of the stream.
func (c *conn) over() (whole bool, f failure) {
	if c.mux == nil && c.parser.untilEnd() {
		return true, failure{}
	}
	return false, failure{class: load.ConnClosed, what: "the server closed the connection before the end of its answer"}
}

// doubtful reports whether a whole answer lasted until the end of a connection that TLS doesn't vouch for: it may be
// cut, and RFC 9112, section 9.8, calls it incomplete.
func (c *conn) doubtful() bool {
	return c.secret != nil && c.secret.pipe.abort && c.parser.untilEnd()
}

// unanswered reports whether the server may not have read the stream's request: the connection was reused, and ended
// before any byte of the answer.
func (c *conn) unanswered(s *stream, f failure) bool {
	began := c.parser.began
	if c.mux != nil {
		began = s.answer.status > 0
	}
	return f.class == load.ConnClosed && c.reused && !began
}

// busy reports whether a request is in flight.
func (c *conn) busy() bool {
	return slices.ContainsFunc(c.streams, func(s stream) bool { return s.busy })
}

// failure is the reason why a request or a connection failed; zero means none. Its text is formatted only when read,
// since a server may fail a hundred thousand times a second.
type failure struct {
	class load.Class
	what  string
	err   error
}

func (f failure) some() bool { return f.what != "" }

func (f failure) Error() string {
	if f.err == nil {
		return f.what
	}
	return fmt.Sprintf("%s: %v", f.what, f.err)
}

func (f failure) Unwrap() error { return f.err }
