package httpload

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
)

// conn is one connection; it has one request in flight at most.
type conn struct {
	id            int32
	fd            int // −1: none
	state         state
	reused        bool // an answer has come on this socket
	before, after *conn
	out           []byte // what the socket has not taken yet
	parser        parser
	secret        *session // nil where nothing is encrypted

	busy     bool // a request is with it
	again    bool // and has been sent once before
	request  []byte
	intended int64
	sent     int64 // when the request was first sent
	deadline int64 // of the request, or of connecting
}

type state uint8

const (
	broken     state = iota // no connection, and the next is not tried before retryAt
	connecting              // waits for the socket to stand
	shaking                 // waits for the TLS handshake
	idle                    // ready for a request
	sending                 // a part of the request has not been taken yet
	awaiting                // the answer, or the rest of it
)

// open begins to connect.
func (c *conn) open(o origin) failure {
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
	c.fd, c.state, c.out, c.secret = -1, broken, nil, nil
}

// stands says whether the connection is made, once its socket can be written to.
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

// post gives the request to the socket, as much as it takes.
func (c *conn) post(head bool) failure {
	c.parser.reset(head)
	c.state = sending
	if c.secret == nil {
		c.out = c.request
	} else if err := c.secret.seal(c.request); err != nil {
		return failure{load.ConnClosed, "sending", err}
	}
	return c.push()
}

// push goes on sending the request.
func (c *conn) push() failure {
	f := c.flush()
	if !f.some() && len(c.out) == 0 {
		c.state = awaiting
	}
	return f
}

// flush sends what waits, until the socket takes no more.
func (c *conn) flush() failure {
	for len(c.out) > 0 {
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

// receive reads what has come and says whether the answer is whole. A read that does not fill the
// buffer has emptied the socket, and what comes later is another edge, unless the event has said that the
// end has come too.
func (c *conn) receive(buf []byte, ended bool) (whole bool, f failure) {
	for {
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
}

// digest reads a piece of the answer.
func (c *conn) digest(b []byte) (whole bool, f failure) {
	used, whole, err := c.parser.feed(b)
	switch {
	case err != nil:
		return false, failure{load.Protocol, "the answer cannot be understood", err}
	case whole && used < len(b):
		return false, failure{class: load.Protocol, what: "bytes follow the answer that nobody asked for"}
	}
	return whole, failure{}
}

// over says whether the answer is whole now that nothing more will come.
func (c *conn) over() (whole bool, f failure) {
	if c.parser.untilEnd() {
		return true, failure{}
	}
	return false, failure{class: load.ConnClosed, what: "the server closed the connection before the end of its answer"}
}

// unanswered says whether nobody knows that the server has read the request: the connection was used
// before, and ended without a byte of an answer.
func (c *conn) unanswered(f failure) bool {
	return f.class == load.ConnClosed && c.busy && c.reused && !c.parser.began
}
