package host

import (
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

func TestOwnCgroup(t *testing.T) {
	tests := []struct {
		fixture, controller string
		version             int
		dir                 string // below the mount of all groups
		levels              int
	}{
		{"vm-amd64", "cpu", 1, "cpu", 1},
		{"vm-amd64", "memory", 1, "memory/job/7", 3},
		{"vm-amd64", "", 2, "unified", 1},
		{"arm64-v2", "cpu", 2, "pod/app", 3},
	}
	for _, tt := range tests {
		root := fixture(t, tt.fixture)
		got, err := ownCgroup(root, tt.controller)
		if err != nil || got.version != tt.version || got.dir != root.sys("fs/cgroup", tt.dir) || len(got.levels()) != tt.levels {
			t.Errorf("%s %q: %+v, levels %v, %v", tt.fixture, tt.controller, got, got.levels(), err)
		}
	}
}

func TestCgroupOfAContainer(t *testing.T) {
	tests := map[string]struct{ mountRoot, path, want string }{
		"own namespace":          {"/", "/", "."},
		"bind mount of the path": {"/docker/abc", "/docker/abc", "."},
		"below the bind mount":   {"/docker/abc", "/docker/abc/pod", "pod"},
		"host's path, unseen":    {"/", "/docker/abc", "."},
		"outside the namespace":  {"/", "/../other", "."},
	}
	for name, tt := range tests {
		root := fixture(t, "arm64-v2")
		write(t, root.proc("self/cgroup"), "0::"+tt.path+"\n")
		write(t, root.proc("self/mountinfo"), "30 23 0:26 "+tt.mountRoot+" /sys/fs/cgroup ro - cgroup2 cgroup rw\n")
		got, err := ownCgroup(root, "cpu")
		if want := filepath.Join(root.sys("fs/cgroup"), tt.want); err != nil || got.dir != want {
			t.Errorf("%s: %s, %v; want %s", name, got.dir, err, want)
		}
	}
}

// TestThrottled throttles a child to 10 % of a CPU. Of group1, only the way to
// start a process in a group is borrowed.
func TestThrottled(t *testing.T) {
	own, err := ownCgroup(System(), "cpu")
	if err != nil || own.version != 1 {
		t.Skip("no cpu controller of version 1 here: ", err)
	}
	made, err := makeGroup(System(), own.dir, "quota")
	if err != nil {
		t.Skip("no group can be made: ", err)
	}
	defer made.close()
	dir := made.path
	write(t, filepath.Join(dir, "cpu.cfs_period_us"), "20000")
	write(t, filepath.Join(dir, "cpu.cfs_quota_us"), "2000")
	inner := cgroup{version: 1, mount: own.mount, dir: dir}
	if quota, err := tightest(inner, cgroup.cpuQuota); err != nil || quota != 0.1 {
		t.Errorf("quota %v, %v; want 0.1", quota, err)
	}
	before, err := inner.throttled()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	g := &group1{dir: dir, home: own.dir}
	if err := g.Enter(cmd.SysProcAttr, func() (int, error) { return 0, cmd.Start() }); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	after, err := inner.throttled()
	if err != nil || after <= before {
		t.Errorf("throttled for %v s, then %v s, %v", before, after, err)
	}
	if !slices.Contains(inner.levels(), own.mount) {
		t.Errorf("levels %v lack the mount", inner.levels())
	}
	t.Logf("throttled %.3f s", after-before)
}
