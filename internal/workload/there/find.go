package there

import (
	"context"
	"errors"
	"net"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/workload"
)

// ErrElsewhere is why a server's processes are not looked for.
var ErrElsewhere = errors.New("it runs on another machine")

// Find returns the processes of a server that is there.
func Find(ctx context.Context, root hostfs.Root, at workload.There) (procs.Found, error) {
	w := procs.Wanted{PID: at.PID, Unit: at.Unit, Container: at.Container}
	if at.Elsewhere && !at.Named() {
		return procs.Found{}, ErrElsewhere
	}
	if !at.Named() {
		var err error
		if w.Addresses, err = numeric(ctx, at.Addresses); err != nil {
			return procs.Found{}, err
		}
	}
	return procs.Find(root, w)
}

// numeric returns the addresses by number; an error if one is another machine's.
func numeric(ctx context.Context, addresses []string) ([]string, error) {
	var out []string
	for _, address := range addresses {
		host, port, err := net.SplitHostPort(address)
		if err != nil { // a UNIX socket
			out = append(out, address)
			continue
		}
		outside, err := workload.NotHere(ctx, []string{host})
		if err != nil {
			return nil, err
		}
		if len(outside) > 0 {
			return nil, ErrElsewhere
		}
		ips, err := net.DefaultResolver.LookupIPAddr(ctx, host)
		if err != nil {
			return nil, err
		}
		for _, ip := range ips {
			out = append(out, net.JoinHostPort(ip.String(), port))
		}
	}
	return out, nil
}

// Hint returns the hint for an error of Find, with a line feed before it; "" if there is none.
func Hint(err error) string {
	switch {
	case errors.Is(err, procs.ErrNone):
		return "\nhint: without it the processes are metered that listen at the server's address"
	case errors.Is(err, procs.ErrUnseen):
		return "\nhint: run plimsoll as that user or as root, or --pid N"
	case errors.Is(err, procs.ErrProxy):
		return "\nhint: --container ID, or --pid N of the server behind it"
	case errors.Is(err, procs.ErrSeveral):
		return "\nhint: --pid N names the one that does the work"
	}
	return ""
}
