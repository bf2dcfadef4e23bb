package kafka

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
	"plimsoll/internal/record"
)

// withZooKeeper is a release that needs ZooKeeper.
const withZooKeeper = "2.6.1"

// keptNode is a broker whose metadata are in ZooKeeper.
func keptNode(t *testing.T) node {
	t.Helper()
	n := alone(t)
	n.keeper = netip.MustParseAddrPort("127.0.0.1:2181")
	return n
}

// TestBrokerWithZooKeeper: it is no controller, speaks with itself in clear, and reads no PEM.
func TestBrokerWithZooKeeper(t *testing.T) {
	n := keptNode(t)
	n.rack = "rack-1"
	text, err := properties(resolve(t, record.Params{ParamRelease: withZooKeeper, ParamTLS: "true"}),
		netip.MustParseAddrPort("192.0.2.1:9092"), n)
	if err != nil {
		t.Fatal(err)
	}
	inner := "REPLICATION://" + n.controllers[0].String()
	got := lastOf(text)
	for name, want := range map[string]string{
		"broker.id": "1", "broker.rack": "rack-1", "zookeeper.connect": "127.0.0.1:2181", "process.roles": "", "node.id": "",
		"listeners": "CLIENT://192.0.2.1:9092," + inner, "advertised.listeners": "CLIENT://192.0.2.1:9092," + inner,
		"listener.security.protocol.map": "CLIENT:SSL,REPLICATION:PLAINTEXT", "ssl.keystore.type": "PKCS12",
		"ssl.truststore.location": "", "log.dirs": logDir,
	} {
		if got[name] != want {
			t.Errorf("%s=%s, want %s", name, got[name], want)
		}
	}
}

// TestPlacesWithZooKeeper: both processes have directories of their own, beside each other, and the broker keeps its
// host and port. Later releases have none of it, and a cluster none at all.
func TestPlacesWithZooKeeper(t *testing.T) {
	s := engine.Settings{Params: resolve(t, record.Params{ParamRelease: withZooKeeper}), Scratch: t.TempDir(),
		Host: "192.0.2.1", Port: 9092, CPUs: []int{1}}
	k, own, err := keep(s, alone(t).layout)
	if err != nil {
		t.Fatal(err)
	}
	if own.Scratch != filepath.Join(s.Scratch, "broker") || own.Host != s.Host || own.Port != 9092 ||
		k.settings.Scratch != filepath.Join(s.Scratch, "zookeeper") || k.settings.Host != "127.0.0.1" ||
		k.settings.Port != 0 || len(k.settings.CPUs) != 1 {
		t.Errorf("the broker's %+v, ZooKeeper's %+v", own, k.settings)
	}
	c, err := k.command(engine.Install{Name: jvm.Name, Path: "java"}, "DIR", netip.MustParseAddrPort("127.0.0.1:2181"))
	text, _ := os.ReadFile(filepath.Join(k.settings.Scratch, keeperFile))
	set := lastOf(string(text))
	if err != nil || set["clientPort"] != "2181" || set["clientPortAddress"] != "127.0.0.1" ||
		!strings.Contains(strings.Join(c.Args, " "), "-Dlog4j.configuration=file:DIR/log4j.properties -") {
		t.Errorf("%s, %q, %v", text, c.Args, err)
	}
	s.Params = resolve(t, nil)
	if k, own, err := keep(s, alone(t).layout); k != nil || own.Scratch != s.Scratch || err != nil {
		t.Errorf("the default release: %+v, %+v, %v", k, own, err)
	}
	several, err := newLayout(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.Params = resolve(t, record.Params{ParamRelease: withZooKeeper})
	if _, _, err := keep(s, several); err == nil || Clusters(withZooKeeper) || !Clusters(defaultRelease) {
		t.Errorf("a cluster of it: %v", err)
	}
}
