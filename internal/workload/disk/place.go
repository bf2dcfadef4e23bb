package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// place holds the data: a directory, or a device.
type place struct {
	path   string
	device bool
	align  int // required alignment of offsets, lengths and memory in bytes
}

// placeOf checks where a job's data are to lie. Its errors are for the user to fix.
func placeOf(j job, scratch string) (place, error) {
	p := place{path: cmp.Or(j.path, scratch), device: j.device(), align: 512}
	if p.device {
		return p, p.checkDevice(j)
	}
	if err := p.checkDirectory(j); err != nil {
		return p, err
	}
	if j.block%p.align != 0 {
		return p, fmt.Errorf("disk: a block of %s is not a multiple of %s, the sector of %s\nhint: --set "+
			"disk.block=%s", record.FormatSize(int64(j.block)), record.FormatSize(int64(p.align)), p.path,
			record.FormatSize(int64(p.align)))
	}
	return p, p.checkRoom(j)
}

func (p *place) checkDirectory(j job) error {
	info, err := os.Stat(p.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("disk: %w\nhint: mkdir -p %s, or name an existing directory", err, shellquote.Join(p.path))
	case err != nil:
		return fmt.Errorf("disk: %w\nhint: --set disk.path=DIRECTORY names another one", err)
	case !info.IsDir():
		return fmt.Errorf("disk: %s is not a directory\nhint: --set disk.path=DIRECTORY creates its own files in it",
			p.path)
	}
	var st unix.Statfs_t
	if err := unix.Statfs(p.path, &st); err != nil {
		return fmt.Errorf("disk: read the file system of %s: %w", p.path, err)
	}
	switch uint32(st.Type) {
	case unix.TMPFS_MAGIC, unix.RAMFS_MAGIC, unix.HUGETLBFS_MAGIC & 0xffffffff:
		return fmt.Errorf("disk: %s is in memory (tmpfs), not on a disk\nhint: --set disk.path=DIRECTORY on a disk",
			p.path)
	}
	return p.probe(j)
}

// probe makes a file as the load will, to learn the file system's restrictions.
func (p *place) probe(j job) error {
	fd, err := p.newFile(j.direct)
	switch {
	case errors.Is(err, unix.EROFS):
		return fmt.Errorf("disk: the file system of %s is mounted read-only\nhint: --set disk.path=DIRECTORY on "+
			"another", p.path)
	case errors.Is(err, unix.EINVAL) && j.direct, errors.Is(err, unix.EOPNOTSUPP) && j.direct:
		return fmt.Errorf("disk: the file system of %s refuses O_DIRECT\nhint: --set disk.path=DIRECTORY on "+
			"another, or --set disk.direct=false, which includes the page cache in the measurement", p.path)
	case err != nil:
		return fmt.Errorf("disk: create a file in %s: %w\nhint: --set disk.path=DIRECTORY, a writable one", p.path, err)
	}
	defer unix.Close(fd)
	if j.direct {
		p.align = max(p.align, alignment(fd))
	}
	return nil
}

// alignment returns the alignment of direct reads and writes of a file in bytes; 512 if the kernel (before Linux
// 6.1) or the file system does not report it.
func alignment(fd int) int {
	var s unix.Statx_t
	if unix.Statx(fd, "", unix.AT_EMPTY_PATH, unix.STATX_DIOALIGN, &s) != nil || s.Mask&unix.STATX_DIOALIGN == 0 {
		return 512
	}
	return int(max(s.Dio_offset_align, s.Dio_mem_align, 512))
}

// newFile makes an unnamed file, so that nothing of it outlives this process, however that ends.
func (p *place) newFile(direct bool) (int, error) {
	flags := unix.O_RDWR | unix.O_CLOEXEC
	if direct {
		flags |= unix.O_DIRECT
	}
	fd, err := unix.Open(p.path, flags|unix.O_TMPFILE, 0o600)
	if !errors.Is(err, unix.EOPNOTSUPP) && !errors.Is(err, unix.EISDIR) && !errors.Is(err, unix.EINVAL) {
		return fd, err
	}
	// Without O_TMPFILE the name exists for a moment, while the file is still empty.
	name := fmt.Sprintf("%s/.plimsoll-disk-%d-%d", p.path, os.Getpid(), unix.Gettid())
	fd, err = unix.Open(name, flags|unix.O_CREAT|unix.O_EXCL, 0o600)
	if e := unix.Unlink(name); err == nil {
		err = e
	}
	return fd, err
}

// checkRoom returns an error if the files would leave too little free space, with a size that fits.
func (p *place) checkRoom(j job) error {
	space, err := workload.SpaceIn(p.path)
	if err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	return room(p.path, space, j)
}

func room(path string, space workload.Space, j job) error {
	if j.total() <= space.Usable() {
		return nil
	}
	fits := max(space.Usable(), 0) / int64(j.jobs) / int64(j.block) * int64(j.block)
	hint := fmt.Sprintf("--set disk.size=%s would fit", record.FormatSize(fits/1e6*1e6))
	if fits < max(int64(j.block), 1e6) {
		hint = "--set disk.path=DIRECTORY on another file system"
	}
	jobs := "the data of 1 job"
	if j.jobs > 1 {
		jobs = fmt.Sprintf("%d jobs of %s", j.jobs, record.FormatSize(j.size()))
	}
	return fmt.Errorf("disk: %s need %s, and %s may be taken in %s: %s of %s are free, and %s must stay so (5%% of the "+
		"file system, at least 1 GiB)\nhint: %s", jobs, workload.Gigabytes(j.total()),
		workload.Gigabytes(max(space.Usable(), 0)), path, workload.Gigabytes(space.Free), workload.Gigabytes(space.All),
		workload.Gigabytes(space.Left()), hint)
}
