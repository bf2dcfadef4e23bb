package storage

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
)

// Location is the place of the bytes of a file.
type Location struct {
	Disks   []string // drives, several below an array or a mapping; none if not known, or memory
	Through string   // the layers from the file to the drives, such as "ext4 on vda1"
}

// mount is one line of mountinfo.
type mount struct {
	device, point, kind, source, options string
}

// Of returns the drives that a file or directory lies on, or a device. Partitions, md and the
// device mapper are followed down to their drives. Through names the end of the path if that is
// none: memory, a network, or an overlay whose upper layer cannot be seen from here.
func Of(root hostfs.Root, path string) (Location, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return Location{}, fmt.Errorf("where %s is stored: %w", path, err)
	}
	mounts, err := hostfs.ReadParsed(root.ProcPath("self/mountinfo"), parseMountInfo)
	if err != nil {
		return Location{}, fmt.Errorf("where %s is stored: %w", path, err)
	}
	number := st.Dev
	if st.Mode&unix.S_IFMT == unix.S_IFBLK {
		number = st.Rdev
	}
	device := fmt.Sprintf("%d:%d", unix.Major(number), unix.Minor(number))
	return storageOn(root, device, mounts), nil
}

// storageOn follows a device's number, "254:0", down to drives.
func storageOn(root hostfs.Root, device string, mounts []mount) Location {
	at := slices.IndexFunc(mounts, func(m mount) bool { return m.device == device })
	kind := ""
	if at >= 0 {
		kind = mounts[at].kind
	}
	if name := blockName(root, device); name != "" {
		return through(root, name, kind)
	}
	if at < 0 {
		return Location{Through: "device " + device + ", which nothing mounted has"}
	}
	m := mounts[at]
	switch {
	case m.kind == "tmpfs" || m.kind == "ramfs":
		return Location{Through: m.kind + ", in memory"}
	case m.kind == "overlay":
		return overlay(root, m, mounts)
	case strings.HasPrefix(m.source, "/dev/"): // btrfs and others whose files have a number of their own
		if name := blockByName(root, m.source); name != "" {
			return through(root, name, m.kind)
		}
	}
	return Location{Through: fmt.Sprintf("%s of %s, behind which no disk is seen", m.kind, m.source)}
}

// overlay follows an overlay's upper layer, into which all is written, to the mount that it lies in.
func overlay(root hostfs.Root, m mount, mounts []mount) Location {
	upper := ""
	for _, o := range strings.Split(m.options, ",") {
		if v, ok := strings.CutPrefix(o, "upperdir="); ok {
			upper = v
		}
	}
	below := -1
	for i, x := range mounts {
		inside := upper == x.point || strings.HasPrefix(upper, strings.TrimSuffix(x.point, "/")+"/")
		if x.kind != "overlay" && upper != "" && inside && (below < 0 || len(x.point) > len(mounts[below].point)) {
			below = i
		}
	}
	// In a container the layer's path is the host's, and a mount above it here is another one.
	if below < 0 || !hostfs.IsDir(upper) {
		return Location{Through: "overlay, whose upper layer is not seen from here"}
	}
	s := storageOn(root, mounts[below].device,
		slices.DeleteFunc(slices.Clone(mounts), func(x mount) bool { return x.kind == "overlay" }))
	s.Through = "overlay on " + s.Through
	return s
}

// blockName returns the name of a block device by its number, "" if there is none.
func blockName(root hostfs.Root, device string) string {
	link, err := os.Readlink(root.SysPath("dev/block", device))
	if err != nil {
		return ""
	}
	return filepath.Base(link)
}

// blockByName returns a block device's own name for a path such as /dev/mapper/data; "" if there is
// none.
func blockByName(root hostfs.Root, path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	name := filepath.Base(path)
	if len(blockDirs(root, name)) == 0 {
		return ""
	}
	return name
}

// blockDirs returns the directory of a device; a partition has its own in the drive's.
func blockDirs(root hostfs.Root, name string) []string {
	if dir := root.SysPath("block", name); hostfs.IsDir(dir) {
		return []string{dir}
	}
	found, _ := filepath.Glob(root.SysPath("block", "*", name))
	return slices.DeleteFunc(found, func(dir string) bool { return !hostfs.Exists(filepath.Join(dir, "partition")) })
}

// through gathers the drives below a device, and the layers on the way.
func through(root hostfs.Root, name, kind string) Location {
	var s Location
	var words []string
	follow(root, name, &s, &words, 0)
	slices.Sort(s.Disks)
	s.Disks = slices.Compact(s.Disks)
	s.Through = strings.Join(append([]string{strings.TrimSpace(kind + " on " + name)}, words...), ", ")
	return s
}

// deepest bounds the layers: a loop among links must end.
const deepest = 16

func follow(root hostfs.Root, name string, s *Location, words *[]string, depth int) {
	dirs := blockDirs(root, name)
	if len(dirs) == 0 || depth > deepest {
		*words = append(*words, name+" is not in "+root.SysPath("block"))
		return
	}
	dir := dirs[0]
	if hostfs.Exists(filepath.Join(dir, "partition")) {
		disk := filepath.Base(filepath.Dir(dir))
		*words = append(*words, "a partition of "+disk)
		follow(root, disk, s, words, depth+1)
		return
	}
	below, _ := os.ReadDir(filepath.Join(dir, "slaves"))
	if len(below) == 0 {
		s.Disks = append(s.Disks, name)
		return
	}
	what := "device mapper"
	if hostfs.IsDir(filepath.Join(dir, "md")) {
		what = "array"
	}
	for _, b := range below {
		*words = append(*words, fmt.Sprintf("%s %s over %s", what, name, b.Name()))
		follow(root, b.Name(), s, words, depth+1)
	}
}

// LargestIO returns the most bytes of one I/O that the kernel hands a disk, or 0 if that is not
// known. Larger ones are split.
func LargestIO(root hostfs.Root, disk string) int64 {
	kib, err := hostfs.ReadNumber(root.SysPath("block", disk, "queue/max_sectors_kb"))
	if err != nil || kib < 0 || kib > 1<<30 {
		return 0
	}
	return kib << 10
}

var errMountInfo = errors.New("a line has no separator or too few fields")

// parseMountInfo reads /proc/self/mountinfo (proc_pid_mountinfo(5)). Later mounts on one point hide
// earlier ones, and come first in the result.
func parseMountInfo(b []byte) ([]mount, error) {
	var out []mount
	for line := range bytes.Lines(b) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		head, tail, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), " - ")
		fields, rest := strings.Fields(head), strings.Fields(tail)
		if !ok || len(fields) < 6 || len(rest) < 2 {
			return nil, errMountInfo
		}
		m := mount{device: fields[2], point: unescaped(fields[4]), kind: rest[0], source: unescaped(rest[1])}
		if len(rest) > 2 {
			m.options = unescaped(rest[2])
		}
		out = append(out, m)
	}
	slices.Reverse(out)
	return out, nil
}

// unescaped reads the kernel's octal escapes of space, tab, newline and backslash.
func unescaped(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}
