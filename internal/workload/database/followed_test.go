package database

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
	"plimsoll/internal/pgload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload/database/standby"
)

// followedServer is a server of ours with a small table and a standby.
func followedServer(t *testing.T, mode string) *Server {
	t.Helper()
	needServer(t)
	return rowsServer(t, ParamStandby, mode, nil)
}

// TestStandbyConfirms: with sync the standby has every commit as soon as its client knows of it; the log that it was
// sent is what the server wrote.
func TestStandbyConfirms(t *testing.T) {
	s := followedServer(t, StandbySync)
	there, err := Connect(t.Context(), s.follower.DSN("watched"))
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close(t.Context())
	// What is durable there shows once it is replayed.
	for _, statement := range []string{"alter system set synchronous_commit = remote_apply", "select pg_reload_conf()",
		"select pg_sleep(0.3)"} {
		if err := execute(t.Context(), s.DSN(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		if err := execute(t.Context(), s.DSN(), fmt.Sprintf("update rows set n = %d where id = 7", i+1)); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := there.QueryRow(t.Context(), "select n from rows where id = 7").Scan(&n); err != nil || n != i+1 {
			t.Fatalf("the standby has %d, not %d: %v", n, i+1, err)
		}
	}
	r := drive(t, s, 2, ownRow, 0, 2*time.Second)
	if err := s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	values := said(s, r)
	written := values[record.WALBytesPerOp] * float64(r.Ops) / (float64(r.End-r.Start) * 1e-9)
	if sent := values["standby_sent"]; sent < written/2 || sent > written*2 {
		t.Errorf("%g B/s sent of %g written", sent, written)
	}
	if values["standby_flush_lag"] <= 0 || values["standby_cpu"] <= 0 ||
		values[record.WaitShare(record.WaitStandby)] <= 0 {
		t.Errorf("%v", values)
	}
	if sum(s.Timeline(r), "standby.sent") == 0 || sum(s.Timeline(r), record.DBWait(record.WaitStandby)) == 0 {
		t.Error("no series of the standby, or of the waits for it")
	}
	if doubts := s.Doubts(); !strings.Contains(strings.Join(doubts, "\n"), "on its primary's host") {
		t.Errorf("%v", doubts)
	}
}

// TestStandbyThatEnds takes the server with it, whose clients would wait for ever, and is the cause that their trial
// names.
func TestStandbyThatEnds(t *testing.T) {
	s := followedServer(t, StandbySync)
	c, err := pgload.Dial(t.Context(), s.DSN(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := unix.Kill(s.follower.PID(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		err = c.Simple("update rows set n = n + 1 where id = 1", nil)
	}
	err = s.Cause(err)
	if err == nil || !strings.HasPrefix(err.Error(), "watched: the standby exited during the run: ") ||
		!strings.Contains(err.Error(), "killed") {
		t.Errorf("%v", err)
	}
	if err := s.Verify(t.Context()); err == nil {
		t.Error("the trial counts")
	}
}

// happens has a server killed now, in the middle of a window of two seconds, and its standby promoted.
func happens(t *testing.T, o *standby.Failover) (clock load.Clock, now int64) {
	t.Helper()
	clock, err := load.NewClock()
	if err != nil {
		t.Fatal(err)
	}
	now = clock.Now()
	o.Begin(now-1e9, now+1e9)
	if err := o.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return clock, now
}

// TestFailover: the server is killed and its standby promoted, which then has what was acknowledged, takes writes, and
// is the server that clients are told.
func TestFailover(t *testing.T) {
	s := followedServer(t, StandbySync)
	o, err := s.Intend(t.Context(), .5)
	if err != nil {
		t.Fatal(err)
	}
	before := s.DSN()
	if err := execute(t.Context(), before, "update rows set n = 7 where id = 7"); err != nil {
		t.Fatal(err)
	}
	clock, now := happens(t, o)
	if s.DSN() == before || !o.Promoted() || !o.Killed() {
		t.Errorf("promoted %t, killed %t, at %t", o.Promoted(), o.Killed(), s.DSN() == before)
	}
	if err := execute(t.Context(), s.DSN(), "update rows set n = n / (n - 6) where id = 7"); err != nil {
		t.Errorf("the promoted standby: %v", err)
	}
	if err := s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	var names []string
	for _, e := range s.Events(load.Result{Start: now - 1e9, End: clock.Now()}) {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); !strings.HasSuffix(got, "server_killed standby_promoted") {
		t.Errorf("events %s", got)
	}
	if values := o.Values(load.Result{}); len(values) != 1 || values[0].Name != record.FaultPromoted ||
		values[0].Value <= 0 {
		t.Errorf("values %v", values)
	}
	whole := load.Result{Start: now - 1e9, End: now + 9e9, Ops: 100,
		Windows: load.Windows{StepNs: 1e8, Ops: slices.Repeat([]int64{1}, 100)}}
	if there := o.Before(whole); there.Ops < 10 || there.Ops >= 100 || there.End != whole.Start+there.Ops*1e8 {
		t.Errorf("of %d operations %d were before the kill, in %d ns", whole.Ops, there.Ops, there.End-there.Start)
	}
	if doubts := strings.Join(s.Doubts(), "\n"); strings.Contains(doubts, "failed before the end") {
		t.Errorf("%s", doubts)
	}
	if err := unix.Kill(s.follower.PID(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-s.follower.Gone()
	if err := s.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), "the promoted standby exited") {
		t.Errorf("%v", err)
	}
}
