package database

import (
	"fmt"
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		says string // "": nothing is against it
	}{
		{nil, ""},
		{record.Params{"server": "dsn", "dsn": "postgres://u@h/d"}, ""},
		{record.Params{"server": "dsn", "dsn": "service=mine"}, ""},
		{record.Params{"server": "dsn"}, "without a DSN"},
		{record.Params{"dsn": "host=h"}, "dsn applies only with server=dsn, but server=postgres"},
		{record.Params{"answered_by": "c7g.large"}, "answered_by=c7g.large applies only to an existing server"},
		{record.Params{"server": "dsn", "dsn": "postgres://u:geheim@h/d"}, "the DSN contains a password"},
		{record.Params{"server": "dsn", "dsn": "host=h password = geheim"}, "the DSN contains a password"},
		{record.Params{"server": "dsn", "dsn": "postgres://u@h/d?sslpassword=geheim"}, "the DSN contains a password"},
		{record.Params{"server": "dsn", "dsn": "postgres://u:ge heim@h/d"}, "the DSN contains a password"},
		{record.Params{"server": "dsn", "dsn": "host=h", "path": "/x"},
			"path=/x applies only to a server started for the run"},
		{record.Params{"settings": "port = 1"}, "port is set by plimsoll"},
		{record.Params{"settings": "max_connections = many"}, "max_connections = many"},
	} {
		err := workloadtest.Check(tinySpec(), params(t, c.set), record.Machine{})
		if (err == nil) != (c.says == "") || err != nil &&
			(!strings.HasPrefix(err.Error(), "tiny: ") || !strings.Contains(err.Error(), c.says) ||
				strings.Contains(err.Error(), "heim")) {
			t.Errorf("%v: %v, want %q", c.set, err, c.says)
		}
	}
}

func TestConnections(t *testing.T) {
	for _, c := range []struct {
		set  record.Params
		load record.LoadPoint
		want int
	}{
		{nil, closed(3), 3},
		{nil, record.LoadPoint{}, 16},
		{record.Params{"rate": "10", "connections": "7"}, record.LoadPoint{}, 7},
		{record.Params{"connections": "7"}, record.LoadPoint{Kind: record.Open, Level: 10}, 7},
	} {
		if got := Lanes(params(t, c.set), c.load, 1); got != c.want {
			t.Errorf("%v, %+v: %d, want %d", c.set, c.load, got, c.want)
		}
	}
}

func TestWithDatabase(t *testing.T) {
	for dsn, want := range map[string]string{
		"postgres://u@h:1/d?sslmode=disable":       "postgres://u@h:1/mine?sslmode=disable",
		"postgresql://h?dbname=d&user=u":           "postgresql://h/mine?user=u",
		"host=h dbname=d":                          "host=h dbname=d dbname=mine",
		"postgres://u@a:1,b:2/d?connect_timeout=3": "postgres://u@a:1,b:2/mine?connect_timeout=3",
	} {
		if got, err := withDatabase(dsn, "mine"); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", dsn, got, err, want)
		}
	}
}

func TestRoom(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		bytes, free, all int64
		fits             bool
	}{
		{gib, 2 * gib, 10 * gib, true}, {gib + 1, 2 * gib, 10 * gib, false}, {1, gib, 10 * gib, false},
		{gib, 11 * gib, 200 * gib, true}, {gib + 1, 11 * gib, 200 * gib, false},
	} {
		err := fits("/d", c.bytes, workload.Space{All: c.all, Free: c.free}, "they take")
		if (err == nil) != c.fits {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if err := fits("/d", 3*gib, workload.Space{All: 10 * gib, Free: 3 * gib}, "the data take"); err == nil ||
		err.Error() != "not enough space in /d: the data take 3.22 GB, and of 3.22 GB free 1.07 GB stay free" {
		t.Errorf("%v", err)
	}
}

// TestSettingsAreSaid: important ones first, and no more than fit into a trial's line; the digest is of all.
func TestSettingsAreSaid(t *testing.T) {
	f := facts{version: "16.1", major: 16, build: strings.Repeat("b", 1000),
		settings: []setting{{"archive_mode", "on"}, {"fsync", "off"}, {"shared_buffers", "1GB"}}}
	if got := f.said(); got != "shared_buffers=1GB fsync=off archive_mode=on" {
		t.Error(got)
	}
	digest := f.keys()[record.KeySettingsDigest]
	for i := range 100 {
		f.settings = append(f.settings, setting{fmt.Sprintf("setting_%d", i), "value"})
	}
	keys := f.keys()
	if got := keys[record.KeySettings]; len(got) > mostSettings+20 ||
		!strings.HasPrefix(got, "shared_buffers=1GB fsync=off archive_mode=on setting_0=value") ||
		!strings.HasSuffix(got, " more") {
		t.Error(got)
	}
	if len(keys[keyBuild]) != mostBuild || keys[record.KeySettingsDigest] == digest || keys[keyVersion] != "16.1" {
		t.Errorf("%v", keys)
	}
	if s := (Server{facts: f}); len(s.Doubts()) != 1 ||
		!strings.Contains(s.Doubts()[0], "PostgreSQL 16.1 is untested: tested with version 15 only") {
		t.Errorf("doubts %v", s.Doubts())
	}
}

// TestSetsHaveNamesOfTheirOwn: of all that their files depend on.
func TestSetsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, change := range []func(*Server){
		func(*Server) {}, func(s *Server) { s.set.Name = "other" }, func(s *Server) { s.set.Key = "rows=2" },
		func(s *Server) { s.install.Version = "16.1" }, func(s *Server) { s.install.Path = "/x" },
	} {
		s := Server{set: Set{Name: "tiny", Key: "rows=1"}}
		change(&s)
		seen[s.setName(true)], seen[s.setName(false)] = true, true
	}
	if len(seen) != 10 {
		t.Errorf("%d names, want 10: %v", len(seen), seen)
	}
}
