package queue

import "math/rand/v2"

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
