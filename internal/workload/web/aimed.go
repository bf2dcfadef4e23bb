package web

import (
	"fmt"
	"net/netip"
	"strings"

	"plimsoll/internal/engine"
	"plimsoll/internal/workload"
)

// aimed implements workload.Spec's Aim: a target says the address of the server that it has started. The scheme and the
// path are the user's; so is all of the URL of a server that is there.
func aimed(p workload.Params, said []string) (workload.Aim, error) {
	if p.Text(paramServer) == serverURL {
		return workload.Aim{Target: strings.Join(addressed(p), " "), At: make([]netip.AddrPort, len(said))}, nil
	}
	if len(said) != 1 {
		return workload.Aim{}, fmt.Errorf("%s: %d servers, not one", Name, len(said))
	}
	address, ok := strings.CutPrefix(said[0], schemeOf(p.Bool(engine.ParamTLS)))
	if !ok {
		return workload.Aim{}, fmt.Errorf("%s: the target says that it serves at %.60q, which is no %s address", Name,
			said[0], schemeOf(p.Bool(engine.ParamTLS)))
	}
	aim, err := workload.AimAtOne(Name, p, []string{address})
	if err == nil {
		aim.Target = said[0]
	}
	return aim, err
}

// schemeOf begins the URLs of a server that is started.
func schemeOf(secure bool) string {
	if secure {
		return "https://"
	}
	return "http://"
}
