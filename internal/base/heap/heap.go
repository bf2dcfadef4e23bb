// Package heap bounds the memory that garbage takes.
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Limit has the collector begin a cycle before this process's memory exceeds limit bytes, as long as that leaves room
// for garbage of 20% of the data in use. With more data the limit grows: the collector would else work without end.
func Limit(limit int64) {
	debug.SetMemoryLimit(atLeast(limit, live()))
	// The sentinel is garbage, so that its cleanup follows the next cycle.
	runtime.AddCleanup(&sentinel{}, Limit, limit)
}

// sentinel has a pointer, so that it shares its memory with nothing.
type sentinel struct{ _ *byte }

// overhead is the memory that the runtime takes besides the heap, in bytes.
const overhead = 64 << 20

// atLeast returns the limit that leaves room for garbage if so many bytes are in use.
func atLeast(limit, used int64) int64 { return max(limit, used+used/5+overhead) }

// live returns the bytes that the last cycle found in use; 0 before the first.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
