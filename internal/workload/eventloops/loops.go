// Package eventloops keeps the event loops of a load over HTTP, and reports their answers in the space that a run's
// line has.
package eventloops

import (
	"context"
	"sync"

	"plimsoll/internal/client/httpload"
	"plimsoll/internal/client/load"
	"plimsoll/internal/workload"
)

// Loops are the event loops of a run. The zero value is ready for use.
type Loops struct {
	mu  sync.Mutex
	all []*lane
}

// lane is an event loop whose run may be over.
type lane struct {
	*httpload.Lane
	over bool
}

func (l *lane) Run(ctx context.Context, clock *load.Lane) error {
	defer func() { l.over = true }()
	return l.Lane.Run(ctx, clock)
}

// Lane takes an event loop, and returns it as a workload's lane.
func (l *Loops) Lane(loop *httpload.Lane) workload.Lane {
	out := &lane{Lane: loop}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, out)
	return out
}

// Stats returns the sum over all finished loops.
func (l *Loops) Stats() httpload.Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	var sum httpload.Stats
	for _, lane := range l.all {
		if lane.over {
			sum.Add(lane.Stats)
		}
	}
	return sum
}

// Spots returns the counts of each request of a mix, of all finished loops together.
func (l *Loops) Spots() []httpload.Spot {
	l.mu.Lock()
	defer l.mu.Unlock()
	var sum []httpload.Spot
	for _, lane := range l.all {
		if lane.over {
			sum = httpload.Join(sum, lane.Spots())
		}
	}
	return sum
}

// Close closes the connections of all finished loops, and forgets all loops.
func (l *Loops) Close() {
	l.mu.Lock()
	all := l.all
	l.all = nil
	l.mu.Unlock()
	for _, lane := range all {
		if lane.over {
			lane.Lane.Close()
		}
	}
}
