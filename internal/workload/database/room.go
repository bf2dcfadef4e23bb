package database

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// The free space that data leave: others live on the same file system.
const (
	leaveShare = 0.05
	leaveBytes = 1 << 30
)

// clusterBytes is about what a cluster takes, with its write-ahead log, before anything is in it.
const clusterBytes = 256 << 20

// room is an error where so many bytes would leave too little free; what says whose they are.
func room(dir string, bytes int64, what string) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return fmt.Errorf("ask for the room in %s: %w", dir, err)
	}
	return fits(dir, bytes, int64(fs.Bavail)*fs.Bsize, int64(fs.Blocks)*fs.Bsize, what)
}

func fits(dir string, bytes, free, all int64, what string) error {
	leave := max(int64(leaveShare*float64(all)), leaveBytes)
	if bytes <= free-leave {
		return nil
	}
	return fmt.Errorf("not enough space in %s: %s %s, and of %s free %s stay free", dir, what, gigabytes(bytes), gigabytes(free), gigabytes(leave))
}

func gigabytes(n int64) string { return fmt.Sprintf("%.2f GB", float64(n)/1e9) }
