package load

import "sync/atomic"

// cacheLines separates data written by different threads. It is two lines of 64 bytes, because x86 fetches them in
// pairs and some Arm cores have lines of 128.
const cacheLines = 128

// arrivals is an open loop's schedule, shared by its lanes: each claims the next intended time by one
// compare-and-swap, so no lane waits for another and no dispatcher is needed.
type arrivals struct {
	_        [cacheLines]byte
	next     atomic.Int64
	_        [cacheLines]byte
	schedule Schedule
}

func newArrivals(s Schedule) *arrivals {
	a := &arrivals{schedule: s}
	a.next.Store(s.First())
	return a
}

// claim returns the next intended time, in nanoseconds from the start of the load. Each time is returned once.
func (a *arrivals) claim() int64 {
	for {
		t := a.next.Load()
		if a.next.CompareAndSwap(t, a.schedule.Next(t)) {
			return t
		}
	}
}
