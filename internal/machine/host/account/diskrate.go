package account

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/storage"
)

// DiskRate holds back the reads and writes of processes on drives, through the kernel's own limits:
// blkio of version 1's control groups, io of version 2's. Version 1 counts a write only if the
// process waits for it, as a database does with its log and checkpoints; pages that the kernel
// writes back later by itself go past it.
type DiskRate struct {
	root  hostfs.Root
	own   heldGroup
	dir   string   // of our own group of version 1; "": processes stay in their group of version 2
	below string   // the group of this process, in which nothing is limited
	lines []string // of io.max
}

// NewDiskRate prepares to let processes read at most so many bytes a second, and write as many, on
// each of the drives under a path. It returns an error if that cannot be done here.
func NewDiskRate(root hostfs.Root, path string, bytesPerS int64) (*DiskRate, error) {
	devices, err := devicesUnder(root, path)
	if err != nil {
		return nil, err
	}
	own, err := own(root, "blkio")
	if err != nil {
		return nil, unlimited(path, err)
	}
	d := &DiskRate{root: root, below: own.dir}
	if own.version == 2 {
		if err := d.ofVersion2(own.dir, path, devices, bytesPerS); err != nil {
			return nil, err
		}
		return d, nil
	}
	if d.own, err = makeGroup(root, own.dir, "disk"); err != nil {
		return nil, unlimited(path, err)
	}
	d.dir = d.own.path
	for _, file := range []string{"blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device"} {
		for _, device := range devices {
			if err := os.WriteFile(filepath.Join(d.dir, file), fmt.Appendf(nil, "%s %d", device, bytesPerS), 0o600); err != nil {
				_ = d.Close()
				return nil, unlimited(path, err)
			}
		}
	}
	return d, nil
}

func (d *DiskRate) ofVersion2(dir, path string, devices []string, bytesPerS int64) error {
	for _, device := range devices {
		d.lines = append(d.lines, fmt.Sprintf("%s rbps=%d wbps=%d", device, bytesPerS, bytesPerS))
	}
	given, err := hostfs.ReadText(filepath.Join(dir, "cgroup.subtree_control"))
	if err == nil && !strings.Contains(" "+given+" ", " io ") {
		err = fmt.Errorf("groups below %s have no controller io\nhint: echo +io >%s", dir,
			filepath.Join(dir, "cgroup.subtree_control"))
	}
	if err != nil {
		return unlimited(path, err)
	}
	return nil
}

func unlimited(path string, why error) error {
	return fmt.Errorf("I/O in %s cannot be throttled: %w\nhint: it takes root and a writable control group of blkio or io",
		path, why)
}

// devicesUnder returns the numbers, such as 254:0, of the drives that a path lies on.
func devicesUnder(root hostfs.Root, path string) ([]string, error) {
	where, err := storage.Of(root, path)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range where.Disks {
		number, err := hostfs.ReadText(root.SysPath("block", name, "dev"))
		if err != nil {
			return nil, unlimited(path, err)
		}
		out = append(out, strings.TrimSpace(number))
	}
	if len(out) == 0 {
		return nil, unlimited(path, fmt.Errorf("it lies on no drive that is seen here: %s", where.Through))
	}
	return out, nil
}

// Add puts a process that has just begun under the limit; its children follow.
func (d *DiskRate) Add(pid int) error {
	if d.dir != "" {
		err := os.WriteFile(filepath.Join(d.dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o600)
		if err != nil {
			return fmt.Errorf("hold back the disk of process %d: %w", pid, err)
		}
		return nil
	}
	dir, err := d.groupOf(pid)
	for _, line := range d.lines {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "io.max"), []byte(line), 0o600)
		}
	}
	if err != nil {
		return fmt.Errorf("hold back the disk of process %d: %w", pid, err)
	}
	return nil
}

// groupOf returns the directory of a process's group of version 2, which must be another one than
// ours.
func (d *DiskRate) groupOf(pid int) (string, error) {
	groups, err := hostfs.ReadParsed(d.root.ProcPath(strconv.Itoa(pid), "cgroup"), parseMembership)
	if err != nil {
		return "", err
	}
	for _, m := range groups {
		if m.controllers != nil {
			continue
		}
		g, err := locate(d.root, 2, "", m.path)
		if err == nil && g.dir == d.below {
			err = fmt.Errorf("it has no group of its own: %w", unix.EBUSY)
		}
		return g.dir, err
	}
	return "", fmt.Errorf("it is in no group: %w", unix.ENOENT)
}

// Close lifts the limit, once the processes have ended.
func (d *DiskRate) Close() error {
	if d.dir == "" {
		return nil
	}
	return d.own.close()
}

// StorageBytes returns the bytes that the processes of the account have read from storage and
// written to it, caches aside, as the kernel charges them (proc_pid_io(5)): a write when the page
// is made dirty. A process that was waited for is charged to its parent. The error wraps
// fs.ErrNotExist if the kernel keeps no such account.
func (t *Tree) StorageBytes() (int64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all, err := t.stats()
	if err != nil {
		return 0, err
	}
	sum := int64(0)
	for pid := range t.members(all) {
		n, err := StorageBytes(t.root, pid)
		if errors.Is(err, fs.ErrNotExist) && pid != os.Getpid() {
			continue // it ended meanwhile
		}
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// StorageBytes returns the bytes of one process, with the children that it has waited for.
func StorageBytes(root hostfs.Root, pid int) (int64, error) {
	pfs, err := procfs.NewFS(root.Proc)
	if err != nil {
		return 0, err
	}
	p, err := pfs.Proc(pid)
	if err != nil {
		return 0, fmt.Errorf("I/O of process %d: %w", pid, err)
	}
	io, err := p.IO()
	if err != nil {
		return 0, fmt.Errorf("I/O of process %d: %w", pid, err)
	}
	return int64(io.ReadBytes) + int64(io.WriteBytes) - io.CancelledWriteBytes, nil
}
