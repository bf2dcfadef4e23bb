package memory

import (
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// chunk is the part of each array, in bytes, that an operation covers. It is a multiple of every page size in use,
// and Go's memmove treats it as large on amd64.
const chunk = 1 << 20

// timesCache is STREAM's rule for the size of an array, in multiples of the caches.
const timesCache = 4

// arraySize returns the bytes of one array of one lane: a multiple of chunk, or 0 if it depends on unknown caches.
func arraySize(p workload.Params, lanes int, last record.Cache) int64 {
	size := int64(p.Int("size"))
	if size == 0 {
		size = (timesCache*kernel.InUse(last, lanes) + int64(lanes) - 1) / int64(lanes)
	}
	return (size + chunk - 1) / chunk * chunk
}
