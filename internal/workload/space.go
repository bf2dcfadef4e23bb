package workload

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Space is the room on a file system, in bytes.
type Space struct{ All, Free int64 }

// SpaceIn asks for the room in a directory.
func SpaceIn(dir string) (Space, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return Space{}, fmt.Errorf("ask for the room in %s: %w", dir, err)
	}
	return Space{All: int64(fs.Blocks) * fs.Bsize, Free: int64(fs.Bavail) * fs.Bsize}, nil
}

// What a load leaves of a file system.
const (
	leaveShare = 0.05
	leaveBytes = 1 << 30
)

// Left is what of the space a load leaves free, since others live on the same file system: a twentieth of it, 1 GiB at least.
func (s Space) Left() int64 { return max(int64(leaveShare*float64(s.All)), leaveBytes) }

// Usable is how much a load may take; none or less than none where there is too little.
func (s Space) Usable() int64 { return s.Free - s.Left() }

// Gigabytes is a number of bytes in words.
func Gigabytes(n int64) string { return fmt.Sprintf("%.2f GB", float64(n)/1e9) }
