// Package load is the core of the load generator: it decides when each operation is due, hands the operations to
// lanes, and records their latencies. It knows no workload.
// A Generator drives one workload at one load through its lanes. A Lane belongs to one goroutine, best one that is
// locked to its thread, whose hot loop is
//
//	for {
//		intended, ok := lane.Take()
//		if !ok {
//			return nil
//		}
//		sent := lane.Now() // or intended, in a closed loop
//		... the operation ...
//		lane.Done(intended, sent, 1, bytes)
//	}
//
// Latency is always completion minus intended start. In an open loop the intended start comes from a schedule that
// no answer can delay, so a server that stalls is charged for every request that should have been made meanwhile
// (coordinated omission cannot happen). All times are CLOCK_MONOTONIC nanoseconds. Take, Due, Done and Fail allocate
// nothing.
package load
