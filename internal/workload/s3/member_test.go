package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	store "plimsoll/internal/engine/minio"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// TestClustersThatCannotBe: a store on several hosts that can't be started is refused beforehand.
func TestClustersThatCannotBe(t *testing.T) {
	set := func(more record.Params) workload.Params {
		out := record.Params{paramAccess: "", paramSecret: "", paramNodes: "3"}
		for name, v := range more {
			out[name] = v
		}
		return params("", out)
	}
	for _, c := range []struct {
		set  record.Params
		want string
	}{
		{nil, ""}, {record.Params{store.ParamDrives: "2", paramFault: "lose@50%"}, ""},
		{record.Params{store.ParamParity: "2"}, "parity=2 with 3 drives, 1 on each of 3 hosts\nhint: "},
		{record.Params{store.ParamDrives: "6"}, "an erasure set of 18 drives\nhint: "},
		{record.Params{paramFault: "lose@50%"},
			"with 3 drives and parity=-1: the store would lose its objects\nhint: --drives 2"},
		{record.Params{paramAddress: "10.0.0.1"}, "is one address, but each of 3 hosts has its own\nhint: "},
		{record.Params{paramURL: "http://10.0.0.1/b"}, "started for the run, but url is set\nhint: leave out --cluster"},
	} {
		err := workloadtest.Check(Spec(), set(c.set), record.Machine{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.set, err, c.want)
		}
	}
	for hosts, want := range []bool{true, true, false} {
		err := checkHosts(set(nil), hosts)
		if (err != nil) != want || err != nil && !strings.Contains(err.Error(), "--cluster") {
			t.Errorf("3 servers on %d hosts: %v", hosts, err)
		}
	}
	if _, err := newDriver(workload.Env{}, set(nil)); err == nil {
		t.Error("a driver starts a store of three hosts on its own")
	}
}

// TestRoomOfEachHost: each of several hosts has its share of the objects and their parity.
func TestRoomOfEachHost(t *testing.T) {
	set := func(nodes, drives string) workload.Params {
		return params("", record.Params{paramNodes: nodes, store.ParamDrives: drives, store.ParamParity: "2",
			paramSize: "1MiB", paramObjects: "60"})
	}
	// 60 objects of 1 MiB, twice, with as much parity as data.
	if one, each := room(set("1", "4"), 0), room(set("4", "1"), 4); one != 240<<20 || each != 60<<20 {
		t.Errorf("%d bytes on one host, %d on each of four", one, each)
	}
}

// TestServersInTurn: single requests go to all servers of a store, and connections of several generators go on where
// those of the one before end.
func TestServersInTurn(t *testing.T) {
	hits := make([]int, 3)
	var at []string
	for i := range hits {
		s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.Host == at[0] {
				hits[i]++
			}
		}))
		defer s.Close()
		at = append(at, s.Listener.Addr().String())
	}
	p := params("", nil)
	e := startedAt(p, strings.Join(at, workload.TargetSeparator), store.Keys{Access: "a", Secret: "s"})
	if e.host != at[0] || !slices.Equal(e.servers, at) || startedAt(p, at[0], store.Keys{}).servers != nil {
		t.Errorf("%+v", e)
	}
	c := newClient(e, nil, time.Second, 1)
	for range 6 {
		if _, err := c.do(t.Context(), http.MethodGet, "", "", nil, sums{}); err != nil {
			t.Fatal(err)
		}
		c.close()
	}
	if !slices.Equal(hits, []int{2, 2, 2}) {
		t.Errorf("6 requests went to the servers %v times", hits)
	}
	for by, want := range map[int]string{0: "[a b c]", 2: "[c a b]", 4: "[b c a]"} {
		if got := fmt.Sprint(turned([]string{"a", "b", "c"}, by)); got != want {
			t.Errorf("turned by %d: %s, want %s", by, got, want)
		}
	}
	if turned(nil, 5) != nil {
		t.Error("no servers turned are some")
	}
}

// TestAimOfSeveralServers: each server's address is proven, and generators get them all.
func TestAimOfSeveralServers(t *testing.T) {
	aim, err := aimed(params("", nil), []string{"10.0.0.1:9000", "10.0.0.2:9000"})
	if err != nil || aim.Target != "10.0.0.1:9000 10.0.0.2:9000" || len(aim.At) != 2 || !aim.At[0].IsValid() ||
		!aim.At[1].IsValid() {
		t.Errorf("%+v, %v", aim, err)
	}
	if _, err := aimed(params("", nil), []string{"10.0.0.1:9000", "somewhere"}); err == nil {
		t.Error("a server without an address is loaded")
	}
}

// TestValuesOfManyServers: a run's line has room for all values of four, and for the CPU time of more.
func TestValuesOfManyServers(t *testing.T) {
	var all []record.Value
	for _, name := range []string{"node_2_cpu", "node_2_disk_read", "node_2_sent"} {
		all = append(all, record.Value{Metric: record.Metric{Name: name}})
	}
	if few, many := detailed(all, 4), detailed(all, 5); len(few) != 3 || len(many) != 1 || many[0].Name != "node_2_cpu" {
		t.Errorf("%v of 4, %v of 5", few, many)
	}
}

// TestMembersOfAStore: a member tells its place once and finds that of another one.
func TestMembersOfAStore(t *testing.T) {
	var m member
	if at, err := m.At(`{"address":"10.0.0.7","port":1,"folder":"/x"}`); err != nil || at.String() != "10.0.0.7" {
		t.Errorf("%v, %v", at, err)
	}
	if _, err := m.At("nowhere"); err == nil {
		t.Error("a place that is none has an address")
	}
	m = member{&server{}}
	if err := errors.Join(m.Join(workload.Places{Self: 2, All: []string{
		`{"address":"10.0.0.7","port":1,"folder":"/x"}`, `{"address":"10.0.0.8","port":1,"folder":"/x"}`}})); err != nil ||
		m.makesBucket() || !m.losesDrive() || m.engine.Layout == nil {
		t.Errorf("%+v, %v", m.server, err)
	}
	if alone := (&server{}); !alone.makesBucket() || !alone.losesDrive() {
		t.Error("a server on its own makes no bucket, or loses no drive")
	}
}

// TestDrivesThatAServerMisses: a server is used once it writes to all drives.
func TestDrivesThatAServerMisses(t *testing.T) {
	drives := []string{t.TempDir(), t.TempDir()}
	misses := 2
	s := newTestStore()
	s.answer = func(_ http.ResponseWriter, r *http.Request) bool {
		key := strings.TrimPrefix(r.URL.Path, "/"+testBucket+"/")
		for i, drive := range drives {
			if r.Method == http.MethodPut && (i == 0 || misses == 0) {
				if err := os.MkdirAll(filepath.Join(drive, ownBucket, key), 0o700); err != nil {
					t.Error(err)
				}
			}
		}
		if r.Method == http.MethodPut {
			misses = max(0, misses-1)
		}
		return false
	}
	at, secure, err := existing(params(s.start(t), nil))
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(at, secure, time.Second, 1)
	defer c.close()
	if err := probe(t.Context(), c, drives); err == nil || !strings.Contains(err.Error(), "has no part of an object") {
		t.Errorf("a drive is missed: %v", err)
	}
	if err := reachedBy(t.Context(), c, drives); err != nil || misses > 0 || len(s.objects) > 0 {
		t.Errorf("%v, %d misses left, %d objects", err, misses, len(s.objects))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := reachedBy(ctx, c, drives); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("after its end: %v", err)
	}
}
