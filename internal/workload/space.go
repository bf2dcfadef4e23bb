package workload

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Space is the size and the free space of a file system, in bytes.
type Space struct{ All, Free int64 }

// SpaceIn returns the space of the file system that holds dir.
func SpaceIn(dir string) (Space, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return Space{}, fmt.Errorf("read the free space in %s: %w", dir, err)
	}
	return Space{All: int64(fs.Blocks) * fs.Bsize, Free: int64(fs.Bavail) * fs.Bsize}, nil
}

// The space that a load leaves free on a file system.
const (
	leaveShare = 0.05
	leaveBytes = 1 << 30
)

// Left returns the bytes that a load leaves free, since others use the same file system: a twentieth of it,
// at least 1 GiB.
func (s Space) Left() int64 { return max(int64(leaveShare*float64(s.All)), leaveBytes) }

// Usable returns the bytes that a load may take; zero or negative if there is too little.
func (s Space) Usable() int64 { return s.Free - s.Left() }

// Gigabytes formats a number of bytes.
func Gigabytes(n int64) string { return fmt.Sprintf("%.2f GB", float64(n)/1e9) }
