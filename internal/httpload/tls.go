package httpload

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	again       = unix.EAGAIN
	interrupted = unix.EINTR
)

// tlsConfig is a client's, for HTTP/1.1 alone.
func tlsConfig(base *tls.Config, name string) *tls.Config {
	c := &tls.Config{}
	if base != nil {
		c = base.Clone()
	}
	if c.ServerName == "" {
		c.ServerName = name
	}
	c.NextProtos = []string{"http/1.1"}
	return c
}

// session is one encrypted connection over a socket that does not block. crypto/tls can go on after a read
// that found nothing, but not in the middle of a handshake, so that is waited for.
type session struct {
	conn *tls.Conn
	raw  *socket
}

// handshake makes a session; the whole lane waits for it.
func handshake(fd int, config *tls.Config, timeout int64) (*session, error) {
	s := &session{raw: &socket{fd: fd, deadline: time.Now().Add(time.Duration(timeout)), waits: true}}
	s.conn = tls.Client(s.raw, config)
	if err := s.conn.Handshake(); err != nil {
		return nil, fmt.Errorf("tls: %w", err)
	}
	s.raw.waits = false
	return s, nil
}

func (s *session) read(b []byte) (int, syscall.Errno) {
	n, err := s.conn.Read(b)
	var errno syscall.Errno
	switch {
	case n > 0 || err == nil:
		return n, 0
	case errors.Is(err, errNothing):
		return 0, again
	case errors.As(err, &errno):
		return 0, errno
	case s.raw.ended:
		return 0, 0
	}
	return 0, unix.EPROTO
}

// write takes all of b: what the socket does not take is waited for.
func (s *session) write(b []byte) (int, syscall.Errno) {
	n, err := s.conn.Write(b)
	if err != nil {
		return n, unix.EPIPE
	}
	return n, 0
}

// errNothing is a read that found nothing, after which a session can go on.
var errNothing = errors.New("nothing to read")

// temporary makes errNothing one that crypto/tls does not take for the end.
type temporary struct{ error }

func (temporary) Timeout() bool   { return true }
func (temporary) Temporary() bool { return true }
func (t temporary) Unwrap() error { return t.error }

// socket is a net.Conn over a socket of ours, for crypto/tls.
type socket struct {
	fd       int
	waits    bool // reads wait
	deadline time.Time
	ended    bool
}

func (s *socket) Read(b []byte) (int, error) {
	for {
		n, errno := rawRead(s.fd, b)
		switch {
		case errno == 0 && n == 0:
			s.ended = true
			return 0, net.ErrClosed
		case errno == 0:
			return n, nil
		case errno == unix.EINTR:
		case errno != unix.EAGAIN:
			return 0, errno
		case !s.waits:
			return 0, temporary{errNothing}
		default:
			if err := s.wait(unix.POLLIN); err != nil {
				return 0, err
			}
		}
	}
}

func (s *socket) Write(b []byte) (int, error) {
	sent := 0
	for sent < len(b) {
		n, errno := rawWrite(s.fd, b[sent:])
		switch errno {
		case 0:
			sent += n
		case unix.EINTR:
		case unix.EAGAIN:
			if err := s.wait(unix.POLLOUT); err != nil {
				return sent, err
			}
		default:
			return sent, errno
		}
	}
	return sent, nil
}

func (s *socket) wait(event int16) error {
	left := time.Until(s.deadline)
	if !s.waits {
		left = time.Second
	}
	if left <= 0 {
		return os.ErrDeadlineExceeded
	}
	_, err := unix.Poll([]unix.PollFd{{Fd: int32(s.fd), Events: event}}, int(left.Milliseconds())+1)
	if errors.Is(err, unix.EINTR) {
		return nil
	}
	return err
}

func (s *socket) Close() error                     { return nil }
func (s *socket) LocalAddr() net.Addr              { return nil }
func (s *socket) RemoteAddr() net.Addr             { return nil }
func (s *socket) SetDeadline(time.Time) error      { return nil }
func (s *socket) SetReadDeadline(time.Time) error  { return nil }
func (s *socket) SetWriteDeadline(time.Time) error { return nil }
