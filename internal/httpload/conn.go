package httpload

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
)

// conn is one connection; it has one request in flight at most.
type conn struct {
	id     int32
	fd     int // −1: none
	state  state
	reused bool // an answer has come on this socket
	out    []byte
	parser parser
	secret *session // nil where nothing is encrypted

	intended int64
	sent     int64 // when the request was first sent
	deadline int64
	request  int // which of the target's
	again    bool
}

type state uint8

const (
	idle       state = iota // ready for a request
	connecting              // and then idle, or sending where a request waits
	sending                 // a part of the request has not been taken yet
	awaiting                // the answer, or the rest of it
	broken                  // no connection, and the next is not tried before retryAt
)

// failure is why a request failed.
type failure struct {
	class load.Class
	err   error
}

func (f *failure) Error() string { return f.err.Error() }

func failed(class load.Class, format string, args ...any) *failure {
	return &failure{class, fmt.Errorf(format, args...)}
}

// open begins to connect.
func (c *conn) open(o origin) error {
	fd, err := unix.Socket(o.family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("http: make a socket: %w\nhint: ulimit -n shows how many files may be open", err)
	}
	if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		_ = unix.Close(fd)
		return fmt.Errorf("http: set a socket to send at once: %w", err)
	}
	if err := unix.Connect(fd, o.addr); err != nil && !errors.Is(err, unix.EINPROGRESS) {
		_ = unix.Close(fd)
		return fmt.Errorf("http: connect to %s: %w", o.host, err)
	}
	c.fd, c.state, c.reused, c.secret = fd, connecting, false, nil
	return nil
}

func (c *conn) shut() {
	if c.fd >= 0 {
		_ = unix.Close(c.fd)
	}
	c.fd, c.state, c.out = -1, broken, nil
}

// connected says whether the connection stands, once its socket can be written to.
func (c *conn) connected() (bool, error) {
	code, err := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil {
		return false, err
	}
	if code != 0 {
		return false, syscall.Errno(code)
	}
	_, err = unix.Getpeername(c.fd)
	return err == nil, nil
}

// flush sends what is left of the request.
func (c *conn) flush() *failure {
	for len(c.out) > 0 {
		n, errno := c.write(c.out)
		switch errno {
		case 0:
			c.out = c.out[n:]
		case unix.EINTR:
		case unix.EAGAIN:
			c.state = sending
			return nil
		default:
			return failed(load.ConnClosed, "sending: %w", errno)
		}
	}
	c.state = awaiting
	return nil
}

func (c *conn) write(b []byte) (int, syscall.Errno) {
	if c.secret != nil {
		return c.secret.write(b)
	}
	return rawWrite(c.fd, b)
}

func (c *conn) read(b []byte) (int, syscall.Errno) {
	if c.secret != nil {
		return c.secret.read(b)
	}
	return rawRead(c.fd, b)
}

// receive reads what has come and says whether the answer is whole. A read that does not fill the
// buffer has emptied the socket, and what comes later is another edge, unless the event has said that the
// end has come too.
func (c *conn) receive(buf []byte, ended bool) (whole bool, f *failure) {
	for {
		n, errno := c.read(buf)
		switch {
		case errno == unix.EINTR:
			continue
		case errno == unix.EAGAIN:
			return false, nil
		case errno != 0:
			return false, failed(load.ConnClosed, "receiving: %w", errno)
		case n == 0:
			if c.parser.closed() {
				return true, nil
			}
			return false, failed(load.ConnClosed, "the server closed the connection before the end of its answer")
		}
		used, whole, err := c.parser.feed(buf[:n])
		switch {
		case err != nil:
			return false, failed(load.Protocol, "the answer cannot be understood: %w", err)
		case whole && used < n:
			return false, failed(load.Protocol, "%d bytes follow the answer that nobody asked for", n-used)
		case whole:
			return true, nil
		case n < len(buf) && c.secret == nil && !ended:
			return false, nil
		}
	}
}

// unread says whether nobody knows that the server has read the request: the connection was used
// before, and ended without a byte of an answer.
func (c *conn) unread(f *failure) bool {
	return f.class == load.ConnClosed && c.reused && !c.parser.began
}
