package httpload

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// events bounds the events of one wait.
const events = 256

// short is the longest wait without notifying Go's scheduler, in nanoseconds: notifying it costs more than so short
// a wait, but without it one of its processors, and its collector, wait as well.
const short = 1_000_000

// poller waits for sockets.
type poller struct {
	fd     int
	list   [events]unix.EpollEvent
	limit  unix.Timespec // of the current wait; here, since memory that the kernel reads must not move with a stack
	coarse bool          // the kernel has no epoll_pwait2 (before Linux 5.11): waits are whole milliseconds
	waits  int64
}

func newPoller() (*poller, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("http: make an epoll instance: %w", err)
	}
	return &poller{fd: fd}, nil
}

func (p *poller) close() { _ = unix.Close(p.fd) }

// add watches a socket for all events, edge-triggered, so that no request changes the interest set.
func (p *poller) add(fd int, id int32) error { return p.control(unix.EPOLL_CTL_ADD, fd, id) }

// again causes another event of a socket that isn't empty.
func (p *poller) again(fd int, id int32) error { return p.control(unix.EPOLL_CTL_MOD, fd, id) }

func (p *poller) control(op, fd int, id int32) error {
	e := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET&(1<<32-1), Fd: id}
	return unix.EpollCtl(p.fd, op, fd, &e)
}

// wait returns the events that arrive within ns nanoseconds; 0 does not wait. An interruption is no event.
func (p *poller) wait(ns int64) ([]unix.EpollEvent, error) {
	p.waits++
	n, errno := p.call(ns)
	switch {
	case errno == 0:
		return p.list[:n], nil
	case errno == unix.EINTR:
		return nil, nil
	case errno == unix.ENOSYS && !p.coarse:
		p.coarse = true
		return p.wait(ns)
	}
	return nil, fmt.Errorf("http: wait for sockets: %w", errno)
}

func (p *poller) call(ns int64) (int, syscall.Errno) {
	var n uintptr
	var errno syscall.Errno
	switch {
	case ns <= 0:
		n, _, errno = unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(&p.list[0])), events, 0, 0,
			0)
	case p.coarse:
		ms := uintptr((ns + 999_999) / 1_000_000)
		n, _, errno = unix.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), uintptr(unsafe.Pointer(&p.list[0])), events, ms, 0,
			0)
	case ns <= short:
		p.limit = unix.NsecToTimespec(ns)
		n, _, errno = unix.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.fd), uintptr(unsafe.Pointer(&p.list[0])), events,
			uintptr(unsafe.Pointer(&p.limit)), 0, 0)
	default:
		p.limit = unix.NsecToTimespec(ns)
		n, _, errno = unix.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.fd), uintptr(unsafe.Pointer(&p.list[0])), events,
			uintptr(unsafe.Pointer(&p.limit)), 0, 0)
	}
	return int(n), errno
}

// rawRead reads from a socket that never blocks. A read through the file system costs 3 to 5% more.
func rawRead(fd int, b []byte) (int, syscall.Errno) {
	n, _, e := unix.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), 0, 0, 0)
	return int(n), e
}

// rawWrite sends without the signal that a closed connection would raise.
func rawWrite(fd int, b []byte) (int, syscall.Errno) {
	n, _, e := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)),
		unix.MSG_NOSIGNAL, 0, 0)
	return int(n), e
}
