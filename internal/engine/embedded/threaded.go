package embedded

import (
	"container/heap"
	"math/rand/v2"
	"time"
)

// threaded is cores with two threads each and one queue, in computed time like queue. Up to as many requests
// as there are cores are served at full speed. Beyond, each adds the share yield of a core, and all that are
// served go on equally fast, as on a machine whose scheduler spreads work over its cores: with both threads of
// every core busy, each request has (1+yield)/2 of a core. From twice the cores on, requests wait, first come
// first served.
//
// As a later request slows down those before it, nobody can be told at arrival when it will be done. But since all
// go on equally fast, they end in the order of progress+work, where progress is what each has been given so far.
type threaded struct {
	mean  float64 // seconds of a core's full speed that a request takes
	cores int
	yield float64 // 0 to 1
	rand  *rand.Rand

	now      float64 // seconds since any zero
	progress float64 // seconds of full speed that a request served since then has been given
	serving  jobs
	waiting  []job // from head on
	head     int
}

// job is one request.
type job struct {
	ends float64 // the progress at which it is done; of one that waits, the work it takes
	done chan float64
}

func newThreaded(mean time.Duration, cores int, yield float64, seed uint64) *threaded {
	return &threaded{mean: mean.Seconds(), cores: cores, yield: yield, rand: services(seed)}
}

// come takes in a request at a time no earlier than those before; done, which has room, is told
// when it leaves, as soon as time has passed so far.
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

// advance lets time pass until now: what ends in between leaves at its own time, and what waits takes its place then.
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

// next is when the next request leaves if none comes; false where there is none.
func (q *threaded) next() (float64, bool) {
	if len(q.serving) == 0 {
		return 0, false
	}
	return q.now + (q.serving[0].ends-q.progress)/q.speed(), true
}

// speed is the share of a core's full speed that each request served has.
func (q *threaded) speed() float64 {
	n := len(q.serving)
	if n <= q.cores {
		return 1
	}
	return (float64(q.cores) + q.yield*float64(n-q.cores)) / float64(n)
}

// jobs is a heap, that which ends first on top.
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
