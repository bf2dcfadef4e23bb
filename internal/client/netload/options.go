package netload

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// option sets a property of a socket as an order has it.
type option func(fd int, o Order) error

// set sets options of a socket.
func (o Order) set(fd int, options ...option) error {
	var errs []error
	for _, option := range options {
		errs = append(errs, option(fd, o))
	}
	return errors.Join(errs...)
}

// with returns a dialer's Control that sets options before the socket is connected.
func (o Order) with(options ...option) func(network, address string, raw syscall.RawConn) error {
	return func(_, _ string, raw syscall.RawConn) (err error) {
		failed := raw.Control(func(fd uintptr) { err = o.set(int(fd), options...) })
		return errors.Join(failed, err)
	}
}

// undelayed has TCP send small segments at once.
func undelayed(fd int, _ Order) error {
	return unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
}

// controlled sets the congestion control of TCP.
func controlled(fd int, o Order) error {
	if o.Congestion == "" {
		return nil
	}
	return unix.SetsockoptString(fd, unix.IPPROTO_TCP, unix.TCP_CONGESTION, o.Congestion)
}

// buffered sets the sizes of the buffers. The kernel doubles the size for its own overhead.
func buffered(fd int, o Order) error {
	if o.Buffer == 0 {
		return nil
	}
	return errors.Join(unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, o.Buffer),
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, o.Buffer))
}

// shared allows several sockets at one port, each for the datagrams of another client.
func shared(fd int, _ Order) error {
	return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)
}

// whole forbids that datagrams are split into fragments: one that is too large is an error.
func whole(fd int, _ Order) error {
	v4 := unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_DO)
	v6 := unix.SetsockoptInt(fd, unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER, unix.IPV6_PMTUDISC_DO)
	if v4 != nil && v6 != nil {
		return errors.Join(v4, v6)
	}
	return nil
}

// impatient bounds how long one call waits for datagrams, or for room for them.
func impatient(fd int, _ Order) error {
	tv := unix.NsecToTimeval(quiet.Nanoseconds())
	return errors.Join(unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &tv),
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &tv))
}
