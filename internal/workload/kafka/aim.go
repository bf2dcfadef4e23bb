package kafka

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"syscall"

	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/workload"
)

// aimed implements workload.Spec's Aim: a broker that was started tells its address. Those of brokers that are there
// are the user's.
func aimed(p workload.Params, said []string) (workload.Aim, error) {
	aim := workload.Aim{Target: strings.Join(said, workload.TargetSeparator), At: make([]netip.AddrPort, len(said))}
	if isExternal(p) {
		return aim, nil
	}
	for i, text := range said {
		at, err := workload.AimAt(p, text)
		if err != nil {
			return aim, fmt.Errorf("%s: %w", Name, err)
		}
		aim.At[i] = workload.ToProve(p, at)
	}
	return aim, nil
}

// At implements workload.Member.
func (m *member) At(place string) (netip.Addr, error) {
	var p broker.Place
	if err := json.Unmarshal([]byte(place), &p); err != nil {
		return netip.Addr{}, fmt.Errorf("%s: read where a broker is: %w", Name, err)
	}
	return netip.ParseAddr(p.Address)
}

// onlyTo refuses connections to hosts that are none of the seeds'. Brokers advertise to their clients where they are,
// and those of a target could advertise anybody's address.
func onlyTo(seeds []string) func(network, address string, _ syscall.RawConn) error {
	var hosts []netip.Addr
	for _, s := range seeds {
		if at, err := netip.ParseAddrPort(s); err == nil {
			hosts = append(hosts, at.Addr())
		}
	}
	return func(_, address string, _ syscall.RawConn) error {
		if at, err := netip.ParseAddrPort(address); err != nil || !slices.Contains(hosts, at.Addr()) {
			return fmt.Errorf("a broker of the target says that clients reach it at %.60q, which is not the target's", address)
		}
		return nil
	}
}
