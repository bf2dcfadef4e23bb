package tpcc

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"runtime"
	"sync/atomic"
	"testing"
)

// testTrips counts round trips: as the connection does, and as something between it and the server sees them.
func testTrips(t *testing.T, s site) {
	s = s.fresh(t, "trips")
	wire := &wire{}
	through := s
	through.dsn = wire.between(t, s.dsn)
	for _, way := range []string{statementsPipelined, statementsApart} {
		c := through.client(t, way, "read committed")
		seen := map[string]int{}
		for _, in := range s.inputs(200, 2) {
			before, told := c.conn.Trips(), wire.trips.Load()
			if err := c.do(&in); err != nil {
				t.Fatal(err)
			}
			got, want := c.conn.Trips()-before, int64(tripsOf(&in, way))
			if got != want || wire.trips.Load()-told != want {
				t.Fatalf("%s %+v: %d round trips, %d on the wire, want %d", way, in, got, wire.trips.Load()-told, want)
			}
			seen[fmt.Sprint(in.kind, in.customer.id == 0)]++
		}
		if len(seen) != 7 {
			t.Errorf("only met %v", seen)
		}
	}
}

// tripsOf returns the round trips of a transaction without conflicts.
func tripsOf(in *input, way string) int {
	named := 0
	if in.customer.id == 0 {
		named = 1
	}
	if way == statementsPipelined {
		return [kinds]int{2, 1 + named, 1 + named, 2, 1}[in.kind]
	}
	lines := 4 * len(in.lines)
	if in.unused {
		lines -= 3 // an item that is not there has no stock and no line
	}
	return [kinds]int{6 + lines, 6 + named, 5, 2 + 5*districts, 4}[in.kind]
}

// wire forwards connections and counts how often the client sends after an answer.
type wire struct{ trips atomic.Int64 }

// between gives a DSN that goes through it.
func (w *wire) between(t *testing.T, dsn string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	server := u.Host
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.forward(c, server)
		}
	}()
	u.Host = l.Addr().String()
	return u.String()
}

func (w *wire) forward(client net.Conn, server string) {
	defer client.Close()
	s, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer s.Close()
	var answered atomic.Bool
	answered.Store(true)
	go func() {
		_, _ = io.Copy(writer(func(p []byte) (int, error) {
			answered.Store(true)
			return client.Write(p)
		}), s)
		client.Close()
	}()
	_, _ = io.Copy(writer(func(p []byte) (int, error) {
		if answered.Swap(false) {
			w.trips.Add(1)
		}
		return s.Write(p)
	}), client)
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// testAllocations: the transactions of a load leave next to nothing to a collector that is off.
func testAllocations(t *testing.T, s site) {
	s = s.fresh(t, "allocations")
	c, inputs := s.client(t, statementsPipelined, "read committed"), s.inputs(600, 4)
	s.done(t, c, inputs[:300])
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.done(t, c, inputs[300:])
	runtime.ReadMemStats(&after)
	if per := float64(after.TotalAlloc-before.TotalAlloc) / 300; per > 2048 {
		t.Errorf("%.0f bytes a transaction", per)
	}
}
