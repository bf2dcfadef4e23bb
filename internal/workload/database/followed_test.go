package database

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/pgload"
	"plimsoll/internal/record"
)

// followedServer is a server of ours with a small table and a standby.
func followedServer(t *testing.T, mode string) *Server {
	t.Helper()
	needServer(t)
	return rowsServer(t, ParamStandby, mode, nil)
}

// standbyDSN is the DSN of a server's database on its standby, which says at which port it listens in its directory.
func standbyDSN(t *testing.T, s *Server) string {
	t.Helper()
	said, err := os.ReadFile(fmt.Sprintf("/proc/%d/cwd/postmaster.pid", s.follower.PID()))
	if err != nil {
		t.Fatal(err)
	}
	const line = 3
	of, err := url.Parse(s.DSN())
	if err != nil {
		t.Fatal(err)
	}
	of.Host = net.JoinHostPort("127.0.0.1", strings.Split(string(said), "\n")[line])
	return of.String()
}

// TestStandbyConfirms: with sync the standby has every commit as soon as its client knows of it; the log that it was
// sent is what the server wrote.
func TestStandbyConfirms(t *testing.T) {
	s := followedServer(t, StandbySync)
	there, err := Connect(t.Context(), standbyDSN(t, s))
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
