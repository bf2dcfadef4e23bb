package engine

import (
	"errors"
	"fmt"
	"net"
	"net/netip"

	"golang.org/x/sys/unix"
)

// address returns the address to listen on. A requested port is tried first, since the server's own message about a
// port in use is buried in its output.
func (s Settings) address() (netip.AddrPort, error) {
	host := s.Host
	if host == "" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("listen on %q: not an IP address\nhint: 127.0.0.1 is reachable from "+
			"this machine only, 0.0.0.0 from all", host)
	}
	if s.Port < 0 || s.Port > 65535 {
		return netip.AddrPort{}, fmt.Errorf("listen on port %d: not within 0 to 65535\nhint: port 0 takes a free one",
			s.Port)
	}
	at := netip.AddrPortFrom(ip, uint16(s.Port))
	if s.Await != nil {
		return at, nil
	}
	return try(at)
}

// try listens briefly and returns the address, for port 0 with a free port.
func try(at netip.AddrPort) (netip.AddrPort, error) {
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(at))
	switch {
	case errors.Is(err, unix.EADDRINUSE):
		return at, fmt.Errorf("port %d of %s is taken: %w\nhint: `ss -ltnp` shows by "+
			"whom; port 0 takes a free one", at.Port(), at.Addr(), err)
	case err != nil:
		return at, fmt.Errorf("cannot listen on %s: %w", at, err)
	}
	defer l.Close()
	return netip.AddrPortFrom(at.Addr(), uint16(l.Addr().(*net.TCPAddr).Port)), nil
}

// dialable returns an address at which a client on this machine reaches a server that listens on at.
func dialable(at netip.AddrPort) string {
	if at.Addr().IsUnspecified() {
		loopback := netip.AddrFrom4([4]byte{127, 0, 0, 1})
		if at.Addr().Is6() {
			loopback = netip.IPv6Loopback()
		}
		return netip.AddrPortFrom(loopback, at.Port()).String()
	}
	return at.String()
}
