package kafka

import (
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/engine"
)

// Place is where one broker of a cluster of several hosts is, as the others have to know it. It holds no secret.
type Place struct {
	Address     string `json:"address"` // IP address at which the other hosts reach it
	Controller  uint16 `json:"controller"`
	Peers       uint16 `json:"peers"`
	Client      uint16 `json:"client"`
	Certificate string `json:"certificate,omitempty"` // PEM; "": nothing is encrypted
	Rack        string `json:"rack,omitempty"`
}

// Layout is the places of all brokers of a cluster of several hosts, and which of them is started here.
type Layout struct {
	Places []Place
	Self   int // from 1 on
	Spare  int // of the last places: their brokers join later
}

// Place chooses the ports of this host's broker of a cluster of several hosts and, if it encrypts, makes its key.
func (e Engine) Place(s engine.Settings) (Place, error) {
	ports, err := engine.FreePorts(3)
	if err != nil {
		return Place{}, fmt.Errorf("%s: %w", name, err)
	}
	p := Place{Address: s.Host, Controller: ports[0], Peers: ports[1], Client: ports[2]}
	if s.Port > 0 {
		p.Client = uint16(s.Port)
	}
	if !s.Params.Bool(ParamTLS) {
		return p, nil
	}
	at, err := keys(s.Scratch, s.Host, s.Params.Text(ParamKeystore))
	if err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	text, err := os.ReadFile(at)
	p.Certificate = string(text)
	return p, err
}

// Join returns the layout of a cluster whose brokers are at these places, JSON of Place. As many racks are named, in
// turn; if racks is 0 they are the zones, where those of all are known.
func Join(self int, all, zones []string, racks int) (Layout, error) {
	l := Layout{Self: self, Places: make([]Place, len(all))}
	zoned := len(zones) == len(all) && !slices.Contains(zones, "")
	for i, text := range all {
		p := &l.Places[i]
		if err := json.Unmarshal([]byte(text), p); err != nil {
			return l, fmt.Errorf("%s: reading the place of broker %d: %w", name, i+1, err)
		}
		switch {
		case racks > 0:
			p.Rack = Engine{Racks: racks}.Rack(i + 1)
		case zoned:
			p.Rack = zones[i]
		}
	}
	return l, l.check()
}

// Seeds returns where clients reach the brokers, host:port.
func (l Layout) Seeds() []string {
	return list.Map(l.Places, func(p Place) string { return net.JoinHostPort(p.Address, strconv.Itoa(int(p.Client))) })
}

// check returns an error unless brokers can be told to be at all of these places.
func (l Layout) check() error {
	if l.Self < 1 || l.Self > len(l.Places) {
		return fmt.Errorf("%s: broker %d of %d", name, l.Self, len(l.Places))
	}
	for i, p := range l.Places {
		if at, err := netip.ParseAddr(p.Address); err != nil || !engine.IsPlain(at) {
			return fmt.Errorf("%s: broker %d has no IP address: %.60q", name, i+1, p.Address)
		}
		if strings.ContainsAny(p.Rack, "\r\n\\") {
			return fmt.Errorf("%s: broker %d is in no rack of such a name: %.60q", name, i+1, p.Rack)
		}
	}
	return nil
}

// inner returns the layout as the brokers of one host have it.
func (l Layout) inner() *layout {
	out := layout{}
	for i, p := range l.Places {
		at := netip.MustParseAddr(p.Address) // checked
		out.peers = append(out.peers, netip.AddrPortFrom(at, p.Peers))
		out.clients = append(out.clients, p.Client)
		if i == 0 || i < mostControllers && len(l.Places)-l.Spare >= mostControllers {
			out.controllers = append(out.controllers, netip.AddrPortFrom(at, p.Controller))
		}
		out.trusted = append(out.trusted, p.Certificate)
	}
	return &out
}

// trustedFile has the certificates of all brokers of a cluster of several hosts.
const trustedFile = "trusted.pem"

// placed returns the one broker of a cluster of several hosts that is started here.
func (e Engine) placed(s engine.Settings) (*running, error) {
	l, own := e.Layout.inner(), e.Layout.Places[e.Layout.Self-1]
	s.Host, s.Port = own.Address, int(own.Client)
	if s.Params.Bool(ParamTLS) {
		l.keystore = filepath.Join(s.Scratch, keystoreFile) // made with its place
		if err := os.WriteFile(filepath.Join(s.Scratch, trustedFile), []byte(strings.Join(l.trusted, "")),
			0o600); err != nil {
			return nil, err
		}
	}
	return &running{node: node{layout: l, id: e.Layout.Self, rack: own.Rack}, settings: s}, nil
}
