package web

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"plimsoll/internal/client/httpload"
)

// place is where the load goes if the server's name has several addresses; the zero place otherwise.
type place struct {
	chosen string   // HOST:PORT, the first that accepts a connection
	others []string // the others that do
}

// connectWithin bounds the attempt to connect to one of several addresses.
const connectWithin = 2 * time.Second

// placeOf tries the addresses of a server's name in turn, those of IPv4 first. If none answers, the request before the
// load tells why.
func placeOf(ctx context.Context, c httpload.Config) place {
	first := ""
	switch {
	case len(c.Requests) > 0:
		first = c.Requests[0].URL
	case len(c.URLs) > 0:
		first = c.URLs[0]
	}
	u, err := url.Parse(first)
	if err != nil || c.Socket != "" {
		return place{}
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return place{}
	}
	port := u.Port()
	if port == "" {
		port = portOf(u.Scheme)
	}
	all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err != nil || len(all) < 2 {
		return place{}
	}
	slices.SortStableFunc(all, func(a, b netip.Addr) int { return a.Unmap().BitLen() - b.Unmap().BitLen() })
	var out place
	for _, ip := range all {
		at := net.JoinHostPort(ip.Unmap().String(), port)
		conn, err := (&net.Dialer{Timeout: connectWithin}).DialContext(ctx, "tcp", at)
		switch {
		case err != nil:
			continue
		case out.chosen == "":
			out.chosen = at
		default:
			out.others = append(out.others, at)
		}
		conn.Close()
	}
	return out
}

func portOf(scheme string) string { return map[string]string{"http": "80", "https": "443"}[scheme] }
