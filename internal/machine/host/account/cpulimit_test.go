package account

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
)

// TestLimitCPU throttles a child by the group that the account has made for it, and leaves no group behind.
func TestLimitCPU(t *testing.T) {
	simtest.Forks(t)
	root := hostfs.System()
	g, err := New(root, "limited")
	if err != nil {
		t.Fatal(err)
	}
	l, err := LimitCPU(root, g, 0.05)
	if err != nil {
		t.Skip("no limit here: ", errors.Join(err, g.Close()))
	}
	cmd := exec.Command("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; cat /proc/self/cgroup")
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	var out strings.Builder
	cmd.Stdout = &out
	if err := g.Enter(cmd.SysProcAttr, l.Around(func() (int, error) { return 0, cmd.Start() })); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || strings.Count(out.String(), ":/plimsoll-") == 0 {
		t.Errorf("%v, in %s", err, out.String())
	}
	if l.own.path != "" {
		inner := cgroup{version: 1, mount: filepath.Dir(l.own.path), dir: l.own.path}
		if s, err := inner.throttled(); err != nil || s <= 0 {
			t.Errorf("throttled for %v s, %v", s, err)
		}
	}
	own := l.own.path
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if own != "" && hostfs.Exists(own) {
		t.Errorf("%s is still there", own)
	}
}

// TestLimitFile: by the period that the group has; of no directory elsewhere.
func TestLimitFile(t *testing.T) {
	v1, v2 := hosttest.Fixture(t, "vm-amd64"), hosttest.Fixture(t, "arm64-v2")
	for _, c := range []struct {
		root  hostfs.Root
		files map[string]string // below the mount
		file  string
		want  string
	}{
		{v1, map[string]string{"cpu/web/cpu.cfs_quota_us": "-1", "cpu/web/cpu.cfs_period_us": "50000"},
			"cpu/web/cpu.cfs_quota_us", "75000"},
		{v2, map[string]string{"web/cpu.max": "max 100000"}, "web/cpu.max", "150000 100000"},
	} {
		for name, text := range c.files {
			path := c.root.SysPath("fs/cgroup", name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			hosttest.Write(t, path, text+"\n")
		}
		for _, group := range []string{"web", "/web/"} {
			path, want, err := LimitFile(c.root, group, 1.5)
			if err != nil || path != c.root.SysPath("fs/cgroup", c.file) || want != c.want {
				t.Errorf("%s: %s is to hold %q, %v", group, path, want, err)
			}
		}
		if _, want, err := LimitFile(c.root, "web", 0); err != nil || want != "" {
			t.Errorf("no limit is %q, %v", want, err)
		}
		for _, group := range []string{"", "/", "..", "web/../../x", "web//x", "none", "web\n", "./web"} {
			if path, _, err := LimitFile(c.root, group, 1); err == nil {
				t.Errorf("%q is %s", group, path)
			}
		}
	}
	if _, err := LimitCPU(v1, NewTree(v1), 1); err == nil {
		t.Error("a process tree was limited")
	}
}
