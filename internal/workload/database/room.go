package database

import (
	"fmt"

	"plimsoll/internal/workload"
)

// clusterBytes is about what a cluster takes, with its write-ahead log, before anything is in it.
const clusterBytes = 256 << 20

// room is an error where so many bytes would leave too little free; what says whose they are.
func room(dir string, bytes int64, what string) error {
	space, err := workload.SpaceIn(dir)
	if err != nil {
		return err
	}
	return fits(dir, bytes, space, what)
}

func fits(dir string, bytes int64, space workload.Space, what string) error {
	if bytes <= space.Usable() {
		return nil
	}
	return fmt.Errorf("not enough space in %s: %s %s, and of %s free %s stay free",
		dir, what, workload.Gigabytes(bytes), workload.Gigabytes(space.Free), workload.Gigabytes(space.Left()))
}
