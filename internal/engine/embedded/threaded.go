package embedded

import (
	"container/heap"
	"math/rand/v2"
	"time"
)

// threaded is a queue for cores with two threads each, in computed time like queue. Up to as many requests as there
// are cores are served at full speed. Beyond, each adds the share yield of a core, and all requests in service
// proceed equally fast, as on a machine whose scheduler spreads work over its cores: with both threads of every core
// busy, each request has (1+yield)/2 of a core. From twice the cores on, requests queue, first come first served.
// As a later request slows down earlier ones, completion times are unknown on arrival. But since all proceed equally
// fast, they end in the order of progress+work, where progress is the service received so far.
type threaded struct {
	mean  float64 // of work, seconds at a core's full speed
	cores int
	yield float64 // 0 to 1
	rand  *rand.Rand

	now      float64 // seconds since any zero
	progress float64 // seconds at full speed received by a request in service since then
	serving  jobs
	waiting  []job // from head on
	head     int
}

// job is one request.
type job struct {
	ends float64 // progress at which it is done; while it waits, its work
	done chan float64
}

func newThreaded(mean time.Duration, cores int, yield float64, seed uint64) *threaded {
	return &threaded{mean: mean.Seconds(), cores: cores, yield: yield, rand: services(seed)}
}

// come takes a request at a time no earlier than the previous ones; done, which must be buffered, receives its
// departure time once time has passed that far.
func (q *threaded) come(now float64, done chan float64) {
	q.advance(now)
	j := job{ends: q.rand.ExpFloat64() * q.mean, done: done}
	if len(q.serving) < 2*q.cores {
		q.serve(j)
		return
	}
	q.waiting = append(q.waiting, j)
}

func (q *threaded) serve(j job) {
	j.ends += q.progress
	heap.Push(&q.serving, j)
}

// advance lets time pass until now: requests that end in between leave at their own times, when waiting ones take
// their places.
func (q *threaded) advance(now float64) {
	for {
		at, some := q.next()
		if !some || at > now {
			break
		}
		j := heap.Pop(&q.serving).(job)
		q.now, q.progress = at, j.ends
		j.done <- at
		if q.head < len(q.waiting) {
			q.serve(q.waiting[q.head])
			q.waiting[q.head] = job{}
			if q.head++; q.head == len(q.waiting) {
				q.waiting, q.head = q.waiting[:0], 0
			}
		}
	}
	q.progress += max(0, now-q.now) * q.speed()
	q.now = max(q.now, now)
}

// next returns when the next request leaves if none comes; false if there is none.
func (q *threaded) next() (float64, bool) {
	if len(q.serving) == 0 {
		return 0, false
	}
	return q.now + (q.serving[0].ends-q.progress)/q.speed(), true
}

// speed returns the share of a core's full speed that each request in service has.
func (q *threaded) speed() float64 {
	n := len(q.serving)
	if n <= q.cores {
		return 1
	}
	return (float64(q.cores) + q.yield*float64(n-q.cores)) / float64(n)
}

// jobs is a heap with the first to end on top.
type jobs []job

func (h jobs) Len() int           { return len(h) }
func (h jobs) Less(i, j int) bool { return h[i].ends < h[j].ends }
func (h jobs) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *jobs) Push(x any)        { *h = append(*h, x.(job)) }
func (h *jobs) Pop() any {
	last := len(*h) - 1
	j := (*h)[last]
	(*h)[last] = job{}
	*h = (*h)[:last]
	return j
}
