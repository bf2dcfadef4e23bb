package brokerfault

import (
	"context"
	"errors"
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/fault"
)

// Growing is a cluster to which a broker is added.
type Growing interface {
	starter
	// Joined reports whether the cluster lists a broker.
	Joined(ctx context.Context, broker int) (bool, error)
	// Reassign gives a broker its share of the partitions.
	Reassign(ctx context.Context, broker int) error
	// Reassigned reports whether each partition is where Reassign has put it, with all of its replicas in sync.
	Reassigned(context.Context) (bool, error)
	// Bytes returns the size of the replicas that a broker has.
	Bytes(ctx context.Context, broker int) (int64, error)
}

// Addition is a broker that is added in the window.
type Addition struct {
	*fault.Run
	next   *process
	course Added
}

// Added is when a broker was added: CLOCK_MONOTONIC in ns, 0 for what did not happen.
type Added struct {
	Broker     int
	Begun      int64 // its process was let go
	Joined     int64 // its cluster listed it; reassignment began
	Reassigned int64 // it has its partitions, and all replicas are in sync
	Bytes      int64 // that it then had
}

// PrepareAddition makes ready to start a further broker at At's instant. The broker runs until Close.
func PrepareAddition(ctx context.Context, c Growing, broker int) (*Addition, error) {
	next, err := fork(ctx, c, broker, 0)
	if err != nil {
		return nil, err
	}
	a := &Addition{next: next, course: Added{Broker: broker}}
	a.Run = fault.Intend(ctx, func(ctx context.Context) error { return a.do(ctx, c) })
	return a, nil
}

func (a *Addition) do(ctx context.Context, c Growing) error {
	if err := stamp(&a.course.Begun); err != nil {
		return err
	}
	close(a.next.begin)
	listens := false
	joined := func(ctx context.Context) (bool, error) {
		if !listens {
			return false, nil
		}
		return c.Joined(ctx, a.course.Broker)
	}
	err := a.next.await(ctx, phase{joined, "did not start", "is not in its cluster's list %v after it listened"},
		func() error { listens = true; return nil })
	if err == nil {
		err = stamp(&a.course.Joined)
	}
	if err == nil {
		err = c.Reassign(ctx, a.course.Broker)
	}
	if err != nil {
		return err
	}
	a.next.listening <- nil // the time for the reassignment begins
	err = a.next.await(ctx, phase{c.Reassigned, "did not start",
		"was added, and %v later not all partitions are reassigned and in sync"},
		func() error { return nil })
	if err == nil {
		err = stamp(&a.course.Reassigned)
	}
	if err == nil {
		a.course.Bytes, err = c.Bytes(ctx, a.course.Broker)
	}
	return err
}

// Wait returns once the broker has its partitions, or why it has not.
func (a *Addition) Wait(ctx context.Context) error {
	if a == nil {
		return nil
	}
	return a.Run.Wait(ctx)
}

// Course returns what has happened, nothing before it is over.
func (a *Addition) Course() Added {
	if a == nil || !a.Over() {
		return Added{}
	}
	return a.course
}

// Close ends it, and the broker that it started.
func (a *Addition) Close() {
	if a != nil {
		a.next.end()
		a.Run.Close()
		a.next.close()
	}
}

// Events returns the instants of a course.
func (a Added) Events() []record.Event {
	return fault.Ordered(fmt.Sprintf("broker %d", a.Broker),
		record.Event{TimeNs: a.Begun, Name: record.EventBrokerAdded}, record.Event{TimeNs: a.Joined,
			Name: record.EventBrokerJoined},
		record.Event{TimeNs: a.Reassigned, Name: record.EventBrokerReassigned})
}

// Values returns what the addition cost, by the throughput of the window's steps from start on.
func (a Added) Values(ops []int64, start, step int64) []record.Value {
	if a.Begun == 0 {
		return nil
	}
	out := fault.Cost(record.AddPrefix, a.Begun, a.Reassigned, ops, start, step)
	if a.Reassigned > 0 {
		out = append(out, fault.Until(record.AddReassigned, a.Begun, a.Reassigned),
			record.Value{Metric: record.Metric{Name: record.AddMoved, Unit: "B", Better: record.Neutral},
				Value: float64(a.Bytes)})
	}
	return out
}

// AddMetrics returns those of an addition.
func AddMetrics() []record.Metric {
	const with = "with an added broker"
	return append(fault.Metrics(record.AddPrefix, with, "its start"), []record.Metric{
		{Name: record.AddReassigned, Unit: "s", Better: record.Lower,
			Doc: with + ": from its start until it had its share of the partitions, in sync"},
		{Name: record.AddMoved, Unit: "B", Better: record.Neutral,
			Doc: with + ": size of the replicas that it then had"},
	}...)
}

// errNoShare is the error of a cluster whose partitions a further broker does not relieve.
var errNoShare = errors.New("no partition can be given to the added broker")

// Share returns the replicas of each partition once a broker has its share of them: as many as each of the others, as
// far as whole replicas go, of which it leads its part. racks names each broker's; no two replicas of a partition get
// into one rack by it that were in two.
func Share(replicas [][]int32, broker int32, racks func(int32) string) ([][]int32, error) {
	out := make([][]int32, len(replicas))
	total := map[int32]int{}
	leads := map[int32]int{}
	slots := 0
	for i, r := range replicas {
		out[i] = append([]int32(nil), r...)
		slots += len(r)
		for at, b := range r {
			total[b]++
			if at == 0 {
				leads[b]++
			}
		}
	}
	brokers := len(total) + 1
	move := func(n int, of map[int32]int, places func([]int32) []int) {
		for ; n > 0; n-- {
			best, place := -1, 0
			for i, r := range out {
				for _, at := range places(r) {
					if fits(r, at, broker, racks) && (best < 0 || of[r[at]] > of[out[best][place]]) {
						best, place = i, at
					}
				}
			}
			if best < 0 || of[out[best][place]] <= of[broker]+1 {
				return
			}
			from := out[best][place]
			out[best][place] = broker
			total[from]--
			total[broker]++
			if place == 0 {
				leads[from]--
				leads[broker]++
			}
		}
	}
	move(len(replicas)/brokers, leads, func([]int32) []int { return []int{0} })
	move(slots/brokers-total[broker], total, func(r []int32) []int {
		var all []int
		for at := 1; at < len(r); at++ {
			all = append(all, at)
		}
		return all
	})
	if total[broker] == 0 {
		return nil, errNoShare
	}
	return out, nil
}

// fits reports whether a broker can take the place of one of a partition's replicas.
func fits(r []int32, place int, broker int32, racks func(int32) string) bool {
	for at, other := range r {
		if other == broker || at != place && racks(broker) != "" && racks(other) == racks(broker) &&
			racks(r[place]) != racks(broker) {
			return false
		}
	}
	return true
}
