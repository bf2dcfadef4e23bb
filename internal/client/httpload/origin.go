package httpload

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// origin is a server's address.
type origin struct {
	secure bool
	host   string // as in the Host header: without a zone, which has no meaning for the server (RFC 6874, section 4)
	inURL  string // host as URLs have it
	name   string // without the port
	port   int
	addr   unix.Sockaddr
	family int
}

// parseURL splits a URL into the server and the path.
func parseURL(text string) (o origin, path string, err error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return o, "", fmt.Errorf("http: %w\nhint: give http://HOST:PORT/PATH", err)
	case u.Scheme == "h2c" || u.Scheme == "h2":
		return o, "", fmt.Errorf("http: %s has an unsupported scheme\nhint: give "+
			"http:// or https://, and --set http.protocol=2", text)
	case u.Scheme != "http" && u.Scheme != "https":
		return o, "", fmt.Errorf("http: %s has an unsupported scheme\nhint: give http:// or https://", text)
	case u.Hostname() == "":
		return o, "", fmt.Errorf("http: %s names no host\nhint: give http://HOST:PORT/PATH", text)
	case u.User != nil:
		return o, "", fmt.Errorf("http: URLs with a user are not supported\nhint: give a header Authorization")
	}
	o = origin{secure: u.Scheme == "https", host: withoutZone(u.Host),
		inURL: strings.Replace(u.Host, "%", "%25", 1), name: u.Hostname(), port: 80}
	if o.secure {
		o.port = 443
	}
	if p := u.Port(); p != "" {
		if o.port, err = strconv.Atoi(p); err != nil || o.port < 1 || o.port > 65535 {
			return o, "", fmt.Errorf("http: %s has no port from 1 to 65535", text)
		}
	}
	path = u.RequestURI()
	if strings.ContainsAny(path, " \r\n") {
		return o, "", fmt.Errorf("http: the path of %q contains a space or a line break\nhint: encode it, as%%20",
			text)
	}
	return o, path, nil
}

// withoutZone returns a host, and maybe a port, without the zone of an IPv6 address.
func withoutZone(host string) string {
	from, to := strings.IndexByte(host, '%'), strings.IndexByte(host, ']')
	if from < 0 || to < from {
		return host
	}
	return host[:from] + host[to:]
}

// servers returns the server with its address or, if there are several, each with its own.
func (o origin) servers(c Config) ([]origin, error) {
	if len(c.Addresses) == 0 {
		err := o.resolve(c.Socket, c.Address)
		return []origin{o}, err
	}
	var out []origin
	for _, address := range c.Addresses {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return nil, fmt.Errorf("http: the address %s of a server: %w\nhint: give IP:PORT", address, err)
		}
		one := o
		one.port, one.host = int(at.Port()), address
		if err := one.resolve("", address); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// resolve sets the server's address: the socket's, the one given, or an IPv4 one if the name has both kinds.
func (o *origin) resolve(socket, address string) error {
	if socket != "" {
		o.family, o.addr = unix.AF_UNIX, &unix.SockaddrUnix{Name: socket}
		return nil
	}
	ip, err := netip.ParseAddr(o.name)
	if address != "" {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("http: %s is no address: %w\nhint: give IP:PORT", address, err)
		}
		ip = at.Addr()
	} else if err != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", o.name)
		if err != nil || len(all) == 0 {
			return fmt.Errorf("http: cannot resolve %s: %w\nhint: give its IP address, or a name that the resolver "+
				"knows", o.name, err)
		}
		ip = all[0]
		for _, a := range all {
			if a.Unmap().Is4() {
				ip = a
				break
			}
		}
	}
	if ip = ip.Unmap(); ip.Is4() {
		o.family, o.addr = unix.AF_INET, &unix.SockaddrInet4{Port: o.port, Addr: ip.As4()}
		return nil
	}
	six := &unix.SockaddrInet6{Port: o.port, Addr: ip.As16()}
	if zone := ip.Zone(); zone != "" {
		i, err := net.InterfaceByName(zone)
		if err != nil {
			return fmt.Errorf("http: the zone of %s: %w\nhint: give the name of a network interface", o.name, err)
		}
		six.ZoneId = uint32(i.Index)
	}
	o.family, o.addr = unix.AF_INET6, six
	return nil
}
