package network

import (
	"os"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/client/netload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// TestMain makes this binary the peer that its tests start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == netload.Verb {
		os.Exit(netload.Main(os.Args[2:], os.Stderr))
	}
	os.Exit(m.Run())
}

func TestConformance(t *testing.T) {
	clients := func(n int) record.LoadPoint {
		return record.LoadPoint{Kind: record.Closed, Level: float64(n), Unit: record.ParamClients}
	}
	workloadtest.Run(t, Spec(),
		workloadtest.Case{Name: "stream out", Lanes: 2, Load: clients(2)},
		workloadtest.Case{Name: "both, TLS", Lanes: 2, Load: clients(2),
			Params: record.Params{paramDirection: directionBoth, paramTLS: "true", record.ParamClients: "2"}},
		workloadtest.Case{Name: "round trips", Load: clients(1),
			Params: record.Params{paramMode: netload.RoundTrip, paramSize: "64B", paramAnswer: "100B"}},
		workloadtest.Case{Name: "round trips at a rate", Lanes: 2,
			Load:   record.LoadPoint{Kind: record.Open, Level: 200, Unit: record.ParamRate},
			Params: record.Params{paramMode: netload.RoundTrip, paramSize: "64B", paramTransport: netload.UDP}},
		workloadtest.Case{Name: "datagrams in", Load: clients(1),
			Params: record.Params{paramTransport: netload.UDP, paramSize: "1400B", paramDirection: directionIn}},
		workloadtest.Case{Name: "datagrams at a rate",
			Load:   record.LoadPoint{Kind: record.Open, Level: 500, Unit: record.ParamRate},
			Params: record.Params{paramTransport: netload.UDP, paramSize: "1400B"}},
	)
}

func params(set record.Params) workload.Params {
	vals := Spec().Workload.Defaults()
	for name, v := range set {
		vals[name] = v
	}
	return workload.NewParams(Spec().Workload, vals)
}

func TestCheck(t *testing.T) {
	for want, set := range map[string]record.Params{
		"":                           {},
		"tls=true applies only with": {paramTLS: "true", paramTransport: netload.UDP},
		"direction=in applies only":  {paramMode: netload.RoundTrip, paramDirection: directionIn},
		"answer=64B applies only":    {paramAnswer: "64B"},
		"has at least 16 bytes":      {paramMode: netload.RoundTrip, paramAnswer: "8B"},
		"at most 65507 bytes":        {paramTransport: netload.UDP, paramSize: "128KiB"},
		"a rate needs a stream":      {record.ParamRate: "100", paramDirection: directionIn},
		"an even number":             {paramDirection: directionBoth, record.ParamClients: "3"},
		"congestion=bbr applies":     {paramTransport: netload.UDP, paramSize: "64B", paramCongestion: "bbr"},
	} {
		err := workloadtest.Check(Spec(), params(set), record.Machine{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "\nhint: ")) {
			t.Errorf("%v: %v, want %q and a hint", set, err, want)
		}
	}
}

func TestDerivedSize(t *testing.T) {
	for want, vals := range map[string]record.Params{usualBlock: {}, usualRequest: {paramMode: netload.RoundTrip,
		paramTransport: netload.UDP}, usualDatagram: {paramTransport: netload.UDP}} {
		if got := derivedSize(vals); got != want {
			t.Errorf("%v: %s, want %s", vals, got, want)
		}
	}
}

// TestMismatch: what one end sent and the other did not get is found, except for lost datagrams.
func TestMismatch(t *testing.T) {
	tcp, udp := netload.Order{Transport: netload.TCP}, netload.Order{Transport: netload.UDP}
	sent := netload.Account{Sent: 3, SentBytes: 300}
	for _, c := range []struct {
		order netload.Order
		peer  netload.Account
		want  string
	}{
		{tcp, netload.Account{Received: 3, GotBytes: 300}, ""},
		{tcp, netload.Account{Received: 2, GotBytes: 200}, "2 (200 bytes) arrived at the target"},
		{tcp, netload.Account{Received: 3, GotBytes: 299}, "3 (299 bytes)"},
		{tcp, netload.Account{Received: 3, GotBytes: 300, Sent: 1, SentBytes: 9}, "arrived at the generator"},
		{tcp, netload.Account{Broken: "odd"}, "the target's end: odd"},
		{udp, netload.Account{Received: 2, GotBytes: 200}, ""},
		{udp, netload.Account{Received: 4, GotBytes: 400}, "4 (400 bytes)"},
	} {
		err := mismatch(c.order, sent, c.peer)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.peer, err, c.want)
		}
	}
}

// TestSteps: operations count in the step of their end, and those outside the window in none.
func TestSteps(t *testing.T) {
	var s steps
	s.from(1e9, 3*time.Millisecond)
	for _, at := range []int64{1e9 - 1, 1e9, 1e9 + 999_999, 1e9 + 2_000_000, 1e9 + 3_000_000} {
		s.add(at, 1, 10)
	}
	got := tracks([]*lane{{}, {steps: s, wire: 1.5}})
	if len(got) != 2 || got[0].StepNs != 1e6 || len(got[0].Values) != 3 {
		t.Fatalf("%+v", got)
	}
	if b, o := got[0].Values, got[1].Values; b[0] != 30 || b[1] != 0 || b[2] != 15 || o[0] != 2 || o[2] != 1 {
		t.Errorf("bytes %v, ops %v", b, o)
	}
	// A sample that is 4.5 ms late leaves the steps unseen from when it was due.
	s.sample(1e9+100_000, 1)
	s.sample(1e9+5_600_000, 1)
	for i, want := range []int64{0, 900_000, 1_000_000} {
		if got := s.bins[i].unseen; got != want {
			t.Errorf("step %d: %d ns unseen, want %d", i, got, want)
		}
	}
	s.end(1e9, 0, 0)
	if s.sample(2e9, 0); s.bins[0].unseen != 0 {
		t.Error("the time between two operations counts as unseen")
	}
	if s.from(0, time.Hour); s.step <= finest || len(s.bins) > mostBins {
		t.Errorf("an hour: %d bins of %d ns", len(s.bins), s.step)
	}
	if tracks([]*lane{{}}) != nil {
		t.Error("a timeline of nothing")
	}
}

// TestDirections: of two generators with a connection each, one sends and one receives.
func TestDirections(t *testing.T) {
	p := params(record.Params{paramDirection: directionBoth})
	for part := range 2 {
		d := driver{env: workload.Env{Part: part}, params: p}
		if d.out(0) != (part == 0) || d.out(0) == d.out(1) {
			t.Errorf("part %d: %t, %t", part, d.out(0), d.out(1))
		}
	}
}

// TestServeNeedsAKey: a peer that other hosts reach never listens without one.
func TestServeNeedsAKey(t *testing.T) {
	if s, err := newServer(workload.Env{}, params(nil)); err == nil {
		t.Errorf("%v", s)
	}
}
