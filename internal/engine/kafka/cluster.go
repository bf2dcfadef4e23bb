package kafka

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/engine"
)

// mostControllers is the number of controllers of a large cluster: two of them are a majority, so that any one may
// fail.
const mostControllers = 3

// layout is what all brokers of a cluster know of each other. A broker alone has one, too.
type layout struct {
	controllers []netip.AddrPort // of the first brokers
	peers       []netip.AddrPort // where the others reach each broker, apart from clients; empty for one alone
	clients     []uint16         // where clients reach each broker, unless a user has named a port; empty for one alone
	keystore    string           // of all brokers on this host; "": each makes a key of its own
	trusted     []string         // certificates of all brokers, PEM; none: that of keystore
	keeper      netip.AddrPort   // of ZooKeeper, in which the metadata are; the zero value: in the controllers
}

// node is one broker's place in its cluster.
type node struct {
	*layout
	id   int // from 1 on
	rack string
}

// newLayout chooses the ports of a cluster's brokers, and of those that may join it.
func newLayout(nodes, spare int) (*layout, error) {
	l := layout{controllers: make([]netip.AddrPort, 1)}
	if nodes >= mostControllers {
		l.controllers = make([]netip.AddrPort, mostControllers)
	}
	if nodes > 1 {
		l.peers, l.clients = make([]netip.AddrPort, nodes+spare), make([]uint16, nodes+spare)
	}
	ports, err := engine.FreePorts(len(l.controllers) + len(l.peers) + len(l.clients))
	if err != nil {
		return nil, err
	}
	ports = ports[copy(l.clients, ports):]
	for _, all := range [][]netip.AddrPort{l.controllers, l.peers} {
		for i := range all {
			all[i], ports = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), ports[0]), ports[1:]
		}
	}
	return &l, nil
}

// alone reports whether it is the only broker.
func (n node) alone() bool { return len(n.peers) == 0 }

// controls reports whether the broker is a controller, too.
func (n node) controls() bool { return n.id <= len(n.controllers) }

// placeSettings returns what differs from broker to broker.
func (n node) placeSettings(at netip.AddrPort, protocol string) []setting {
	if n.keeper.IsValid() {
		return n.keptSettings(at, protocol)
	}
	return n.clusterSettings(at, protocol)
}

// clusterSettings returns what differs from broker to broker of a cluster: its roles, listeners and rack. The brokers
// speak to each other by the protocol that they speak with clients, at addresses of their own, so that the traffic of
// replication can be told apart.
func (n node) clusterSettings(at netip.AddrPort, protocol string) []setting {
	var voters []string
	for i, c := range n.controllers {
		voters = append(voters, fmt.Sprintf("%d@%v", i+1, c))
	}
	between, inner, listeners, roles := "CLIENT", "PLAINTEXT", "CLIENT://"+at.String(), "broker"
	advertise, protocols := "CLIENT://"+advertised(at).String(), "CLIENT:"+protocol
	if !n.alone() {
		peer := n.peers[n.id-1].String()
		between, inner = "REPLICATION", protocol
		listeners += ",REPLICATION://" + peer
		advertise += ",REPLICATION://" + peer
		protocols += ",REPLICATION:" + protocol
	}
	if n.controls() {
		roles += ",controller"
		listeners += ",CONTROLLER://" + n.controllers[n.id-1].String()
	}
	out := []setting{
		{"process.roles", roles},
		{"node.id", fmt.Sprint(n.id)},
		{"controller.quorum.voters", strings.Join(voters, ",")},
		{"listeners", listeners},
		{"advertised.listeners", advertise},
		{"listener.security.protocol.map", "CONTROLLER:" + inner + "," + protocols},
		{"inter.broker.listener.name", between},
		{"controller.listener.names", "CONTROLLER"},
	}
	if n.rack != "" {
		out = append(out, setting{"broker.rack", n.rack})
	}
	return out
}

// encrypting returns the settings of TLS. All brokers of a host have one certificate, which may be a user's for other
// names: they trust it, those of the cluster's other hosts, and no other.
func (n node) encrypting() []setting {
	if n.keeper.IsValid() {
		return keptEncrypting()
	}
	trusted := engine.CertFile
	if len(n.trusted) > 0 {
		trusted = trustedFile
	}
	out := []setting{
		{"ssl.keystore.type", "PEM"}, {"ssl.keystore.location", keystoreFile},
		{"ssl.truststore.type", "PEM"}, {"ssl.truststore.location", trusted},
	}
	if !n.alone() {
		out = append(out, setting{"listener.name.replication.ssl.endpoint.identification.algorithm", ""},
			setting{"listener.name.controller.ssl.endpoint.identification.algorithm", ""})
	}
	return out
}

// share makes the key that all brokers of a cluster have, unless the user has given one.
func (l *layout) share(s engine.Settings, host string) error {
	l.keystore = s.Params.Text(ParamKeystore)
	if l.keystore != "" || len(l.peers) == 0 || !s.Params.Bool(ParamTLS) {
		return nil
	}
	if _, err := keys(s.Scratch, host, ""); err != nil {
		return err
	}
	l.keystore = filepath.Join(s.Scratch, keystoreFile)
	return nil
}

// member returns the settings of one broker of several: a directory, a port and CPUs of its own.
func (e Engine) member(s engine.Settings, l *layout, id int) (engine.Settings, error) {
	if e.Nodes < 2 {
		return s, nil
	}
	s.Scratch = filepath.Join(s.Scratch, fmt.Sprintf("broker-%d", id))
	if s.Port > 0 {
		s.Port += id - 1
	} else {
		s.Port = int(l.clients[id-1])
	}
	if len(e.CPUs) > 0 {
		s.CPUs = slices.Clone(e.CPUs[id-1])
	}
	if s.Port > 65535 {
		return s, fmt.Errorf("broker %d has no port: %d exceeds 65535\nhint: a smaller port for the first", id, s.Port)
	}
	return s, os.Mkdir(s.Scratch, 0o711)
}

// Rack returns the rack of a broker: they are in the racks in turn; "" without any.
func (e Engine) Rack(id int) string {
	if e.Racks == 0 {
		return ""
	}
	return fmt.Sprintf("rack-%d", (id-1)%e.Racks+1)
}
