package embedded

import (
	"math/rand/v2"
	"time"
)

// queue is an M/M/c queue in computed time: each request learns on arrival when it will be done. So a late timer
// delays one answer, but not the requests behind it, and the capacity is exact.
type queue struct {
	mean time.Duration
	free []time.Duration // a heap of the times at which servers become free, since any zero
	rand *rand.Rand
}

// newQueue returns a queue with that many servers, each held by a request for an exponential time of that mean.
func newQueue(mean time.Duration, servers int, seed uint64) *queue {
	return &queue{mean: mean, free: make([]time.Duration, servers), rand: services(seed)}
}

// admit takes a request that arrives now, no earlier than the previous one, and returns when it will be done: the
// first free server serves it.
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

// services returns the source of service times.
func services(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
