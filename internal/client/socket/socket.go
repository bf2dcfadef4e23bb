// Package socket moves bytes through sockets whose calls block their thread in the kernel. It is for load with a thread
// for each connection: Go's poller would wake two threads for each answer.
package socket

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

// looksUp is the interval at which a thread that waits in the kernel checks for cancellation.
const looksUp = 200 * time.Millisecond

// ErrStalled is the error of a read or write that made no progress for Socket.Limit.
var ErrStalled = errors.New("nothing moved")

// Socket is a blocking socket. One goroutine may read it while another writes.
type Socket struct {
	FD    int
	Limit time.Duration // the longest wait without progress, to 200 ms; 0: none
	ctx   context.Context
	once  sync.Once
	err   error
}

// Take takes a connection out of Go's poller. It closes the connection, also after an error.
func Take(c net.Conn) (*Socket, error) {
	filer, ok := c.(interface{ File() (*os.File, error) })
	if !ok {
		return nil, errors.Join(fmt.Errorf("a connection of type %T has no descriptor", c), c.Close())
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
	return &Socket{FD: fd, ctx: context.Background()}, nil
}

// Within ends reads and writes with the cause of ctx once that has ended.
func (s *Socket) Within(ctx context.Context) { s.ctx = ctx }

// Ended returns the cause of the context's end; nil before it.
func (s *Socket) Ended() error { return context.Cause(s.ctx) }

// Read implements io.Reader. An error of the kernel is a syscall.Errno.
func (s *Socket) Read(p []byte) (int, error) {
	for wait := (Wait{}); ; {
		n, err := Transfer(unix.SYS_READ, s.FD, p)
		switch {
		case err == 0 && n == 0 && len(p) > 0:
			return 0, io.EOF
		case err == 0:
			return n, nil
		case !Again(err):
			return 0, err
		}
		if err := s.waited(&wait); err != nil {
			return 0, err
		}
	}
}

// Write implements io.Writer. An error of the kernel is a syscall.Errno.
func (s *Socket) Write(p []byte) (int, error) {
	wait := Wait{}
	for done := 0; ; {
		n, err := Transfer(unix.SYS_WRITE, s.FD, p[done:])
		switch {
		case err == 0:
			done, wait = done+n, Wait{}
		case !Again(err):
			return done, err
		}
		if done == len(p) {
			return done, nil
		}
		if err := s.waited(&wait); err != nil {
			return done, err
		}
	}
}

// waited returns an error if a call is to wait no longer.
func (s *Socket) waited(w *Wait) error {
	if err := s.Ended(); err != nil {
		return err
	}
	if s.Limit > 0 && w.Over(s.Limit) {
		return ErrStalled
	}
	return nil
}

// Wait is the wait for a call that is made again after each interruption. The kernel's own time limit never ends it:
// Go's scheduler interrupts a thread in the kernel every 10 ms, and each call begins its limit anew.
type Wait struct{ since time.Time }

// Over reports whether its first use was so long ago.
func (w *Wait) Over(limit time.Duration) bool {
	if w.since.IsZero() {
		w.since = time.Now()
		return false
	}
	return time.Since(w.since) >= limit
}

// Close closes the socket. It may be called more than once.
func (s *Socket) Close() error {
	s.once.Do(func() { s.err = unix.Close(s.FD) })
	return s.err
}

// Transfer reads or writes without notifying Go's scheduler. After 20 µs in the kernel the scheduler would take the
// thread's place among the running ones, give it back, and wake its monitor. That costs as much as the call. The
// scheduler stops a thread by a signal, which interrupts a call with a time limit. The thread then stops where a
// function begins, so that the loop needs a call that isn't inlined.
//
//go:noinline
func Transfer(call uintptr, fd int, p []byte) (int, syscall.Errno) {
	n, _, err := unix.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	return int(n), err
}

// Again reports whether a call was interrupted or has waited for as long as it may.
func Again(err syscall.Errno) bool { return err == unix.EINTR || err == unix.EAGAIN }
