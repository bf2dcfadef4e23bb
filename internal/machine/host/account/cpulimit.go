package account

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
)

// The files of a CPU limit.
const (
	fileMax    = "cpu.max"           // version 2: quota and period
	fileQuota  = "cpu.cfs_quota_us"  // version 1
	filePeriod = "cpu.cfs_period_us" // version 1
)

// CPULimit bounds the CPU time of the processes of an account. It ends with the group.
type CPULimit struct {
	own  heldGroup // of its own, where CPU time is counted in another hierarchy; else empty
	home string    // the group that a starting thread returns to
}

// LimitCPU lets the processes that will be started in a group use so many CPUs.
func LimitCPU(root hostfs.Root, g Group, cpus float64) (*CPULimit, error) {
	own, err := own(root, "cpu")
	if err != nil {
		return nil, err
	}
	if own.version == 2 {
		return limit2(g, cpus)
	}
	// Where cpu and cpuacct are one hierarchy, the account's own group has the quota.
	if g, ok := g.(*group1); ok && hostfs.Exists(filepath.Join(g.dir, fileQuota)) {
		return &CPULimit{}, limitTo(g.dir, cpus)
	}
	made, err := makeGroup(root, own.dir, "limit")
	if err != nil {
		return nil, err
	}
	l := &CPULimit{own: made, home: own.dir}
	if err := limitTo(made.path, cpus); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func limit2(g Group, cpus float64) (*CPULimit, error) {
	of, ok := g.(*group2)
	if !ok {
		return nil, errors.New("no control group can be made here, which takes root or a group that was delegated")
	}
	dir := of.dir.Name()
	if !hostfs.Exists(filepath.Join(dir, fileMax)) {
		return nil, fmt.Errorf("control groups below %s have no controller cpu: echo +cpu >%s", filepath.Dir(dir),
			filepath.Join(filepath.Dir(dir), "cgroup.subtree_control"))
	}
	return &CPULimit{}, limitTo(dir, cpus)
}

// Around wraps start, so that the process is limited from its first instruction on. A nil limit limits nothing.
func (l *CPULimit) Around(start func() (int, error)) func() (int, error) {
	if l == nil || l.own.path == "" {
		return start
	}
	return func() (pid int, err error) {
		runtime.LockOSThread()
		if err := moveThread(l.own.path); err != nil {
			runtime.UnlockOSThread()
			return 0, err
		}
		pid, err = start()
		if back := moveThread(l.home); back != nil {
			return pid, errors.Join(err, back) // the thread stays locked: nobody else may run on it
		}
		runtime.UnlockOSThread()
		return pid, err
	}
}

// Close removes the group of its own, once the processes have ended.
func (l *CPULimit) Close() error {
	if l == nil || l.own.path == "" {
		return nil
	}
	return l.own.close()
}

// limitTo sets the limit of a group, and verifies it.
func limitTo(dir string, cpus float64) error {
	path, want, err := limitIn(dir, cpus)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
		return fmt.Errorf("limit the CPU time of a control group to %g CPUs: %w", cpus, err)
	}
	if is, err := hostfs.ReadText(path); err != nil || is != want {
		return errors.Join(err, fmt.Errorf("%s is %s, not %s: the kernel did not take it", path, is, want))
	}
	return nil
}

// limitIn returns the file that limits a group's CPU time, and what it holds for so many CPUs; "" for 0.
func limitIn(dir string, cpus float64) (path, want string, err error) {
	of := func(period float64) string { return strconv.FormatFloat(math.Round(cpus*period), 'f', 0, 64) }
	if path = filepath.Join(dir, fileMax); hostfs.Exists(path) {
		text, err := hostfs.ReadText(path)
		fields := strings.Fields(text)
		if err != nil || len(fields) != 2 {
			return "", "", errors.Join(err, fmt.Errorf("%s: %.40q is not a quota and a period", path, text))
		}
		period, err := strconv.ParseFloat(fields[1], 64)
		if cpus > 0 {
			want = of(period) + " " + fields[1]
		}
		return path, want, err
	}
	period, err := hostfs.ReadNumber(filepath.Join(dir, filePeriod))
	if err != nil {
		return "", "", err
	}
	if cpus > 0 {
		want = of(float64(period))
	}
	return filepath.Join(dir, fileQuota), want, nil
}

// LimitFile returns the file that limits the CPU time of a control group that is there, named by its path below the
// mount of all groups, and what it holds for so many CPUs; "" for 0.
func LimitFile(root hostfs.Root, group string, cpus float64) (path, want string, err error) {
	of, err := own(root, "cpu")
	if err != nil {
		return "", "", err
	}
	name := strings.Trim(group, "/")
	if name == "" || !filepath.IsLocal(name) || filepath.Clean(name) != name {
		return "", "", fmt.Errorf("%.80q is not the path of a control group below %s", group, of.mount)
	}
	dir := filepath.Join(of.mount, name)
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return "", "", fmt.Errorf("there is no control group %s", dir)
	}
	return limitIn(dir, cpus)
}
