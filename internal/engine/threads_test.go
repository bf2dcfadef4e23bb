package engine

import (
	"runtime"
	"sync"
)

// endThreads ends idle threads of this process, as lanes end theirs: a goroutine
// that never unlocks its thread takes it along.
func endThreads() {
	var all sync.WaitGroup
	gate := make(chan struct{})
	for range 32 {
		all.Go(func() {
			runtime.LockOSThread()
			<-gate
		})
	}
	close(gate)
	all.Wait()
}
