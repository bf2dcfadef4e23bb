package pgload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// looksUp is the interval at which a thread that waits for an answer checks for cancellation.
const looksUp = 200 * time.Millisecond

// socket is a socket whose reads and writes block their thread in the kernel: Go's poller would wake two threads for
// each answer.
type socket struct {
	fd   int
	ctx  context.Context
	once sync.Once
	err  error
}

// blocking takes a connection out of Go's poller.
func blocking(c net.Conn) (*socket, error) {
	filer, ok := c.(interface{ File() (*os.File, error) })
	if !ok {
		return nil, fmt.Errorf("a connection of type %T has no descriptor", c)
	}
	f, err := filer.File()
	// The descriptors share their mode, so the poller's is closed first.
	err = errors.Join(err, c.Close())
	if err != nil {
		return nil, fmt.Errorf("take over a connection: %w", err)
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("take over a connection: %w", err)
	}
	wait := unix.NsecToTimeval(int64(looksUp))
	err = errors.Join(unix.SetNonblock(fd, false),
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &wait),
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &wait))
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("take over a connection: %w", err)
	}
	return &socket{fd: fd, ctx: context.Background()}, nil
}

func (s *socket) within(ctx context.Context) { s.ctx = ctx }

func (s *socket) Read(p []byte) (int, error) {
	for {
		n, err := transfer(unix.SYS_READ, s.fd, p)
		switch {
		case err == 0 && n == 0 && len(p) > 0:
			return 0, io.EOF
		case err == 0:
			return n, nil
		case !again(err):
			return 0, wrap(err)
		}
		if s.ctx.Err() != nil {
			return 0, context.Cause(s.ctx)
		}
	}
}

func (s *socket) Write(p []byte) (int, error) {
	for done := 0; ; {
		n, err := transfer(unix.SYS_WRITE, s.fd, p[done:])
		switch {
		case err == 0:
			done += n
		case !again(err):
			return done, wrap(err)
		}
		if done == len(p) {
			return done, nil
		}
		if s.ctx.Err() != nil {
			return done, context.Cause(s.ctx)
		}
	}
}

// transfer reads or writes without notifying Go's scheduler: after 20 µs in the kernel it would take the thread's place
// among those that run, give it back afterwards, and wake its monitor each time, which costs as much as the call. The
// scheduler stops a thread by a signal, which interrupts a call that has a time limit; that it is to stop, the thread
// finds where a function begins, and a loop without a call that is not inlined has no such place.
//
//go:noinline
func transfer(call uintptr, fd int, p []byte) (int, syscall.Errno) {
	n, _, err := unix.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	return int(n), err
}

func again(err syscall.Errno) bool { return err == unix.EINTR || err == unix.EAGAIN }

func wrap(err syscall.Errno) error {
	if err == unix.ECONNRESET || err == unix.EPIPE {
		return ErrClosed
	}
	return fmt.Errorf("talk to the database: %w", err)
}

func (s *socket) Close() error {
	s.once.Do(func() { s.err = unix.Close(s.fd) })
	return s.err
}

// encrypted is a connection encrypted by Go's library.
type encrypted struct {
	net.Conn
	release func() bool
}

func (e *encrypted) within(ctx context.Context) {
	e.release = context.AfterFunc(ctx, func() { _ = e.SetDeadline(time.Now()) })
}

func (e *encrypted) Close() error {
	if e.release != nil {
		e.release()
	}
	return e.Conn.Close()
}
