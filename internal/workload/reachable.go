package workload

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
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

// NotHere returns the hosts that have an address which is none of this machine's.
func NotHere(ctx context.Context, hosts []string) ([]string, error) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, host := range hosts {
		addresses, err := net.DefaultResolver.LookupIPAddr(ctx, host)
		if err != nil {
			return nil, err
		}
		foreign := func(a net.IPAddr) bool {
			return !a.IP.IsLoopback() && !slices.ContainsFunc(all, func(own net.Addr) bool {
				n, ok := own.(*net.IPNet)
				return ok && n.IP.Equal(a.IP)
			})
		}
		if slices.ContainsFunc(addresses, foreign) {
			out = append(out, host)
		}
	}
	return out, nil
}
