package serveruse

import (
	"net/netip"
	"reflect"
	"testing"

	"plimsoll/internal/machine/host/sockets"
)

// TestABrokerThatIsStartedAgain goes on where its killed process was: what its start took is spread over the time that
// it was away. Traffic is counted at its ports, whoever listens.
func TestABrokerThatIsStartedAgain(t *testing.T) {
	var r recorded
	r.add(0, 7, counts{cpu: 100, received: 10})
	r.add(10, 7, counts{cpu: 200, received: 20})
	r.add(20, 0, counts{received: 20})
	r.add(30, 8, counts{cpu: 40, received: 25})
	r.add(40, 8, counts{cpu: 60, received: 30})
	if got := r.sampled(cpu).Steps(0, 10, 4); !reflect.DeepEqual(got, []int64{100, 20, 20, 20}) {
		t.Errorf("CPU %v", got)
	}
	if got := r.sampled(received).Steps(0, 10, 4); !reflect.DeepEqual(got, []int64{10, 3, 2, 5}) {
		t.Errorf("received %v", got)
	}
	if got := r.sampled(cpu).Rise(5, 35); got != 100 { // 50 + 20 + 20 + 10
		t.Errorf("between samples: %v", got)
	}
}

func TestStepsAddUp(t *testing.T) {
	var r recorded
	r.add(0, 1, counts{})
	r.add(3, 1, counts{sent: 10})
	sum := int64(0)
	for _, v := range r.sampled(sent).Steps(0, 1, 3) {
		sum += v
	}
	if sum != 10 {
		t.Errorf("%d of 10", sum)
	}
}

// TestConnectionsThatEnd still count with what they were last seen to carry.
func TestConnectionsThatEnd(t *testing.T) {
	b := Server{Clients: 1, Peers: 2}
	var x traffic
	x.add([]sockets.Conn{{ID: 1, Port: 1, Received: 5, Acked: 1}, {ID: 2, Port: 2, Acked: 7}, {ID: 3, Port: 9, Acked: 99}})
	x.add([]sockets.Conn{{ID: 1, Port: 1, Received: 9, Acked: 2}})
	x.add(nil) // one list lacks what the next has
	x.add([]sockets.Conn{{ID: 1, Port: 1, Received: 9, Acked: 2}})
	x.add([]sockets.Conn{{ID: 4, Port: 1, Received: 1}, {ID: 5, Port: 2, Acked: 3}})
	if got, want := x.of(b), (counts{received: 10, sent: 2, replicated: 10}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestServersThatShareAPortWithClients have the traffic with each other apart from that with clients, whoever of the
// two has opened a connection.
func TestServersThatShareAPortWithClients(t *testing.T) {
	other := netip.MustParseAddrPort("10.0.0.2:9000")
	b := Server{Clients: 9000, Others: []netip.AddrPort{other}}
	from := func(text string) netip.AddrPort { return netip.MustParseAddrPort(text) }
	var x traffic
	x.add([]sockets.Conn{
		{ID: 1, Port: 9000, Remote: from("10.0.0.9:41000"), Received: 5, Acked: 1},  // a client
		{ID: 2, Port: 9000, Remote: from("10.0.0.2:42000"), Received: 70, Acked: 3}, // the other has opened it
		{ID: 3, Port: 43000, Remote: other, Received: 100, Acked: 1000},             // it was opened to the other
		{ID: 4, Port: 44000, Remote: from("10.0.0.3:9000"), Received: 9, Acked: 9},  // somebody's else
	}, b)
	if got, want := x.of(b), (counts{received: 5, sent: 1, replicated: 1003, fetched: 170}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	var m Meter
	m.servers = func() []Server { return []Server{b} }
	b.Name = "node.1"
	m.all = map[string]*recorded{"node.1": {}}
	for at := range int64(2) {
		m.all["node.1"].add(1e9*at, 1, counts{replicated: 10 * at, fetched: 20 * at})
	}
	got := map[string]float64{}
	for _, v := range m.Values(0, 1e9) {
		got[v.Name] = v.Value
	}
	if _, own := got["node_1_replicated"]; own || got["node_1_peers_sent"] != 10 || got["node_1_peers_received"] != 20 {
		t.Errorf("%v", got)
	}
}
