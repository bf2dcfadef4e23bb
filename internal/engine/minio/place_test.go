package minio

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// placesOf returns what servers at these addresses tell each other.
func placesOf(t *testing.T, set record.Params, hosts ...string) []string {
	t.Helper()
	p, err := engine.Resolve(Engine{Nodes: len(hosts)}, set)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, host := range hosts {
		place, err := (Engine{}).Place(engine.Settings{Params: p, Host: host, Scratch: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(place)
		if err != nil || strings.Contains(string(text), "PRIVATE") {
			t.Errorf("%s: %v", text, err)
		}
		out = append(out, string(text))
	}
	return out
}

// TestLayout: all servers are told the same drives in the same order, whatever their folders are called.
func TestLayout(t *testing.T) {
	all := placesOf(t, nil, "127.0.0.1", "127.0.0.2")
	var odd Place
	if err := json.Unmarshal([]byte(all[1]), &odd); err != nil {
		t.Fatal(err)
	}
	odd.Folder, odd.Port = "/data/a b{1...4}", 9000
	text, err := json.Marshal(odd)
	if err != nil {
		t.Fatal(err)
	}
	all[1] = string(text)
	var told [2][]string
	for i := range told {
		l, err := Join(i+1, all)
		if err != nil {
			t.Fatal(err)
		}
		told[i] = l.drives(2, false)
		if other := l.Others(); len(other) != 1 || other[0].Addr() != netip.MustParseAddr(fmt.Sprintf("127.0.0.%d", 2-i)) {
			t.Errorf("server %d has the others %v", i+1, other)
		}
	}
	if len(told[0]) != 4 || !slices.Equal(told[0], told[1]) ||
		told[0][1] != "http://127.0.0.2:9000/data/a%20b%7B1...4%7D/drive1" || !strings.HasSuffix(told[0][2], "/drive2") {
		t.Errorf("%q", told)
	}
}

// TestPlacesThatCannotBe: what another host tells is checked.
func TestPlacesThatCannotBe(t *testing.T) {
	place := func(address, folder string, port uint16) string {
		text, err := json.Marshal(Place{Address: address, Folder: folder, Port: port})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	good := place("10.0.0.1", "/data", 9000)
	for _, c := range []struct{ other, want string }{
		{place("10.0.0.2", "/data", 9000), ""},
		{place("10.0.0.2/x", "/data", 9000), "no IP address and port"},
		{place("fe80::1%eth0", "/data", 9000), "no IP address and port"},
		{place("10.0.0.2", "/data", 0), "no IP address and port"},
		{place("10.0.0.2", "data", 9000), "no folder for its drives"},
		{place("10.0.0.2", "/", 9000), "no folder for its drives"},
		{place("10.0.0.1", "/data", 9001), "servers 1 and 2 are both at 10.0.0.1, but each needs its own host\nhint: "},
		{"", "read the place of server 2"},
	} {
		_, err := Join(1, []string{good, c.other})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.other, err, c.want)
		}
	}
	if _, err := Join(3, []string{good, good}); err == nil {
		t.Error("server 3 of 2 joins")
	}
}

// TestErasureSetsOfSeveralHosts are as large as MinIO's can be, and their parity is that of all hosts' drives.
func TestErasureSetsOfSeveralHosts(t *testing.T) {
	for _, c := range []struct {
		nodes int
		set   record.Params
		want  string
	}{
		{4, record.Params{ParamDrives: "4", ParamParity: "8"}, ""}, {2, nil, ""}, {2, record.Params{ParamParity: "1"}, ""},
		{4, record.Params{ParamDrives: "5"}, "drives=5 on each of 4 hosts is an erasure set of 20 drives\nhint: at most 4"},
		{3, record.Params{ParamDrives: "1", ParamParity: "2"}, "parity=2 with 3 drives, 1 on each of 3 hosts\nhint: "},
	} {
		_, err := engine.Resolve(Engine{Nodes: c.nodes}, c.set)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d, %v: %v, want %q", c.nodes, c.set, err, c.want)
		}
	}
}

// TestServersThatAreNotReady are named: one that can't write, and one that can't be reached.
func TestServersThatAreNotReady(t *testing.T) {
	status := http.StatusOK
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == healthPath {
			w.WriteHeader(status)
		}
	}))
	defer s.Close()
	at, gone := s.Listener.Addr().String(), "127.0.0.9:1"
	i := &Instance{layout: &Layout{Self: 1, Places: []Place{{Address: "127.0.0.1"}, {Address: "127.0.0.9"}}}}
	if left, err := i.unhealthy(t.Context(), s.Client(), []string{at}); len(left) > 0 || err != nil {
		t.Errorf("%v, %v", left, err)
	}
	status = http.StatusServiceUnavailable
	for _, c := range []struct {
		ask  []string
		want []string
	}{
		{[]string{at}, []string{
			"1 of the erasure set's 2 servers aren't ready; " + at + ", as seen from 127.0.0.1: it can't " +
				"write to enough drives", "\nhint: each host needs free disk space, and a clock within 15 minutes"}},
		{[]string{gone, at}, []string{"2 of the erasure set's 2 servers", gone, "refused",
			"\nhint: each host needs to reach"}},
	} {
		left, first := i.unhealthy(t.Context(), s.Client(), c.ask)
		err := i.unready(left, first)
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	}
}

// TestSettingsOfTheUser: MinIO's settings in the environment of one host would differ from those of another one.
func TestSettingsOfTheUser(t *testing.T) {
	if got := plain([]string{"A=1", "MINIO_REGION=x", "HOME=/h"}); !slices.Equal(got, []string{"A=1", "HOME=/h"}) {
		t.Errorf("%q", got)
	}
	t.Setenv("MINIO_REGION", "x")
	if got := plain(nil); len(got) == 0 || slices.Contains(got, "MINIO_REGION=x") {
		t.Errorf("%q", got)
	}
}
