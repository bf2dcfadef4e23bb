package database

import (
	"context"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// cluster is a server and its standby as two hosts have them, both of which are this one, before either starts.
func cluster(t *testing.T, mode string) (hosts [2]*Server) {
	t.Helper()
	var places workload.Places
	for i := range hosts {
		s := rows(t, NewServer, workload.Env{Member: true},
			record.Params{ParamStandby: mode, workload.ParamAddress: "127.0.0.1"})
		place, err := s.Place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(place, s.member.secret) {
			t.Error("the place has a password")
		}
		hosts[i], places.All = s, append(places.All, place)
	}
	for i, s := range hosts {
		places.Self = i + 1
		if err := s.Join(places); err != nil {
			t.Fatal(err)
		}
	}
	return hosts
}

// started starts both hosts' servers at once, as agents do.
func started(t *testing.T, hosts [2]*Server) {
	t.Helper()
	there := make(chan error, 1)
	go func() {
		_, err := hosts[1].Start(t.Context())
		there <- err
	}()
	if _, err := hosts[0].Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-there; err != nil {
		t.Fatal(err)
	}
}

// TestStandbyOnAnotherHost follows by a password of its own, which its server does not know; its use is its host's, the
// rest the server's. Its end fails the trial on its host.
func TestStandbyOnAnotherHost(t *testing.T) {
	needServer(t)
	hosts := cluster(t, StandbySync)
	started(t, hosts)
	first, second := hosts[0], hosts[1]
	r := drive(t, first, 2, ownRow, 0, 2*time.Second)
	here, there := said(first, r), said(second, r)
	if here["standby_sent"] <= 0 || here[record.WaitShare(record.WaitStandby)] <= 0 || here["standby_cpu"] != 0 {
		t.Errorf("the server's host: %v", here)
	}
	if there["standby_cpu"] <= 0 || there["standby_sent"] != 0 || sum(second.Timeline(r), "standby.cpu") == 0 {
		t.Errorf("the standby's host: %v", there)
	}
	for i, s := range hosts {
		if s.Keys()[record.EnginePrefix+"postgres"] == "" ||
			s.Keys()[record.EnginePrefix+"postgres"] != first.Keys()[record.EnginePrefix+"postgres"] {
			t.Errorf("host %d: %v", i, s.Keys())
		}
		if doubts := strings.Join(s.Doubts(), "\n"); strings.Contains(doubts, "on its primary's host") {
			t.Errorf("host %d: %s", i, doubts)
		}
	}
	for i, s := range hosts {
		if err := s.Verify(t.Context()); err != nil {
			t.Errorf("host %d: %v", i, err)
		}
	}
	if err := unix.Kill(second.standby.PID(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-second.standby.Gone()
	if err := second.Verify(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "watched: the standby exited during the run") {
		t.Errorf("%v", err)
	}
}

// TestNoStandbyOnAnotherHost: without one, the other host has nothing to do.
func TestNoStandbyOnAnotherHost(t *testing.T) {
	needServer(t)
	hosts := cluster(t, StandbyOff)
	started(t, hosts)
	r := drive(t, hosts[0], 1, ownRow, time.Millisecond, 300*time.Millisecond)
	if said(hosts[0], r)[record.WALBytesPerOp] <= 0 || len(said(hosts[1], r)) > 0 || hosts[1].Verify(t.Context()) != nil {
		t.Errorf("%v, %v", said(hosts[0], r), said(hosts[1], r))
	}
}

// TestStandbyWithoutItsServer gives up when its trial does, and says why it waited.
func TestStandbyWithoutItsServer(t *testing.T) {
	needServer(t)
	hosts := cluster(t, StandbySync)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := hosts[1].Start(ctx); err == nil ||
		!strings.Contains(err.Error(), "the standby does not reach its primary: ") {
		t.Errorf("%v", err)
	}
}

// TestPlaces: what another host says where it is becomes part of a statement.
func TestPlaces(t *testing.T) {
	p, _, err := postgres.NewPlace(engine.Settings{Host: "10.0.0.1", Port: 5432})
	if err != nil || p.Address != "10.0.0.1:5432" || p.Check() != nil {
		t.Fatalf("%v: %v", p, err)
	}
	for _, bad := range []postgres.Place{
		{}, {Address: p.Address}, {Address: "db.example:5432", Verifier: p.Verifier},
		{Address: p.Address, Verifier: p.Verifier + "'; drop role postgres; --"},
		{Address: p.Address, Verifier: "md5" + strings.Repeat("0", 32)}, {Address: "10.0.0.1", Verifier: p.Verifier},
	} {
		if bad.Check() == nil {
			t.Errorf("%v is a place", bad)
		}
	}
	s := &Server{set: Set{Name: "watched"}}
	for _, places := range []workload.Places{
		{}, {Self: 1, All: []string{"{}"}}, {Self: 3, All: []string{"{}", "{}"}}, {Self: 1, All: []string{"{}", "x"}},
		{Self: 1, All: []string{"{}", "{}"}}} {
		if s.Join(places) == nil {
			t.Errorf("%v are those of a server and its standby", places)
		}
	}
}
