package kept

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/owed"
	"plimsoll/internal/workload"
)

const keptPlan = "00112233445566aa"

// begun is a kept directory of that plan, held as an agent does.
func begun(t *testing.T, plan string) *Keep {
	t.Helper()
	k, err := Open(plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	return k
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// TestKeptIsRemovedWhenTold: including data on another disk, and not before its agents have exited.
func TestKeptIsRemovedWhenTold(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	disk := t.TempDir()
	k, again := begun(t, keptPlan), begun(t, keptPlan)
	if k.Dir != again.Dir {
		t.Errorf("two agents of a session keep theirs in %s and %s", k.Dir, again.Dir)
	}
	far, err := workload.MakeDataDir(k.Dir, disk)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := workload.MakeDataDir(again.Dir, disk); same != far || err != nil {
		t.Errorf("asked again it is %s, not %s (%v)", same, far, err)
	}
	if err := os.WriteFile(filepath.Join(far, "data"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Remove(ctx, keptPlan, func(string) error { return nil }); err == nil || !isThere(far) {
		t.Errorf("what is in use was removed (%v)", err)
	}
	killed, others := ScratchDir(keptPlan+"-r0-g0-c0-a0"), ScratchDir("77-r0-g0-c0-a0")
	for _, dir := range []string{killed, others} {
		if err := workload.MakeDir(dir); err != nil {
			t.Fatal(err)
		}
	}
	farther, err := workload.MakeDataDir(killed, disk)
	if err != nil {
		t.Fatal(err)
	}
	k.Close()
	time.AfterFunc(50*time.Millisecond, again.Close)
	if err := Remove(t.Context(), keptPlan, func(string) error { return nil }); err != nil || isThere(far) ||
		isThere(k.Dir) {
		t.Errorf("it is still there, %v", err)
	}
	if isThere(killed) || isThere(farther) || !isThere(others) {
		t.Errorf("of trials that were killed there is still the plan's %t, elsewhere %t; another plan's %t", isThere(killed),
			isThere(farther), isThere(others))
	}
	if err := Remove(t.Context(), keptPlan, func(string) error { return nil }); err != nil {
		t.Errorf("what is not there: %v", err)
	}
	if err := Remove(t.Context(), "../x", func(string) error { return nil }); err == nil {
		t.Error("a name that is no hash was taken")
	}
}

// TestKilledRunsKeepNothingForEver: starting a session removes directories unused for a day, and nothing else.
func TestKilledRunsKeepNothingForEver(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	old, used, young, owing := begun(t, "01"), begun(t, "02"), begun(t, "03"), begun(t, "04")
	if err := os.WriteFile(string(owed.In(owing.Dir, "ab")), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-keepUnused - time.Hour)
	for _, k := range []*Keep{old, used, owing} {
		if err := os.Chtimes(k.Dir, long, long); err != nil {
			t.Fatal(err)
		}
	}
	old.Close()
	young.Close()
	owing.Close()
	begun(t, keptPlan)
	if isThere(old.Dir) || !isThere(used.Dir) || !isThere(young.Dir) || !isThere(owing.Dir) {
		t.Errorf("there are still: the old one %t, the one in use %t, the young one %t, that with a server's settings %t",
			isThere(old.Dir), isThere(used.Dir), isThere(young.Dir), isThere(owing.Dir))
	}
}

// TestAnothersIsNotBelieved: everybody can write to its parent directory.
func TestAnothersIsNotBelieved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, err := keepDir(keptPlan)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), dir); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(keptPlan); err == nil {
		t.Error("a link was taken for our directory")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		return
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := unix.Chown(dir, 1, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(keptPlan); err == nil {
		t.Error("another user's directory was taken for ours")
	}
}

// TestRemovalCutShort: what is left of a scratch directory whose agent was killed as it removed it goes at the next
// start, and one of an older version, which has no lock, stays.
func TestRemovalCutShort(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for dir, files := range map[string][]string{
		ScratchDir("ab12-r0-g0-c0-a0"):  {},
		ScratchDir("ab12-r1-g0-c0-a0"):  {keepLock, "data"},
		ScratchDir("ab12-r-1-g0-c0-a0"): {keepLock, "data"}, // a pilot's
		ScratchDir("ab12-r2-g0-c0-a0"):  {"data"},
	} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	RemoveDead(t.Context())
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) != 1 || left[0].Name() != filepath.Base(ScratchDir("ab12-r2-g0-c0-a0")) {
		t.Errorf("%v, %v are left", left, err)
	}
}
