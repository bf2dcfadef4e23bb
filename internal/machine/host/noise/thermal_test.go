package noise

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
)

// heat writes what CPUs 0 and 1 count of their core and package.
func heat(t *testing.T, root hostfs.Root, counts [4]string) {
	t.Helper()
	for i, name := range []string{"cpu0/thermal_throttle/core", "cpu0/thermal_throttle/package",
		"cpu1/thermal_throttle/core", "cpu1/thermal_throttle/package"} {
		path := root.SysPath("devices/system/cpu", name+"_throttle_count")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		hosttest.Write(t, path, counts[i])
	}
}

func TestLedgerCountsHeat(t *testing.T) {
	root := hostfs.Root{Proc: t.TempDir(), Sys: t.TempDir()}
	if _, err := slowedByHeat(root); !hostfs.NotHere(err) {
		t.Errorf("without counters: %v", err)
	}
	heat(t, root, [4]string{"3\n", "0\n", "4\n", "1\n"})
	hosttest.Write(t, root.SysPath("devices/system/cpu/cpu0/thermal_throttle/core_throttle_total_time_ms"), "999\n")
	p := NewLedger(root)
	p.Ours()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	heat(t, root, [4]string{"3\n", "2\n", "5\n", "3\n"})
	if l := p.Stop(); l.ThermalEvents == nil || *l.ThermalEvents != 5 {
		t.Errorf("ledger %s, want 5 events", show(l))
	}
	heat(t, root, [4]string{"3\n", "2\n", "hot\n", "3\n"})
	if err := p.Start(); err == nil || !strings.Contains(err.Error(), "cpu1/thermal_throttle/core_throttle_count") ||
		!strings.Contains(err.Error(), "hot") {
		t.Errorf("a broken counter: %v", err)
	}
	if l := p.Stop(); l.ThermalEvents != nil {
		t.Errorf("ledger %s of a broken counter", show(l))
	}
}
