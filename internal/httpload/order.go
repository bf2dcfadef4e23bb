package httpload

import (
	"fmt"
	"math/rand/v2"
)

// maxWeights is the largest sum of weights: as many requests stand in the order that is drawn.
const maxWeights = 1 << 16

// shuffled draws an order in which each of n requests stands as often as its weight says; nil weights need none.
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
			return nil, fmt.Errorf("http: a weight of %d\nhint: give whole numbers from 1, %d together at most", w, maxWeights)
		}
		for range w {
			order = append(order, int32(i))
		}
	}
	// A cycle shorter than this would be no random order to a server's caches.
	for least := len(order); len(order) < 4096; {
		order = append(order, order[:least]...)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order, nil
}

// request returns the next request, and counts on.
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

// firstRequest is where a lane begins: lanes do not all ask for the same at once.
func (t *Target) firstRequest() int {
	return int(t.lanes.Add(1)-1) % max(len(t.requests), len(t.order))
}
