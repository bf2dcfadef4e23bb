package httpload

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// events is how many a wait returns at most.
const events = 256

// short is the longest wait that is made without telling Go's scheduler, in nanoseconds: telling it costs
// more than the wait is worth, and not telling it keeps one of its processors.
const short = 1_000_000

// poller waits for sockets.
type poller struct {
	fd    int
	list  [events]unix.EpollEvent
	noNs  bool // the kernel has no epoll_pwait2
	waits int64
}

func newPoller() (*poller, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("http: make an epoll instance: %w", err)
	}
	return &poller{fd: fd}, nil
}

func (p *poller) close() { _ = unix.Close(p.fd) }

// add watches a socket for everything, once and for all: edges come as they are, and
// no request changes what is watched.
func (p *poller) add(fd int, id int32) error {
	e := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET&(1<<32-1), Fd: id}
	if err := unix.EpollCtl(p.fd, unix.EPOLL_CTL_ADD, fd, &e); err != nil {
		return fmt.Errorf("http: watch a socket: %w", err)
	}
	return nil
}

// wait returns the events that have come within ns nanoseconds; 0 does not wait. An interruption is no event.
func (p *poller) wait(ns int64) ([]unix.EpollEvent, error) {
	p.waits++
	n, errno := p.call(ns)
	switch errno {
	case 0:
		return p.list[:n], nil
	case unix.EINTR:
		return nil, nil
	case unix.ENOSYS:
		if !p.noNs {
			p.noNs = true
			return p.wait(ns)
		}
	}
	return nil, fmt.Errorf("http: wait for sockets: %w", errno)
}

func (p *poller) call(ns int64) (int, syscall.Errno) {
	at, size := uintptr(unsafe.Pointer(&p.list[0])), uintptr(events)
	if ns > 0 && !p.noNs {
		ts := unix.NsecToTimespec(ns)
		args := [4]uintptr{uintptr(p.fd), at, size, uintptr(unsafe.Pointer(&ts))}
		if ns <= short {
			n, _, e := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT2, args[0], args[1], args[2], args[3], 0, 0)
			return int(n), e
		}
		n, _, e := unix.Syscall6(unix.SYS_EPOLL_PWAIT2, args[0], args[1], args[2], args[3], 0, 0)
		return int(n), e
	}
	ms := uintptr((ns + 999_999) / 1_000_000)
	if ns <= short {
		n, _, e := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), at, size, ms, 0, 0)
		return int(n), e
	}
	n, _, e := unix.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.fd), at, size, ms, 0, 0)
	return int(n), e
}

// rawRead and rawWrite are for sockets that never block.
func rawRead(fd int, b []byte) (int, syscall.Errno) {
	n, _, e := unix.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
	return int(n), e
}

// rawWrite sends without the signal that a closed connection would raise.
func rawWrite(fd int, b []byte) (int, syscall.Errno) {
	n, _, e := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), unix.MSG_NOSIGNAL, 0, 0)
	return int(n), e
}
