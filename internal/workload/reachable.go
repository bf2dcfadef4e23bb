package workload

import (
	"fmt"
	"net"
	"net/netip"
)

// ParamAddress is the parameter, of workloads that serve, that sets the address at which other hosts reach
// the target.
const ParamAddress = "address"

// Reachable returns the address to listen on for other hosts: the given one, else the first that is not
// loopback, IPv4 before IPv6. name is the workload's.
func Reachable(name, given string) (string, error) {
	if given != "" {
		if _, err := netip.ParseAddr(given); err != nil {
			return "", fmt.Errorf("%s: %s=%s is not an IP address", name, ParamAddress, given)
		}
		return given, nil
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return "", fmt.Errorf("%s: list this machine's addresses: %w", name, err)
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
		return "", fmt.Errorf("%s: this machine has only loopback addresses\nhint: --set %s.%s=ADDRESS",
			name, name, ParamAddress)
	}
	return best, nil
}
