// Package brokerfault kills a broker of a cluster in the measured window and starts it again, and adds a further one.
package brokerfault

import (
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/fault"
)

// Course is what happened to a broker and when: CLOCK_MONOTONIC in ns, 0 for what did not happen.
type Course struct {
	Broker  int
	Killed  int64
	Left    int64 // a partition lacked a replica or its leader
	Started int64 // it listened again
	InSync  int64 // every partition has a leader and all of its replicas in sync again
}

// Events returns the instants of a course.
func (c Course) Events() []record.Event {
	return fault.Ordered(fmt.Sprintf("broker %d", c.Broker),
		record.Event{TimeNs: c.Killed, Name: record.EventBrokerKilled}, record.Event{TimeNs: c.Left,
			Name: record.EventBrokerLeft},
		record.Event{TimeNs: c.Started, Name: record.EventBrokerStarted}, record.Event{TimeNs: c.InSync,
			Name: record.EventBrokerInSync})
}

// Values returns what a fault cost, by the throughput of the window's steps from start on. Without a usual throughput
// before it only the broker's own times are known.
func (c Course) Values(ops []int64, start, step int64) []record.Value {
	if c.Killed == 0 {
		return nil
	}
	out := fault.Cost(record.FaultPrefix, c.Killed, 0, ops, start, step)
	if c.InSync > 0 {
		out = append(out, fault.Until(record.FaultInSync, c.Killed, c.InSync))
	}
	return out
}
