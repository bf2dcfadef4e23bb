package site

import (
	"context"
	"errors"
	"sync/atomic"
)

// maxWaiting is how many analyses may wait for the one that runs.
const maxWaiting = 4

// errBusy reports that too many analyses wait already.
var errBusy = errors.New("the server is busy with other reports")

// queue lets one analysis run at a time: a session may be large.
type queue struct {
	turn chan struct{}
	in   atomic.Int32 // running and waiting
}

func newQueue() *queue { return &queue{turn: make(chan struct{}, 1)} }

// do runs f when its turn has come. It returns errBusy, the context's error, or f's.
func (q *queue) do(ctx context.Context, f func() error) error {
	defer q.in.Add(-1)
	if q.in.Add(1) > 1+maxWaiting {
		return errBusy
	}
	select {
	case q.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-q.turn }()
	if err := ctx.Err(); err != nil {
		return err
	}
	return f()
}
