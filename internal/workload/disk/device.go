package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// checkDevice returns an error for a device that is too small or in use. check has already verified, both here and
// where the plan was made, that the user gave up the device by its name.
func (p *place) checkDevice(j job) error {
	info, err := os.Stat(p.path)
	switch {
	case err != nil:
		return fmt.Errorf("disk: %w\nhint: lsblk lists the available devices", err)
	case info.Mode()&os.ModeDevice == 0 || info.Mode()&os.ModeCharDevice != 0:
		return fmt.Errorf("disk: %s is not a disk\nhint: --set disk.path=DIRECTORY creates its own files in it", p.path)
	}
	if why := inUse(p.path); why != "" {
		return fmt.Errorf("disk: %s is in use: %s\nhint: only an unused device is written to", p.path, why)
	}
	return p.measureDevice(j)
}

// measureDevice reads the device's sector size and checks that the data fit.
func (p *place) measureDevice(j job) error {
	fd, err := openDevice(p.path)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	size, err := deviceSize(fd)
	if err != nil {
		return fmt.Errorf("disk: read the size of %s: %w", p.path, err)
	}
	if sector, err := unix.IoctlGetInt(fd, unix.BLKSSZGET); err == nil {
		p.align = max(p.align, sector)
	}
	if j.block%p.align != 0 {
		return fmt.Errorf("disk: a block of %s is not a multiple of %s, the sector "+
			"of %s\nhint: --set disk.block=%s", record.FormatSize(int64(j.block)), record.FormatSize(int64(p.align)), p.path,
			record.FormatSize(int64(p.align)))
	}
	if j.total() > size {
		return fmt.Errorf("disk: %d jobs of %s do not fit on %s, whose size "+
			"is %s\nhint: --set disk.size=%s", j.jobs, record.FormatSize(j.size()), p.path,
			record.FormatSize(size), record.FormatSize(size/int64(j.jobs)/int64(j.block)*int64(j.block)))
	}
	return nil
}

// letGo bounds how long a device may stay claimed by a trial that has ended: a ring releases its files a moment
// after the process exits.
const letGo = 5 * time.Second

// openDevice opens a device exclusively: the kernel refuses one that is mounted or claimed.
func openDevice(path string) (int, error) {
	const flags = unix.O_RDWR | unix.O_DIRECT | unix.O_EXCL | unix.O_CLOEXEC
	fd, err := unix.Open(path, flags, 0)
	for end := time.Now().Add(letGo); errors.Is(err, unix.EBUSY) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		fd, err = unix.Open(path, flags, 0)
	}
	switch {
	case errors.Is(err, unix.EBUSY):
		return -1, fmt.Errorf("disk: %s is in use: the kernel reports another holder\nhint: lsblk shows its "+
			"contents, and fuser -v %s the processes that have it open", path, path)
	case err != nil:
		return -1, fmt.Errorf("disk: open %s: %w\nhint: writing to devices requires root", path, err)
	}
	return fd, nil
}

func deviceSize(fd int) (int64, error) {
	var n uint64
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.BLKGETSIZE64, uintptr(unsafe.Pointer(&n)))
	if errno != 0 {
		return 0, errno
	}
	return int64(n), nil
}

// inUse returns who uses a device or a part of it; "" if the kernel lists no user.
func inUse(path string) string {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return err.Error()
	}
	var numbers []string
	for _, dir := range onOneStorage("/sys", number(s.Rdev)) {
		parts, _ := filepath.Glob(dir + "/*/partition")
		for _, at := range append(list.Map(parts, filepath.Dir), dir) {
			if why := heldBy(at); why != "" {
				return why
			}
			numbers = append(numbers, firstOf(at, "dev"))
		}
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "the list of mounts cannot be read: " + err.Error()
	}
	if at := mountedAt(mounts, numbers); at != "" {
		return "mounted at " + at
	}
	swaps, _ := os.ReadFile("/proc/swaps") // none without swap
	for _, name := range swapNames(swaps) {
		if unix.Stat(name, &s) == nil && slices.Contains(numbers, number(s.Rdev)) {
			return "swap space"
		}
	}
	return ""
}

func number(dev uint64) string { return fmt.Sprintf("%d:%d", unix.Major(dev), unix.Minor(dev)) }

// heldBy returns the array, volume or encrypted mapping on top of a device.
func heldBy(dir string) string {
	holders, _ := os.ReadDir(filepath.Join(dir, "holders"))
	if len(holders) == 0 {
		return ""
	}
	return "it is part of " + holders[0].Name()
}

// mountedAt returns the mount point of a device with one of these numbers in a mountinfo (proc_pid_mountinfo(5)).
func mountedAt(mountinfo []byte, numbers []string) string {
	for line := range strings.Lines(string(mountinfo)) {
		f := strings.Fields(line)
		if len(f) > 4 && slices.Contains(numbers, f[2]) {
			return f[4]
		}
	}
	return ""
}

// swapNames returns the files and devices of /proc/swaps, whose first line is a heading.
func swapNames(swaps []byte) []string {
	var out []string
	for line := range strings.Lines(string(swaps)) {
		if f := strings.Fields(line); len(f) > 1 && strings.HasPrefix(f[0], "/") {
			out = append(out, f[0])
		}
	}
	return out
}
