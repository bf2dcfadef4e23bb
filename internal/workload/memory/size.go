package memory

import (
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// chunk is what an operation does of each array, in bytes. It is a multiple of
// every page size in use, and what Go's memmove takes for large on amd64.
const chunk = 1 << 20

// timesCache is STREAM's rule: an array should be so many times the caches.
const timesCache = 4

// arraySize is the bytes of one array of one lane: a multiple of chunk, 0 where
// it follows from caches that are unknown.
func arraySize(p workload.Params, lanes int, last record.Cache) int64 {
	size := int64(p.Int("size"))
	if size == 0 {
		size = (timesCache*kernel.InUse(last, lanes) + int64(lanes) - 1) / int64(lanes)
	}
	return (size + chunk - 1) / chunk * chunk
}
