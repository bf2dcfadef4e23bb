package account

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prometheus/procfs"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/kernfmt"
)

// membership is a line of /proc/PID/cgroup: the group that a process is in, by
// hierarchy. Version 2's has no controllers.
type membership struct {
	controllers []string
	path        string
}

// parseMembership reads /proc/PID/cgroup, see cgroups(7).
func parseMembership(b []byte) ([]membership, error) {
	var out []membership
	for line := range bytes.Lines(b) {
		text := strings.TrimSuffix(string(line), "\n")
		if text == "" {
			continue
		}
		fields := strings.SplitN(text, ":", 3)
		if len(fields) != 3 || !strings.HasPrefix(fields[2], "/") {
			return nil, fmt.Errorf("%.80q is not ID:CONTROLLERS:/PATH", text)
		}
		m := membership{path: fields[2]}
		if fields[1] != "" {
			m.controllers = strings.Split(fields[1], ",")
		}
		out = append(out, m)
	}
	return out, nil
}

// cgroup is the control group of this process in one hierarchy.
type cgroup struct {
	version int    // 1 or 2
	mount   string // where the hierarchy is mounted
	dir     string // this process's group, at or below mount
}

// own finds the group of this process that holds a controller: in the version 1 hierarchy of that
// controller, or else in version 2's. An empty controller stands for version 2.
func own(root hostfs.Root, controller string) (cgroup, error) {
	groups, err := hostfs.ReadParsed(root.ProcPath("self/cgroup"), parseMembership)
	if err != nil {
		return cgroup{}, err
	}
	v1 := slices.IndexFunc(groups, func(m membership) bool {
		return controller != "" && slices.Contains(m.controllers, controller)
	})
	if v1 >= 0 {
		return locate(root, 1, controller, groups[v1].path)
	}
	v2 := slices.IndexFunc(groups, func(m membership) bool { return m.controllers == nil })
	if v2 < 0 {
		return cgroup{}, fmt.Errorf("cgroup of controller %q: %w", controller, fs.ErrNotExist)
	}
	return locate(root, 2, "", groups[v2].path)
}

// locate finds the directory of the group at path. In a container without a
// cgroup namespace, path is the host's and only the mount itself can be seen.
func locate(root hostfs.Root, version int, controller, path string) (cgroup, error) {
	m, err := cgroupMount(root, version, controller)
	if err != nil {
		return cgroup{}, err
	}
	mount := m.MountPoint
	if below, ok := strings.CutPrefix(mount, hostfs.System().Sys+"/"); ok {
		mount = root.SysPath(below)
	}
	g := cgroup{version: version, mount: mount, dir: mount}
	rel, err := filepath.Rel(m.Root, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return g, nil
	}
	if info, err := os.Stat(filepath.Join(mount, rel)); err == nil && info.IsDir() {
		g.dir = filepath.Join(mount, rel)
	}
	return g, nil
}

func cgroupMount(root hostfs.Root, version int, controller string) (*procfs.MountInfo, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return nil, err
	}
	mounts, err := pfs.GetMounts()
	if err != nil {
		return nil, err
	}
	for _, m := range mounts {
		_, has := m.SuperOptions[controller]
		if version == 2 && m.FSType == "cgroup2" || version == 1 && m.FSType == "cgroup" && has {
			return m, nil
		}
	}
	return nil, fmt.Errorf("mount of cgroup version %d %s: %w", version, controller, fs.ErrNotExist)
}

// levels returns the directories of the group and of the groups that it is in, innermost first. A
// limit of any of them holds.
func (g cgroup) levels() []string {
	out := []string{g.dir}
	for dir := g.dir; dir != g.mount && len(dir) > len(g.mount); {
		dir = filepath.Dir(dir)
		out = append(out, dir)
	}
	return out
}

// throttled sums, over the group and those it is in, the seconds for which its
// CPU quota kept it from running. The kernel adds up all CPUs, so that it can
// exceed the time that has passed. A level that has no quota counter is left
// out; none at all is fs.ErrNotExist.
func (g cgroup) throttled() (float64, error) {
	key, perSecond := "throttled_usec", 1e6
	if g.version == 1 {
		key, perSecond = "throttled_time", 1e9
	}
	sum, found := 0.0, false
	for _, dir := range g.levels() {
		stat, err := hostfs.ReadParsed(filepath.Join(dir, "cpu.stat"), kernfmt.Flat)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		if n, ok := stat[key]; ok {
			sum, found = sum+float64(n)/perSecond, true
		}
	}
	if !found {
		return 0, fmt.Errorf("%s of %s: %w", key, g.dir, fs.ErrNotExist)
	}
	return sum, nil
}

// ThrottledSeconds returns for how long the CPU quota of the groups of this process kept it from running.
func ThrottledSeconds(root hostfs.Root) (float64, error) {
	g, err := own(root, "cpu")
	if err != nil {
		return 0, err
	}
	return g.throttled()
}
