package kafka

import (
	"net/netip"
	"strings"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// settingsOf returns what a broker of a cluster reads last of each name.
func settingsOf(t *testing.T, l *layout, id int, tls string) map[string]string {
	t.Helper()
	n := node{layout: l, id: id, rack: Engine{Racks: 2}.rackOf(id)}
	text, err := properties(resolve(t, record.Params{ParamTLS: tls}), netip.MustParseAddrPort("192.0.2.1:9092"), n)
	if err != nil {
		t.Fatal(err)
	}
	return lastOf(text)
}

// TestPlaces: of four brokers three are controllers, and all speak TLS with each other where clients do.
func TestPlaces(t *testing.T) {
	l, err := newLayout(4, 0)
	if err != nil {
		t.Fatal(err)
	}
	second, fourth, open := settingsOf(t, l, 2, "true"), settingsOf(t, l, 4, "true"), settingsOf(t, l, 1, "false")
	for _, c := range []struct{ got, want string }{
		{second["process.roles"], "broker,controller"},
		{fourth["process.roles"], "broker"},
		{second["broker.rack"], "rack-2"},
		{open["broker.rack"], "rack-1"},
		{fourth["controller.quorum.voters"], "1@" + l.controllers[0].String() + ",2@" + l.controllers[1].String() + ",3@" + l.controllers[2].String()},
		{second["listeners"], "CLIENT://192.0.2.1:9092,REPLICATION://" + l.peers[1].String() + ",CONTROLLER://" + l.controllers[1].String()},
		{fourth["listeners"], "CLIENT://192.0.2.1:9092,REPLICATION://" + l.peers[3].String()},
		{second["listener.security.protocol.map"], "CONTROLLER:SSL,CLIENT:SSL,REPLICATION:SSL"},
		{open["listener.security.protocol.map"], "CONTROLLER:PLAINTEXT,CLIENT:PLAINTEXT,REPLICATION:PLAINTEXT"},
		{open["inter.broker.listener.name"], "REPLICATION"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	ports := map[netip.AddrPort]bool{}
	for _, at := range append(l.controllers, l.peers...) {
		ports[at] = true
	}
	if len(ports) != 7 {
		t.Errorf("addresses %v and %v are not seven", l.controllers, l.peers)
	}
}

func TestMembersHavePlacesOfTheirOwn(t *testing.T) {
	e, s := Engine{Nodes: 3, CPUs: [][]int{{0}, {1}, {2}}}, engine.Settings{Scratch: t.TempDir(), Port: 65534}
	b, err := e.member(s, nil, 2)
	if err != nil || b.Port != 65535 || len(b.CPUs) != 1 || b.CPUs[0] != 1 || b.Scratch != s.Scratch+"/broker-2" {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := e.member(s, nil, 3); err == nil || !strings.Contains(err.Error(), "broker 3 has no port: 65536") {
		t.Errorf("%v", err)
	}
}
