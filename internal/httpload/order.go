package httpload

import (
	"fmt"
	"math/rand/v2"
)

// maxWeights bounds the sum of weights, which is the length of the random order.
const maxWeights = 1 << 16

// shuffled returns a random order in which each of n requests occurs as often as its weight; nil weights need none.
func shuffled(weights []int, n int, seed uint64) ([]int32, error) {
	if len(weights) == 0 {
		return nil, nil
	}
	if len(weights) != n {
		return nil, fmt.Errorf("http: %d weights for %d URLs\nhint: give one for each", len(weights), n)
	}
	var order []int32
	for i, w := range weights {
		if w < 1 || w > maxWeights-len(order) {
			return nil, fmt.Errorf("http: a weight of %d\nhint: give whole numbers from 1, at most %d together",
				w, maxWeights)
		}
		for range w {
			order = append(order, int32(i))
		}
	}
	// To a server's caches a shorter cycle would not be a random order.
	for least := len(order); len(order) < 4096; {
		order = append(order, order[:least]...)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order, nil
}

// request returns the next request and advances.
func (l *Lane) request() []byte {
	t := l.target
	if t.order == nil {
		r := t.requests[l.next]
		if l.next++; l.next == len(t.requests) {
			l.next = 0
		}
		return r
	}
	r := t.requests[t.order[l.next]]
	if l.next++; l.next == len(t.order) {
		l.next = 0
	}
	return r
}

// firstRequest returns a lane's first request, so that lanes do not all begin with the same one.
func (t *Target) firstRequest() int {
	return int(t.lanes.Add(1)-1) % max(len(t.requests), len(t.order))
}
