package queue

import "math/rand/v2"

// Threaded is cores with two threads each, and one queue. Up to as many requests as cores, each is served at Rate, in
// requests per second; each further one adds the share Yield of that, and all in service progress equally fast.
type Threaded struct {
	Rate  float64
	Cores int
	Yield float64 // 0 to 1
}

func (s Threaded) threads() int { return 2 * s.Cores }

// total returns the departure rate with n requests in the system.
func (s Threaded) total(n int) float64 {
	n = min(n, s.threads())
	return s.Rate * (float64(min(n, s.Cores)) + s.Yield*float64(max(0, n-s.Cores)))
}

// Capacity returns that of all threads.
func (s Threaded) Capacity() float64 { return s.total(s.threads()) }

// Run simulates events: rates depend on the number of requests, and since service is exponential, any of those in
// service leaves next.
func (s Threaded) Run(r *rand.Rand, load float64, requests int) Run {
	out := newRun(requests)
	now, start, busy := 0.0, 0.0, 0.0
	q := queued{threads: s.threads()}
	for left := -int(warmUp * float64(requests)); left < requests; {
		leave := s.total(q.len())
		step := r.ExpFloat64() / (leave + load)
		now += step
		if left >= 0 {
			busy += step * float64(len(q.serving))
		}
		if r.Float64()*(leave+load) < load {
			q.come(now)
			continue
		}
		came := q.leave(r)
		if left >= 0 {
			out.add(now - came)
		}
		if left++; left == 0 {
			start = now
		}
	}
	out.finish(now-start, busy, s.threads())
	return out
}

// queued holds the arrival times of the requests in a system.
type queued struct {
	threads int
	serving []float64
	waiting []float64 // from head on, in order of arrival
	head    int
}

func (q *queued) len() int { return len(q.serving) + len(q.waiting) - q.head }

func (q *queued) come(now float64) {
	if len(q.serving) < q.threads {
		q.serving = append(q.serving, now)
		return
	}
	if q.head == len(q.waiting) {
		q.waiting, q.head = q.waiting[:0], 0
	}
	q.waiting = append(q.waiting, now)
}

// leave removes one of the requests in service and returns its arrival time; the next waiting request takes its place.
func (q *queued) leave(r *rand.Rand) float64 {
	at, last := r.IntN(len(q.serving)), len(q.serving)-1
	came := q.serving[at]
	if q.head < len(q.waiting) {
		q.serving[at] = q.waiting[q.head]
		q.head++
		return came
	}
	q.serving[at] = q.serving[last]
	q.serving = q.serving[:last]
	return came
}
