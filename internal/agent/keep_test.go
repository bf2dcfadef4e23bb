package agent

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/workload"
)

const keptPlan = "00112233445566aa"

// begun is a kept directory of that plan, held as an agent does.
func begun(t *testing.T, plan string) *keep {
	t.Helper()
	k, err := openKeep(plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.close)
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
	if k.dir != again.dir {
		t.Errorf("two agents of a session keep theirs in %s and %s", k.dir, again.dir)
	}
	far, err := workload.MakeDataDir(k.dir, disk)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := workload.MakeDataDir(again.dir, disk); same != far || err != nil {
		t.Errorf("asked again it is %s, not %s (%v)", same, far, err)
	}
	if err := os.WriteFile(filepath.Join(far, "data"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := removeKeep(ctx, keptPlan, func(string) error { return nil }); err == nil || !isThere(far) {
		t.Errorf("what is in use was removed (%v)", err)
	}
	killed, others := scratchDir(keptPlan+"-r0-g0-c0-a0"), scratchDir("77-r0-g0-c0-a0")
	for _, dir := range []string{killed, others} {
		if err := workload.MakeDir(dir); err != nil {
			t.Fatal(err)
		}
	}
	farther, err := workload.MakeDataDir(killed, disk)
	if err != nil {
		t.Fatal(err)
	}
	k.close()
	time.AfterFunc(50*time.Millisecond, again.close)
	if err := removeKeep(t.Context(), keptPlan, func(string) error { return nil }); err != nil || isThere(far) || isThere(k.dir) {
		t.Errorf("it is still there, %v", err)
	}
	if isThere(killed) || isThere(farther) || !isThere(others) {
		t.Errorf("of trials that were killed there is still the plan's %t, elsewhere %t; another plan's %t", isThere(killed), isThere(farther), isThere(others))
	}
	if err := removeKeep(t.Context(), keptPlan, func(string) error { return nil }); err != nil {
		t.Errorf("what is not there: %v", err)
	}
	if err := removeKeep(t.Context(), "../x", func(string) error { return nil }); err == nil {
		t.Error("a name that is no hash was taken")
	}
}

// TestKilledRunsKeepNothingForEver: starting a session removes directories unused for a day, and nothing else.
func TestKilledRunsKeepNothingForEver(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	old, used, young := begun(t, "01"), begun(t, "02"), begun(t, "03")
	long := time.Now().Add(-keepUnused - time.Hour)
	for _, k := range []*keep{old, used} {
		if err := os.Chtimes(k.dir, long, long); err != nil {
			t.Fatal(err)
		}
	}
	old.close()
	young.close()
	begun(t, keptPlan)
	if isThere(old.dir) || !isThere(used.dir) || !isThere(young.dir) {
		t.Errorf("there are still: the old one %t, the one in use %t, the young one %t", isThere(old.dir), isThere(used.dir), isThere(young.dir))
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
	if _, err := openKeep(keptPlan); err == nil {
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
	if _, err := openKeep(keptPlan); err == nil {
		t.Error("another user's directory was taken for ours")
	}
}

// TestScratchCanBeEntered: by the user that runs a server, whatever our umask is; and shared files are there for the
// next trial.
func TestScratchCanBeEntered(t *testing.T) {
	defer unix.Umask(unix.Umask(0o077))
	b := newBench(t)
	req := b.order(closed(1), "keeps")
	req.Order.Sides[0].Workload = "keeper"
	trial, _ := b.one(req)
	kept := trial.Keys["keep"]
	if trial.Keys["modes"] != "711 711" || kept == "" || trial.Keys["session"] != req.Order.Plan {
		t.Errorf("modes %q, kept in %q, session %q", trial.Keys["modes"], kept, trial.Keys["session"])
	}
	if again, _ := b.one(req); again.Keys["keep"] != kept || again.Keys["kept"] == "" {
		t.Errorf("the second keeps it in %q, and found %q", again.Keys["keep"], again.Keys["kept"])
	}
	if err := b.client.Do(t.Context(), Request{Do: DoTidy, Plan: req.Order.Plan}, func(Message) error { return nil }); err != nil {
		t.Error(err)
	}
}
