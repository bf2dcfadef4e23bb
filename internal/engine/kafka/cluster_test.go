package kafka

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// settingsOf returns what a broker of a cluster reads last of each name.
func settingsOf(t *testing.T, l *layout, id int, tls string) map[string]string {
	t.Helper()
	n := node{layout: l, id: id, rack: Engine{Racks: 2}.Rack(id)}
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
		{fourth["controller.quorum.voters"], "1@" + l.controllers[0].String() + ",2@" + l.controllers[1].String() + ",3@" +
			l.controllers[2].String()},
		{second["listeners"], "CLIENT://192.0.2.1:9092,REPLICATION://" + l.peers[1].String() + ",CONTROLLER://" +
			l.controllers[1].String()},
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

// TestPlacesOfSeveralHosts: the second of three brokers, each on a host of its own and with a key of its own.
func TestPlacesOfSeveralHosts(t *testing.T) {
	e := Engine{}
	l := Layout{Self: 2}
	var scratch string
	for i, at := range []string{"192.0.2.1", "192.0.2.2", "192.0.2.3"} {
		s := engine.Settings{Scratch: t.TempDir(), Host: at, Params: resolve(t, record.Params{ParamTLS: "true"})}
		p, err := e.Place(s)
		if err != nil || p.Address != at || p.Certificate == "" || strings.Contains(p.Certificate, "PRIVATE") {
			t.Fatalf("%+v, %v", p, err)
		}
		p.Rack = []string{"zone-a", "zone-b", "zone-c"}[i]
		if l.Places = append(l.Places, p); i == 1 {
			scratch = s.Scratch
		}
	}
	if err := l.check(); err != nil {
		t.Fatal(err)
	}
	e.Layout = &l
	b, err := e.placed(engine.Settings{Scratch: scratch, Params: resolve(t, record.Params{ParamTLS: "true"})})
	if err != nil {
		t.Fatal(err)
	}
	text, err := properties(b.settings.Params,
		netip.AddrPortFrom(netip.MustParseAddr(b.settings.Host), uint16(b.settings.Port)), b.node)
	if err != nil {
		t.Fatal(err)
	}
	got, own := lastOf(text), l.Places[1]
	voters := fmt.Sprintf("1@192.0.2.1:%d,2@192.0.2.2:%d,3@192.0.2.3:%d", l.Places[0].Controller, own.Controller,
		l.Places[2].Controller)
	listeners := fmt.Sprintf("CLIENT://192.0.2.2:%d,REPLICATION://192.0.2.2:%d,CONTROLLER://192.0.2.2:%d", own.Client,
		own.Peers, own.Controller)
	for name, want := range map[string]string{
		"node.id": "2", "broker.rack": "zone-b", "controller.quorum.voters": voters, "listeners": listeners,
		"ssl.truststore.location": trustedFile,
	} {
		if got[name] != want {
			t.Errorf("%s=%s, want %s", name, got[name], want)
		}
	}
	trusted, err := os.ReadFile(filepath.Join(scratch, trustedFile))
	if err != nil || strings.Count(string(trusted), "BEGIN CERTIFICATE") != 3 {
		t.Errorf("%s, %v", trusted, err)
	}
	for _, wrong := range []Layout{{Self: 4, Places: l.Places}, {Self: 1, Places: []Place{{Address: "no address"}}},
		{Self: 1, Places: []Place{{Address: "192.0.2.1", Rack: "a\nb=c"}}}} {
		if err := wrong.check(); err == nil {
			t.Errorf("%+v is a layout", wrong)
		}
	}
}
