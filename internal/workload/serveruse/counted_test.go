package serveruse

import (
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
