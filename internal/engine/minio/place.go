package minio

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/list"
	"plimsoll/internal/engine"
)

// Place is where one server of an erasure set on several hosts is, as the others have to know it. It has no secret.
type Place struct {
	Address     string `json:"address"` // IP address at which the other hosts reach it
	Port        uint16 `json:"port"`
	Folder      string `json:"folder"`                // below which its drives are, on its host
	Certificate string `json:"certificate,omitempty"` // PEM; "": nothing is encrypted
}

// Layout is the places of all servers of an erasure set on several hosts, and which of them is started here.
type Layout struct {
	Places []Place
	Self   int // from 1 on
}

// Place chooses the port of this host's server of an erasure set on several hosts and, if it encrypts, makes its
// certificate.
func (Engine) Place(s engine.Settings) (Place, error) {
	p := Place{Address: s.Host, Port: uint16(s.Port), Folder: s.Scratch}
	if s.Port == 0 {
		ports, err := engine.FreePorts(1)
		if err != nil {
			return p, fmt.Errorf("%s: %w", name, err)
		}
		p.Port = ports[0]
	}
	if !s.Params.Bool(ParamTLS) {
		return p, nil
	}
	certs := filepath.Join(s.Scratch, certsDir)
	if err := os.MkdirAll(certs, 0o700); err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	if err := certify(certs, s.Host); err != nil {
		return p, err
	}
	text, err := input.ReadFile(engine.CertPath(certs), maxCertificate)
	if err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	p.Certificate = string(text)
	return p, nil
}

// Join returns the layout of an erasure set whose servers are at these places, JSON of Place.
func Join(self int, all []string) (Layout, error) {
	l := Layout{Self: self, Places: make([]Place, len(all))}
	if self < 1 || self > len(all) {
		return l, fmt.Errorf("%s: server %d of %d", name, self, len(all))
	}
	taken := map[string]int{}
	for i, text := range all {
		p := &l.Places[i]
		if err := json.Unmarshal([]byte(text), p); err != nil {
			return l, fmt.Errorf("%s: read the place of server %d: %w", name, i+1, err)
		}
		if at, err := netip.ParseAddr(p.Address); err != nil || at.Zone() != "" || p.Port == 0 {
			return l, fmt.Errorf("%s: server %d has no IP address and port: %.60q", name, i+1, p.at())
		}
		if !filepath.IsAbs(p.Folder) || filepath.Clean(p.Folder) == "/" {
			return l, fmt.Errorf("%s: server %d has no folder for its drives: %.60q", name, i+1, p.Folder)
		}
		if other := taken[p.Address]; other > 0 {
			return l, fmt.Errorf("%s: servers %d and %d are both at %s, but each needs its own host\nhint: --cluster names "+
				"different hosts, which have different addresses", name, other, i+1, p.Address)
		}
		taken[p.Address] = i + 1
	}
	return l, nil
}

// maxCertificate bounds the file of one certificate, bytes.
const maxCertificate = 64 << 10

// at returns the server's address, HOST:PORT.
func (p Place) at() string { return net.JoinHostPort(p.Address, strconv.Itoa(int(p.Port))) }

// own returns the place of the server that is started here.
func (l Layout) own() Place { return l.Places[l.Self-1] }

// Addrs returns the servers' addresses, HOST:PORT.
func (l Layout) Addrs() []string { return list.Map(l.Places, Place.at) }

// Others returns where the servers of the other hosts are.
func (l Layout) Others() []netip.AddrPort {
	var out []netip.AddrPort
	for i, p := range l.Places {
		if i+1 != l.Self {
			out = append(out, netip.AddrPortFrom(netip.MustParseAddr(p.Address), p.Port)) // Join checked it
		}
	}
	return out
}

// drives returns the URLs of all drives, so many at each server. They are in the same order on each host: it is part of
// the erasure set. The drives of one server are apart, as MinIO's own notation host{1...n}/drive{1...n} has them.
func (l Layout) drives(each int, secure bool) []string {
	var out []string
	for n := range each {
		for _, p := range l.Places {
			// Escaped, a folder's name can't be one of MinIO's patterns.
			u := url.URL{Scheme: scheme(secure), Host: p.at(), Path: driveIn(p.Folder, n)}
			out = append(out, u.String())
		}
	}
	return out
}

// trustDir is the folder of the certificates that a server trusts, beneath certsDir.
const trustDir = "CAs"

// trust has the server of this host trust the servers of the others.
func (l Layout) trust(certs string) error {
	dir := filepath.Join(certs, trustDir)
	err := os.MkdirAll(dir, 0o700)
	for i, p := range l.Places {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("server%d.crt", i+1)), []byte(p.Certificate), 0o600)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// trusted returns the configuration for clients of all servers of the erasure set; nil: plain text.
func (i *Instance) trusted() (*tls.Config, error) {
	if i.layout == nil || !i.secure {
		return i.TLS()
	}
	pool := x509.NewCertPool()
	for n, p := range i.layout.Places {
		if !pool.AppendCertsFromPEM([]byte(p.Certificate)) {
			return nil, fmt.Errorf("server %d states no certificate", n+1)
		}
	}
	return &tls.Config{RootCAs: pool}, nil
}
