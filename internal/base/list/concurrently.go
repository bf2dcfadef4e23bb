package list

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Concurrently is Map on all CPUs, for an f that takes long: it may be called for several items at once.
func Concurrently[T, R any](items []T, f func(T) R) []R {
	return AtOnce(runtime.GOMAXPROCS(0), items, f)
}

// AtOnce is Map for an f that waits for others: it is called for n items at once.
func AtOnce[T, R any](n int, items []T, f func(T) R) []R {
	out := make([]R, len(items))
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(n, len(items)) {
		running.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(items)); i = next.Add(1) - 1 {
				out[i] = f(items[i])
			}
		})
	}
	running.Wait()
	return out
}
