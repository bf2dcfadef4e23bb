package procs

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
)

// DataDir returns the directory in which processes keep most files open for writing, of the file system on which they
// keep most of them; "" if they write to none on a block device. In another mount namespace it leads through /proc.
func DataDir(root hostfs.Root, pids []int) string {
	devices, files := map[uint64]int{}, map[uint64]map[string]int{}
	for _, pid := range pids {
		for _, written := range writtenBy(root, pid) {
			dev := written.dev
			if files[dev] == nil {
				files[dev] = map[string]int{}
			}
			devices[dev]++
			files[dev][written.dir]++
		}
	}
	return most(files[most(devices)])
}

// written is a file that is open for writing.
type written struct {
	dev uint64
	dir string
}

func writtenBy(root hostfs.Root, pid int) []written {
	fds := root.ProcPath(strconv.Itoa(pid), "fd")
	entries, err := os.ReadDir(fds)
	if err != nil {
		return nil
	}
	prefix := ""
	if mounts(root, strconv.Itoa(pid)) != mounts(root, "self") {
		prefix = root.ProcPath(strconv.Itoa(pid), "root")
	}
	var out []written
	for _, e := range entries {
		var st unix.Stat_t
		at := filepath.Join(fds, e.Name())
		if unix.Stat(at, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || unix.Major(st.Dev) == 0 && !onBtrfs(at) {
			continue
		}
		if to, err := os.Readlink(at); err == nil && writable(root, pid, e.Name()) {
			out = append(out, written{st.Dev, path.Join(prefix, path.Dir(to))})
		}
	}
	return out
}

// mounts names the mount namespace of a process; "" if that is unknown.
func mounts(root hostfs.Root, pid string) string {
	to, _ := os.Readlink(root.ProcPath(pid, "ns", "mnt"))
	return to
}

// onBtrfs reports whether a file is on the file system that has disks below it, and no device number of theirs.
func onBtrfs(at string) bool {
	var st unix.Statfs_t
	return unix.Statfs(at, &st) == nil && st.Type == unix.BTRFS_SUPER_MAGIC
}

// writable reports whether a file is open for writing: proc_pid_fdinfo(5).
func writable(root hostfs.Root, pid int, fd string) bool {
	text, err := os.ReadFile(root.ProcPath(strconv.Itoa(pid), "fdinfo", fd))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if octal, ok := strings.CutPrefix(line, "flags:"); ok {
			flags, err := strconv.ParseUint(strings.TrimSpace(octal), 8, 32)
			return err == nil && flags&unix.O_ACCMODE != unix.O_RDONLY
		}
	}
	return false
}

// most returns the key of the highest count, the least of equal ones; the zero key if there is none.
func most[K uint64 | string](counts map[K]int) K {
	var best K
	for k, n := range counts {
		if n > counts[best] || n == counts[best] && k < best {
			best = k
		}
	}
	return best
}
