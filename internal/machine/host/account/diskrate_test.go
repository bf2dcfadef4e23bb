package account

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
)

// TestDiskRate puts a child under a limit of the drive that the tests' files lie on.
func TestDiskRate(t *testing.T) {
	simtest.Forks(t)
	own, err := own(hostfs.System(), "blkio")
	if err != nil || own.version != 1 {
		t.Skip("no blkio of version 1 here: ", err)
	}
	d, err := NewDiskRate(hostfs.System(), t.TempDir(), 50_000_000)
	if err != nil {
		t.Skip("no limit can be set: ", err)
	}
	defer d.Close()
	for _, file := range []string{"blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device"} {
		if text, err := hostfs.ReadText(filepath.Join(d.dir, file)); err != nil || !strings.HasSuffix(text, " 50000000") {
			t.Errorf("%s is %q, %v", file, text, err)
		}
	}
	child := exec.Command("cat") // until its input ends
	input, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Skip("no cat here: ", err)
	}
	if err := d.Add(child.Process.Pid); err != nil {
		t.Error(err)
	}
	if text, err := hostfs.ReadText(filepath.Join(d.dir, "cgroup.procs")); err != nil ||
		text != strconv.Itoa(child.Process.Pid) {
		t.Errorf("the group holds %q, %v", text, err)
	}
	input.Close()
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil || hostfs.Exists(d.dir) {
		t.Errorf("the group is still there, %v", err)
	}
}

// TestDiskRateOfVersion2: io has to be handed down, and a process that shares our group is not limited.
func TestDiskRateOfVersion2(t *testing.T) {
	root := hosttest.Fixture(t, "arm64-v2")
	own := root.SysPath("fs/cgroup/pod/app")
	d := &DiskRate{root: root, below: own}
	err := d.ofVersion2(own, "/data", []string{"259:0", "259:4"}, 1000)
	if err == nil {
		t.Error("a group without a list of controllers took a limit")
	}
	hosttest.Write(t, filepath.Join(own, "cgroup.subtree_control"), "cpu memory\n")
	if err := d.ofVersion2(own, "/data", []string{"259:0"}, 1000); err == nil ||
		!strings.Contains(err.Error(), "hint: echo +io >") {
		t.Errorf("io is not handed down: %v", err)
	}
	hosttest.Write(t, filepath.Join(own, "cgroup.subtree_control"), "cpu io memory\n")
	d.lines = nil
	if err := d.ofVersion2(own, "/data", []string{"259:0", "259:4"}, 1000); err != nil {
		t.Fatal(err)
	}
	group := filepath.Join(own, "plimsoll-1-work-2")
	for _, dir := range []string{group, root.ProcPath("77"), root.ProcPath("78")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	hosttest.Write(t, root.ProcPath("77/cgroup"), "0::/pod/app/plimsoll-1-work-2\n")
	hosttest.Write(t, root.ProcPath("78/cgroup"), "0::/pod/app\n")
	if err := d.Add(77); err != nil {
		t.Fatal(err)
	}
	if text, err := hostfs.ReadText(filepath.Join(group, "io.max")); err != nil || text != "259:4 rbps=1000 wbps=1000" {
		t.Errorf("io.max was last given %q, %v", text, err)
	}
	if err := d.Add(78); err == nil || !strings.Contains(err.Error(), "no group of its own") {
		t.Errorf("a process in our own group: %v", err)
	}
	if err := d.Add(79); err == nil {
		t.Error("a process that is not there took a limit")
	}
}

// TestDiskRateOfMemory: what lies on no drive cannot be held back, and the error says why.
func TestDiskRateOfMemory(t *testing.T) {
	if _, err := NewDiskRate(hostfs.System(), "/proc", 1000); err == nil ||
		!strings.Contains(err.Error(), "no drive that is seen here") || !strings.Contains(err.Error(), "hint: ") {
		t.Errorf("%v", err)
	}
}
