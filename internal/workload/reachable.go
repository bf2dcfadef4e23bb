package workload

import (
	"fmt"
	"net"
	"net/netip"
)

// ParamAddress is the parameter, of workloads that serve, that says where other hosts reach the target.
const ParamAddress = "address"

// Reachable is the address to listen on for other hosts: the one given, else the first that is not loopback, an IPv4 one
// before others. name is the workload's.
func Reachable(name, given string) (string, error) {
	if given != "" {
		if _, err := netip.ParseAddr(given); err != nil {
			return "", fmt.Errorf("%s: %s=%s is not an IP address", name, ParamAddress, given)
		}
		return given, nil
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return "", fmt.Errorf("%s: finding this machine's address: %w", name, err)
	}
	best := ""
	for _, a := range all {
		p, err := netip.ParsePrefix(a.String())
		if err != nil || !p.Addr().IsGlobalUnicast() {
			continue
		}
		if p.Addr().Is4() {
			return p.Addr().String(), nil
		}
		if best == "" {
			best = p.Addr().String()
		}
	}
	if best == "" {
		return "", fmt.Errorf("%s: this machine has no address but loopback\nhint: --set %s.%s=ADDRESS", name, name, ParamAddress)
	}
	return best, nil
}
