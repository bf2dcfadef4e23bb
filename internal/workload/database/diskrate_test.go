package database

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
	"plimsoll/internal/workload/workloadtest"
)

// groups are the control groups that hold disks back, with the rate that each lets pass.
func groups(t *testing.T) map[string]string {
	t.Helper()
	dirs, err := filepath.Glob("/sys/fs/cgroup/blkio/plimsoll-*-disk-*")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, dir := range dirs {
		text, _ := os.ReadFile(filepath.Join(dir, "blkio.throttle.write_bps_device"))
		procs, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
		if strings.TrimSpace(string(procs)) != "" {
			out[dir] = strings.TrimSpace(string(text))
		}
	}
	return out
}

// TestDiskRate: all of a server's processes are held back while it runs, and nothing is afterwards.
func TestDiskRate(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs PostgreSQL")
	}
	// Not newSite, whose data are in memory if possible.
	h := &site{t: t, keep: workloadtest.Enterable(t)}
	h.set = tinySet(&h.filled)
	limit, err := account.NewDiskRate(hostfs.System(), h.keep, 1)
	if err != nil {
		t.Skip("no disk can be held back here: ", err)
	}
	if err := limit.Close(); err != nil {
		t.Fatal(err)
	}
	const rate = "123456789"
	mine := func() (out []string) {
		for dir, text := range groups(t) {
			if strings.HasSuffix(text, " "+rate) {
				out = append(out, dir)
			}
		}
		return out
	}
	h.trial(record.Params{ParamDiskRate: rate + "B"}, func(s *Server) {
		found := mine()
		if len(found) != 1 {
			t.Skip("no group of version 1: ", found) // version 2 limits the group that the trial's processes are in
		}
		procs, err := os.ReadFile(filepath.Join(found[0], "cgroup.procs"))
		if n := len(strings.Fields(string(procs))); err != nil || n < 5 {
			t.Errorf("%d processes are held back, a server has more: %v", n, err)
		}
	})
	if left := mine(); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestDiskRateLooks: limits that cannot be set are refused by the preflight, with the parameter's name.
func TestDiskRateLooks(t *testing.T) {
	err := checkRate("tiny", "/proc", 1000)
	if err == nil || !strings.Contains(err.Error(), "disk_rate=1000") ||
		!strings.Contains(err.Error(), "hint: without --set tiny.disk_rate") {
		t.Errorf("%v", err)
	}
	if err := checkRate("tiny", "/proc", 0); err != nil {
		t.Errorf("nothing is held back: %v", err)
	}
	there := record.Params{ParamServer: ServerDSN, ParamDSN: "postgres://h/d", ParamDiskRate: "1MB"}
	err = workloadtest.Check(tinySpec(), params(t, there), record.Machine{})
	if err == nil || !strings.Contains(err.Error(), "disk_rate=1MB applies only to a server started for the run") {
		t.Errorf("a server that is there: %v", err)
	}
}
