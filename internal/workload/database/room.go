package database

import (
	"fmt"

	"plimsoll/internal/workload"
)

// clusterBytes is the approximate size of an empty cluster with its write-ahead log.
const clusterBytes = 256 << 20

// room returns an error if so many bytes would leave too little free; what begins the message.
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
