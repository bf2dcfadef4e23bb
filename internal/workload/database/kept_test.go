package database

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// site is the environment of one session's trials.
type site struct {
	t      *testing.T
	keep   string
	filled int
	set    Set
}

func newSite(t *testing.T) *site {
	needServer(t)
	h := &site{t: t, keep: workloadtest.Enterable(t)}
	h.set = tinySet(&h.filled)
	return h
}

// server is that of a new trial; it is closed when the test ends, if not before.
func (h *site) server(set record.Params) *Server {
	h.t.Helper()
	env := workload.Env{Scratch: workloadtest.Enterable(h.t), Keep: h.keep, Session: "0123456789abcdef", Load: closed(2)}
	s, err := New(env, params(h.t, set), h.set)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { s.Close() })
	return s
}

func closed(clients float64) record.LoadPoint {
	return record.LoadPoint{Kind: record.Closed, Level: clients, Unit: record.ParamClients}
}

// trial starts a server, does something, and ends it.
func (h *site) trial(set record.Params, do func(s *Server)) {
	h.t.Helper()
	s := h.server(set)
	if _, err := s.Start(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	if do != nil {
		do(s)
	}
	if err := errors.Join(s.Verify(h.t.Context()), s.Close()); err != nil {
		h.t.Fatal(err)
	}
}

// asks returns the answer to one query.
func asks(t *testing.T, dsn, sql string) string {
	t.Helper()
	c, err := Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	var out string
	if err := c.QueryRow(t.Context(), sql).Scan(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// names returns the names in a directory.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestTrialsBeginWithTheSameData: they are loaded once, no trial sees another's changes, and checksums can be set
// for each copy.
func TestTrialsBeginWithTheSameData(t *testing.T) {
	h := newSite(t)
	const sum = "select sum(n)::text from t"
	checksums := func(want string) func(s *Server) {
		return func(s *Server) {
			if got := asks(t, s.DSN(), "show data_checksums"); got != want {
				t.Errorf("data_checksums is %s, want %s", got, want)
			}
			if n := asks(t, s.DSN(), sum); n != "0" {
				t.Errorf("it begins with a sum of %s", n)
			}
			if err := execute(t.Context(), s.DSN(), "update t set n = 1"); err != nil {
				t.Error(err)
			}
			keys := s.Keys()
			if !strings.Contains(keys[record.KeySettings], "data_checksums="+want) || keys[keyData] == "" ||
				!strings.HasPrefix(keys[keyBuild], "PostgreSQL ") || len(keys[record.KeySettingsDigest]) != 8 {
				t.Errorf("keys %v", keys)
			}
		}
	}
	var first, second map[string]string
	h.trial(nil, func(s *Server) { checksums("off")(s); first = s.Keys() })
	h.trial(nil, func(s *Server) { checksums("off")(s); second = s.Keys() })
	h.trial(record.Params{"checksums": "true"}, checksums("on"))
	h.trial(record.Params{"checksums": "true"}, checksums("on"))
	if h.filled != 1 || !maps.Equal(first, second) {
		t.Errorf("filled %d times; keys %v and %v", h.filled, first, second)
	}
}

// TestTwoFillOnce: agents of one session on one host do not get into each other's way.
func TestTwoFillOnce(t *testing.T) {
	h := newSite(t)
	var both sync.WaitGroup
	for range 2 {
		s := h.server(nil)
		both.Go(func() {
			if _, err := s.Start(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if h.filled != 1 {
		t.Errorf("filled %d times", h.filled)
	}
}

// TestFillThatFails leaves neither half a set nor a server, and the next one fills again.
func TestFillThatFails(t *testing.T) {
	h := newSite(t)
	whole := h.set.Fill
	ctx, cancel := context.WithCancel(t.Context())
	for name, fill := range map[string]func(context.Context, string, int) error{
		"being cancelled": func(ctx context.Context, dsn string, _ int) error {
			cancel()
			return execute(ctx, dsn, "select 1")
		},
		"its check": func(ctx context.Context, dsn string, _ int) error {
			return execute(ctx, dsn, "create table t (i int)")
		},
	} {
		h.set.Fill = fill
		s := h.server(nil)
		_, err := s.Start(ctx)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left := names(t, h.keep); len(left) != 1 || left[0] != fillLock {
			t.Errorf("%s: left %v", name, left)
		}
		if name == "being cancelled" {
			ctx = t.Context()
		}
	}
	h.set.Fill = whole
	h.trial(nil, nil)
}

// fillsForEver is this test binary as an agent that is killed while it fills.
const fillsForEver = "PLIMSOLL_TEST_FILLS"

func TestMain(m *testing.M) {
	if keep := os.Getenv(fillsForEver); keep != "" {
		fillForEver(keep)
	}
	os.Exit(m.Run())
}

// fillForEver loads a part of the set of a tiny workload and reports so.
func fillForEver(keep string) {
	set := tinySet(nil)
	set.Fill = func(ctx context.Context, dsn string, _ int) error {
		if err := execute(ctx, dsn, "create table t (i int, n int)"); err != nil {
			return err
		}
		fmt.Println(dsn)
		select {}
	}
	decl := tinySpec().Workload
	s, err := New(workload.Env{Scratch: filepath.Join(keep, "scratch"), Keep: keep},
		workload.NewParams(decl, decl.Defaults()), set)
	if err == nil {
		_, err = s.Start(context.Background())
	}
	fmt.Println(err)
	os.Exit(1)
}

// TestKilledWhileItFills: its server dies with it, and its partial set is not used.
func TestKilledWhileItFills(t *testing.T) {
	h := newSite(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	filler := exec.Command(self)
	filler.Env = append(os.Environ(), fillsForEver+"="+h.keep)
	out, err := filler.StdoutPipe()
	if err == nil {
		err = filler.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var dsn string
	if _, err := fmt.Fscanln(out, &dsn); err != nil || !isURL(dsn) {
		t.Fatalf("it says %q: %v", dsn, err)
	}
	if err := filler.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = filler.Wait()
	h.trial(nil, nil)
	if h.filled != 1 {
		t.Errorf("filled %d times", h.filled)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		c, err := Connect(t.Context(), dsn)
		if err != nil {
			break
		}
		c.Close(t.Context())
		if time.Now().After(end) {
			t.Fatal("the server of who was killed is still there")
		}
	}
}

// TestDataElsewhere: all data are in the requested directory, and are removed with the scratch and the kept
// directory.
func TestDataElsewhere(t *testing.T) {
	h := newSite(t)
	disk := workloadtest.Enterable(t)
	s := h.server(record.Params{"path": disk})
	if _, err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if at := asks(t, s.DSN(), "show data_directory"); !strings.HasPrefix(at, disk+"/") {
		t.Errorf("the data are in %s", at)
	}
	if n := len(names(t, disk)); n != 2 {
		t.Errorf("%d directories there, want the kept set's and the copy's", n)
	}
	if err := errors.Join(s.Close(), workload.RemoveAll(s.env.Scratch), workload.RemoveAll(h.keep)); err != nil {
		t.Error(err)
	}
	if left := names(t, disk); len(left) > 0 {
		t.Errorf("left there: %v", left)
	}
}

// fileSystem mounts one of that size, made by a program, whose files take no space before they are written.
func fileSystem(t *testing.T, size int64, mkfs ...string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root mounts")
	}
	if _, err := exec.LookPath(mkfs[0]); err != nil {
		t.Skip(err)
	}
	image := filepath.Join(t.TempDir(), "image")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, size)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(mkfs[0], append(mkfs[1:], image)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", mkfs, err, out)
	}
	dir := workloadtest.Enterable(t)
	if out, err := exec.Command("mount", "-o", "loop", image, dir).CombinedOutput(); err != nil {
		t.Skipf("mount: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestReflink(t *testing.T) {
	h := newSite(t)
	disk := fileSystem(t, 4<<30, "mkfs.btrfs", "-q")
	h.trial(record.Params{"path": disk}, func(s *Server) {
		if how := s.Keys()[keyData]; how != copiedReflink {
			t.Errorf("copied by %s", how)
		}
	})
	if err := workload.RemoveAll(h.keep); err != nil {
		t.Error(err)
	}
}

// TestDiskFull: something else fills the disk while the data are loaded.
func TestDiskFull(t *testing.T) {
	h := newSite(t)
	disk := fileSystem(t, 2<<30, "mkfs.ext4", "-q", "-F", "-m", "0")
	h.set.Fill = func(ctx context.Context, dsn string, _ int) error {
		if err := fillUp(disk, 8<<20); err != nil {
			return err
		}
		return execute(ctx, dsn, "create table t as select i, repeat('x', 1000) from generate_series(1, 100000) i")
	}
	s := h.server(record.Params{"path": disk})
	_, err := s.Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the disk of "+disk) || !strings.Contains(err.Error(), "is full") ||
		!strings.Contains(err.Error(), "\nhint: --set tiny.path=DIRECTORY") {
		t.Errorf("%v", err)
	}
	// If it is known in advance, it is not even attempted.
	h.set.Bytes = 1 << 30
	_, err = h.server(record.Params{"path": disk}).Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "not enough space in "+disk) {
		t.Errorf("%v", err)
	}
	if err := errors.Join(s.Close(), workload.RemoveAll(s.env.Scratch), workload.RemoveAll(h.keep)); err != nil {
		t.Error(err)
	}
}

// fillUp leaves so much of a file system.
func fillUp(dir string, leave int64) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Fallocate(int(f.Fd()), 0, 0, int64(fs.Bavail)*fs.Bsize-leave)
}
