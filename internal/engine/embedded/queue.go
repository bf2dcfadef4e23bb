package embedded

import (
	"math/rand/v2"
	"time"
)

// queue is the M/M/c queue in time that is computed, not waited for: each
// request is told at its arrival when it will be done. So a timer that rings late
// delays an answer, and not the requests behind it, and the capacity is exact.
type queue struct {
	mean time.Duration
	free []time.Duration // a heap of when each server will be free, since any zero
	rand *rand.Rand
}

// newQueue makes a queue with that many servers, each held for an exponential time
// of that mean by a request.
func newQueue(mean time.Duration, servers int, seed uint64) *queue {
	return &queue{mean: mean, free: make([]time.Duration, servers), rand: services(seed)}
}

// admit takes in a request that arrives now, no earlier than the one before, and
// returns when it will be done: the server that is free first serves it.
func (q *queue) admit(now time.Duration) time.Duration {
	done := max(now, q.free[0]) + time.Duration(q.rand.ExpFloat64()*float64(q.mean))
	q.free[0] = done
	q.sink()
	return done
}

// sink restores the heap after its root has grown.
func (q *queue) sink() {
	for i := 0; ; {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(q.free) && q.free[child] < q.free[least] {
				least = child
			}
		}
		if least == i {
			return
		}
		q.free[i], q.free[least] = q.free[least], q.free[i]
		i = least
	}
}

// services is the source of service times.
func services(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
