package account

import (
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"syscall"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
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
		root := hosttest.Fixture(t, tt.fixture)
		got, err := own(root, tt.controller)
		if err != nil || got.version != tt.version || got.dir != root.SysPath("fs/cgroup", tt.dir) ||
			len(got.levels()) != tt.levels {
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
		root := hosttest.Fixture(t, "arm64-v2")
		hosttest.Write(t, root.ProcPath("self/cgroup"), "0::"+tt.path+"\n")
		hosttest.Write(t, root.ProcPath("self/mountinfo"),
			"30 23 0:26 "+tt.mountRoot+" /sys/fs/cgroup ro - cgroup2 cgroup rw\n")
		got, err := own(root, "cpu")
		if want := filepath.Join(root.SysPath("fs/cgroup"), tt.want); err != nil || got.dir != want {
			t.Errorf("%s: %s, %v; want %s", name, got.dir, err, want)
		}
	}
}

// TestThrottled throttles a child to 10% of a CPU. Of group1, only the way to
// start a process in a group is borrowed.
func TestThrottled(t *testing.T) {
	simtest.Forks(t)
	own, err := own(hostfs.System(), "cpu")
	if err != nil || own.version != 1 {
		t.Skip("no cpu controller of version 1 here: ", err)
	}
	made, err := makeGroup(hostfs.System(), own.dir, "quota")
	if err != nil {
		t.Skip("no group can be made: ", err)
	}
	defer made.close()
	dir := made.path
	hosttest.Write(t, filepath.Join(dir, "cpu.cfs_period_us"), "20000")
	hosttest.Write(t, filepath.Join(dir, "cpu.cfs_quota_us"), "2000")
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

func FuzzMembership(f *testing.F) {
	hosttest.Seed(f, []string{"/proc/self/cgroup"}, "0::/\n", "2:cpu,cpuacct:/a:b\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseMembership(b)
		for _, m := range got {
			if err != nil || m.path == "" || m.path[0] != '/' {
				t.Errorf("%+v, %v", m, err)
			}
		}
	})
}

func TestParseMembership(t *testing.T) {
	got, err := parseMembership([]byte("3:cpu,cpuacct:/a:b\n1:name=systemd:/\n0::/x\n"))
	want := []membership{{[]string{"cpu", "cpuacct"}, "/a:b"}, {[]string{"name=systemd"}, "/"}, {nil, "/x"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, in := range []string{"0:/x\n", "0::x\n", "junk"} {
		if _, err := parseMembership([]byte(in)); err == nil {
			t.Errorf("%q: want an error", in)
		}
	}
}
