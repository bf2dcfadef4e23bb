package engine

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"plimsoll/internal/machine/host/hostfs"
)

// fewestPorts is the number of ports among which it is worth looking at random.
const fewestPorts = 10000

// outside returns the ports, from from to before to, that the kernel gives to no connection; 0, 0 if there are few. A
// port that is free among them stays free until its server listens, and while a killed one is down.
func outside(low, high int) (from, to int) {
	const lowest, end = 10000, 65536
	switch {
	case low-lowest >= fewestPorts:
		return lowest, low
	case end-high > fewestPorts:
		return high + 1, end
	}
	return 0, 0
}

// ephemeral returns the ports that the kernel gives to connections.
func ephemeral() (low, high int) {
	text, err := os.ReadFile(filepath.Join(hostfs.System().Proc, "sys/net/ipv4/ip_local_port_range"))
	if err == nil {
		_, err = fmt.Sscan(string(text), &low, &high)
	}
	if err != nil {
		return 32768, 60999 // the kernel's default
	}
	return low, high
}

// IsPlain reports whether an address that another host gives can stand in settings and statements: a zone may be any
// text.
func IsPlain(at netip.Addr) bool {
	return !strings.ContainsFunc(at.Zone(), func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '.' && c != '_' && c != '-'
	})
}

// FreePorts returns ports that are free at all addresses of this machine, and not the same.
func FreePorts(n int) ([]uint16, error) {
	const tries = 1000
	from, to := outside(ephemeral())
	var out []uint16
	for i := 0; len(out) < n; i++ {
		port := 0 // any
		if to > from && i < tries {
			port = from + rand.IntN(to-from)
		}
		l, err := net.ListenTCP("tcp4", &net.TCPAddr{Port: port})
		if err != nil && port != 0 {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		defer l.Close() // until all are chosen
		out = append(out, l.Addr().(*net.TCPAddr).AddrPort().Port())
	}
	return out, nil
}
