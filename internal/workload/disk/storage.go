package disk

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/list"
)

// onOneStorage returns the directories in sysfs of a device and of all others that reach the same storage: a second
// loop device on the same file, the device under a loop, a second path to a LUN. The kernel takes them for several, and
// refuses none if another is mounted. Of a partition they are the same partition of the other disks.
func onOneStorage(sys, number string) []string {
	own, err := filepath.EvalSymlinks(filepath.Join(sys, "dev/block", number))
	if err != nil {
		return []string{filepath.Join(sys, "dev/block", number)}
	}
	disk, part := own, firstOf(own, "partition")
	if part != "" {
		disk = filepath.Dir(own)
	}
	keys := storageKeys(disk)
	out := []string{own}
	others, _ := filepath.Glob(filepath.Join(sys, "block/*"))
	for _, at := range others {
		other, err := filepath.EvalSymlinks(at)
		if err != nil || other == disk || !slices.ContainsFunc(storageKeys(other), func(k string) bool {
			return slices.Contains(keys, k)
		}) {
			continue
		}
		if part == "" {
			out = append(out, other)
			continue
		}
		parts, _ := filepath.Glob(other + "/*/partition")
		same := list.Filter(parts, func(p string) bool { return firstOf(filepath.Dir(p), "partition") == part })
		out = append(out, list.Map(same, filepath.Dir)...)
		if len(parts) == 0 { // a whole disk, such as a loop device, whose parts are not known to the kernel
			out = append(out, other)
		}
	}
	return out
}

// storageKeys returns what identifies the storage of a whole disk: that it is itself, what a loop device stands for,
// and the WWN.
func storageKeys(dir string) []string {
	out := []string{"device " + firstOf(dir, "dev")}
	if wwn := firstOf(dir, "wwid"); wwn != "" {
		out = append(out, "WWN "+wwn)
	} else if wwn := firstOf(dir, "device/wwid"); wwn != "" {
		out = append(out, "WWN "+wwn)
	}
	file := strings.TrimSuffix(firstOf(dir, "loop/backing_file"), " (deleted)")
	if file == "" {
		return out
	}
	out = append(out, "file "+file)
	var s unix.Stat_t
	if unix.Stat(file, &s) != nil {
		return out
	}
	if s.Mode&unix.S_IFMT == unix.S_IFBLK {
		return append(out, "device "+number(s.Rdev))
	}
	return append(out, fmt.Sprintf("inode %s %d", number(s.Dev), s.Ino)) // by whatever name
}
