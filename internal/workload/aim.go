package workload

import (
	"fmt"
	"net/netip"
)

// Aim is where a generator sends its load, which a target has told. A target could name anybody's address: so of what
// it says, only what Spec.Aim recognizes gets here, and the target's host has to prove that each of At is its own.
type Aim struct {
	Target string // Env.Target
	// At are the addresses to which the load goes, one for each server that told its own. One that is not valid needs no
	// proof: it is the user's word, or nothing is sent there.
	At []netip.AddrPort
}

// paramPort is the parameter of workloads that serve, that sets the port of the server.
const paramPort = "port"

// AimAt returns the address, an IP address and a port in their canonical form, at which a target says that it serves.
// It has to be the one of the parameters "address" and "port", if the user has set them.
func AimAt(p Params, said string) (netip.AddrPort, error) {
	at, err := netip.ParseAddrPort(said)
	if err != nil || at.String() != said || at.Port() == 0 {
		return at, fmt.Errorf("the target says that it serves at %.60q, which is no IP address and port", said)
	}
	if port := p.Int(paramPort); port > 0 && int(at.Port()) != port {
		return at, fmt.Errorf("the target says that it serves at %s, but %s is %d", at, paramPort, port)
	}
	if given, err := netip.ParseAddr(p.Text(ParamAddress)); err == nil && given != at.Addr() {
		return at, fmt.Errorf("the target says that it serves at %s, but %s is %s", at, ParamAddress, given)
	}
	return at, nil
}

// AimAtOne implements Spec.Aim of a workload, by its name, for a server whose message is its address and port.
func AimAtOne(name string, p Params, said []string) (Aim, error) {
	if len(said) != 1 {
		return Aim{}, fmt.Errorf("%s: %d targets, not one", name, len(said))
	}
	at, err := AimAt(p, said[0])
	if err != nil {
		return Aim{}, fmt.Errorf("%s: %w", name, err)
	}
	return Aim{Target: said[0], At: []netip.AddrPort{ToProve(p, at)}}, nil
}

// ToProve returns the address, unless the user has set it.
func ToProve(p Params, at netip.AddrPort) netip.AddrPort {
	if p.Text(ParamAddress) != "" {
		return netip.AddrPort{}
	}
	return at
}
