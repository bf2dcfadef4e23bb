package database

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// elsewhere returns an external server for trials with a DSN; its password is in the environment.
func (h *site) elsewhere() (admin, dsn string) {
	h.t.Helper()
	s := h.server(nil)
	admin, err := s.Start(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	u, err := url.Parse(admin)
	if err != nil {
		h.t.Fatal(err)
	}
	secret, _ := u.User.Password()
	h.t.Setenv("PGPASSWORD", secret)
	u.User, u.Path = url.User(u.User.Username()), "/postgres"
	return admin, u.String()
}

func databases(t *testing.T, admin string) []string {
	return strings.Fields(asks(t, admin, "select coalesce(string_agg(datname, ' ' order by datname), '') "+
		"from pg_database where starts_with(datname, 'plimsoll') or datname = 'none'"))
}

// TestThere runs the tests of a server that is there: one for all of them.
func TestThere(t *testing.T) {
	h := newSite(t)
	admin, dsn := h.elsewhere()
	for _, part := range []struct {
		name string
		run  func(h *site, admin, dsn string)
	}{
		{"ours and others", (*site).serverThatIsThere},
		{"cancelled", (*site).cancelledThere},
		{"refused", (*site).refusedThere},
		{"password referred to", (*site).passwordReferredTo},
	} {
		t.Run(part.name, func(t *testing.T) {
			for _, name := range databases(t, admin) {
				if err := execute(t.Context(), admin, "drop database "+name); err != nil {
					t.Fatal(err)
				}
			}
			part.run(newSite(t), admin, dsn)
		})
	}
}

// serverThatIsThere: a database of our own is made there, marked and dropped; those that are not ours, or in
// use, stay.
func (h *site) serverThatIsThere(admin, dsn string) {
	t := h.t
	const ours, other, dead = "plimsoll_tiny_0123456789ab", "plimsoll_tiny_other", "plimsoll_tiny_dead"
	for _, sql := range []string{"create database none", "create database " + other, "create database " + dead,
		"comment on database " + dead + " is '" + (&external{session: "dead"}).comment(time.Now()) + "'"} {
		if err := execute(t.Context(), admin, sql); err != nil {
			t.Fatal(err)
		}
	}
	values := record.Params{"server": "dsn", "dsn": dsn}
	if err := Preflight(t.Context(), params(t, values), t.TempDir(), h.set); err != nil {
		t.Error(err)
	}
	s := h.server(values)
	got, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if there := databases(t, admin); !slices.Contains(there, ours) || !slices.Contains(there, other) ||
		slices.Contains(there, dead) {
		t.Errorf("there are %v", there)
	}
	if n := asks(t, got, "select current_database() || ' ' || count(*) from t"); n != ours+" 1000" {
		t.Errorf("it has %s", n)
	}
	if keys := s.Keys(); keys[keyVersion] == "" || keys[keyData] != "" {
		t.Errorf("keys %v, doubts %v", keys, s.Doubts())
	}
	if _, err := h.server(values).Start(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "is in use by another run") {
		t.Errorf("a second trial of the session: %v", err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if there := databases(t, admin); !slices.Equal(there, []string{"none", other}) {
		t.Errorf("after the trial there are %v", there)
	}
	if err := execute(t.Context(), admin, "create database "+ours); err != nil {
		t.Fatal(err)
	}
	s = h.server(values)
	if _, err := s.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "exists and is not ours") ||
		!strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("a database without our mark: %v", err)
	}
	if err := execute(t.Context(), admin, "comment on database "+ours+" is 'plimsoll: my notes'"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.server(values).Start(t.Context()); err == nil || !strings.Contains(err.Error(), "is not ours") {
		t.Errorf("a database with a comment of its owner's: %v", err)
	}
	if err := s.Close(); err != nil || !slices.Contains(databases(t, admin), ours) {
		t.Errorf("what is not ours was dropped, %v", err)
	}
}

// cancelledThere: the database is dropped, even if it is not full yet.
func (h *site) cancelledThere(admin, dsn string) {
	t := h.t
	ctx, cancel := context.WithCancel(t.Context())
	h.set.Fill = func(ctx context.Context, dsn string, _ int) error {
		cancel()
		return execute(ctx, dsn, "create table t (i int)")
	}
	if err := execute(t.Context(), admin, "create database none"); err != nil {
		t.Fatal(err)
	}
	s := h.server(record.Params{"server": "dsn", "dsn": dsn})
	if _, err := s.Start(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if there := databases(t, admin); !slices.Equal(there, []string{"none"}) {
		t.Errorf("there are %v", there)
	}
}

// TestLookWhereNobodyMayEnter: the server's user is another than root.
func TestLookWhereNobodyMayEnter(t *testing.T) {
	needServer(t)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	err := Preflight(t.Context(), params(t, nil), dir, tinySet(nil))
	if os.Geteuid() != 0 && err != nil {
		t.Errorf("%v", err)
	}
	if os.Geteuid() == 0 && (err == nil || !strings.Contains(err.Error(), "may not enter") ||
		!strings.Contains(err.Error(), "\nhint: chmod o+x ")) {
		t.Errorf("%v", err)
	}
}

// refusedThere: errors report missing privileges, and no password.
func (h *site) refusedThere(admin, dsn string) {
	t := h.t
	if err := execute(t.Context(), admin, "create role guest login password 'guest'"); err != nil {
		t.Fatal(err)
	}
	guest := strings.Replace(dsn, "postgres@", "guest@", 1)
	const secret = "not-this-one"
	for _, c := range []struct {
		name, dsn, password, says string
		clients                   string
	}{
		{"a wrong password", dsn, secret, "password authentication failed", "1"},
		{"no right", guest, "guest", "may not create a database", "1"},
		{"too many", guest, "guest", "200 clients and 3 of our own need 203, but the server has", "200"},
		{"nobody", "postgres://127.0.0.1:1/x", secret, "connection refused", "1"},
	} {
		if c.name == "too many" {
			if err := execute(t.Context(), admin, "alter role guest createdb"); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PGPASSWORD", c.password)
		values := params(t, record.Params{"server": "dsn", "dsn": c.dsn, "clients": c.clients})
		err := Preflight(t.Context(), values, t.TempDir(), h.set)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "\nhint: ") ||
			strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", c.name, err)
		}
		s, err := New(workload.Env{Session: "01", Load: closed(values.Number(record.ParamClients))}, values, h.set)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.Start(t.Context()); err == nil || strings.Contains(err.Error(), secret) ||
			strings.Count(err.Error(), "hint:") != 1 {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestTooFewConnections: both numbers are reported, by the preflight and with the server's own limit.
func TestTooFewConnections(t *testing.T) {
	h := newSite(t)
	values := record.Params{"settings": "max_connections = 12", "clients": "16"}
	const says = "too few connections: 16 clients and 3 of our own need 19, but the server has 9 free: max_connections " +
		"is 12, of which 3 are reserved\nhint: --set tiny.settings='max_connections = 22'"
	if err := Preflight(t.Context(), params(t, values), workloadtest.Enterable(t), h.set); err == nil ||
		!strings.Contains(err.Error(), says) {
		t.Errorf("%v", err)
	}
	s := h.server(values)
	s.clients = 16
	if _, err := s.Start(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("%v", err)
	}
}

// TestServerKilled: its end is the cause of the clients' errors.
func TestServerKilled(t *testing.T) {
	h := newSite(t)
	s := h.server(nil)
	dsn, err := s.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if err := unix.Kill(s.instance.Roots()[0], unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{s.Cause(fmt.Errorf("a client's")), s.Verify(t.Context())} {
		if err == nil ||
			!strings.Contains(err.Error(), "tiny: the server exited during the run: postgres ended by itself: signal: killed") {
			t.Errorf("%v", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Connect(t.Context(), dsn); err == nil {
		t.Error("it still answers")
	}
}

// TestOtherHostsReachIt: the address that the target gives is all that a generator needs.
func TestOtherHostsReachIt(t *testing.T) {
	h := newSite(t)
	target, err := NewServer(workload.Env{Scratch: workloadtest.Enterable(t), Keep: h.keep, Load: closed(4)},
		params(t, record.Params{"address": "127.0.0.1"}), h.set)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	address, err := target.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	generator, err := New(workload.Env{Target: address}, params(t, nil), h.set)
	if err != nil {
		t.Fatal(err)
	}
	dsn, err := generator.Start(t.Context())
	if err != nil || dsn != address || len(generator.Keys()) > 0 {
		t.Errorf("%s, %v, keys %v", dsn, err, generator.Keys())
	}
	if n := asks(t, dsn, "select count(*)::text from t"); n != "1000" {
		t.Errorf("%s rows", n)
	}
	if err := generator.Close(); err != nil || target.Verify(t.Context()) != nil {
		t.Errorf("a generator that leaves: %v", err)
	}
}

// passwordReferredTo: a DSN takes its password from beside it, and none of it is in the way of the check for one
// that is written out.
func (h *site) passwordReferredTo(_, dsn string) {
	t := h.t
	held := secret.Values{"PW": []byte(os.Getenv("PGPASSWORD"))}
	t.Setenv("PGPASSWORD", "wrong")
	p := params(t, record.Params{"server": "dsn", "dsn": strings.Replace(dsn, "@", ":${PW}@", 1)})
	if err := Check(h.set.Name, p); err != nil {
		t.Error(err)
	}
	if err := Preflight(t.Context(), p.With(held), t.TempDir(), h.set); err != nil {
		t.Error(err)
	}
	if err := Preflight(t.Context(), p, t.TempDir(), h.set); err == nil {
		t.Error("it connects without")
	}
}

// TestOnlyOurOwnCommentIsAMark: a comment of somebody else's may begin as ours does.
func TestOnlyOurOwnCommentIsAMark(t *testing.T) {
	own := (&external{session: "0123abcdef"}).comment(time.Unix(1, 0))
	for comment, ours := range map[string]bool{
		own: true, (&external{}).comment(time.Now()): true, "plimsoll: my notes": false, own + " not": false,
		"plimsoll: ": false, "x" + own: false, strings.Replace(own, "session", "Session", 1): false, "": false,
	} {
		if regexp.MustCompile(commentForm).MatchString(comment) != ours {
			t.Errorf("%q: not %t", comment, ours)
		}
	}
}
