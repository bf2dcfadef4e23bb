package speed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/forecast"
)

const (
	block     = 1 << 20
	mostBytes = 256 << 20 // written at most
	leastFree = 4         // times that, else nothing is written
	writing   = 300 * time.Millisecond
	syncs     = 5
)

// disk measures the file system that holds a directory. It writes into an unnamed file, which leaves nothing behind.
func disk(ctx context.Context, path, dir string, known *given) (forecast.Disk, error) {
	dir, err := existing(dir)
	if err != nil {
		return forecast.Disk{}, err
	}
	var fs unix.Statfs_t
	var st unix.Stat_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return forecast.Disk{}, fmt.Errorf("read the free space in %s: %w", dir, err)
	}
	if err := unix.Stat(dir, &st); err != nil {
		return forecast.Disk{}, fmt.Errorf("identify the file system of %s: %w", dir, err)
	}
	out := forecast.Disk{Path: path, Mount: fmt.Sprintf("%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev)),
		Free: int64(fs.Bavail) * fs.Bsize}
	if out.Free < leastFree*mostBytes {
		return out, nil
	}
	f, err := nameless(dir)
	if err != nil {
		return out, fmt.Errorf("measure the disk of %s: %w", dir, err)
	}
	defer f.Close()
	if known != nil {
		out.Write, out.SyncS = known.write, known.syncS
	} else if err := measure(ctx, f, &out); err != nil {
		return out, fmt.Errorf("measure the disk of %s: %w", dir, err)
	}
	out.Clones = clones(dir, f)
	return out, nil
}

// existing returns the nearest directory above a path that exists: a run makes the rest.
func existing(dir string) (string, error) {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case err == nil && info.IsDir():
			return at, nil
		case err == nil:
			return "", fmt.Errorf("%s is not a directory", at)
		case at == filepath.Dir(at):
			return "", fmt.Errorf("find the directory %s: %w", dir, err)
		}
	}
}

// measure writes for a while, syncs, and then syncs single small writes.
func measure(ctx context.Context, f *os.File, out *forecast.Disk) error {
	buffer := make([]byte, block)
	for i := range buffer {
		buffer[i] = byte(i * 7)
	}
	began, bytes := time.Now(), 0
	for ; bytes < mostBytes && time.Since(began) < writing; bytes += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := f.Write(buffer); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	out.Write = float64(bytes) / time.Since(began).Seconds()
	began = time.Now()
	for i := range syncs {
		if _, err := f.WriteAt(buffer[:4096], int64(i)*4096); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
	}
	out.SyncS = time.Since(began).Seconds() / syncs
	return nil
}

func clones(dir string, f *os.File) bool {
	to, err := nameless(dir)
	if err != nil {
		return false
	}
	defer to.Close()
	return unix.IoctlFileClone(int(to.Fd()), int(f.Fd())) == nil
}

func nameless(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, 0o600)
}
