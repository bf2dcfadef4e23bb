package kernel

import (
	"context"
	"math"
	"time"

	"plimsoll/internal/load"
)

// Work is one lane's work and its memory.
type Work interface {
	Run(n int) error // does n operations, and allocates nothing of its own
	Verify() error   // says what is wrong with what the operations left behind
	Free() error     // may be called twice
}

// Lane does its work in batches.
type Lane struct {
	Work  Work
	Batch int     // operations between Take and Done
	Extra float64 // operations that are done beside each one and do not count
	bytes int64   // of one operation
	owed  float64 // extra operations that are still to be done
}

// NewLane measures the batch: as many operations as take at least this long.
// An operation counts for these bytes.
func NewLane(work Work, bytes int64, atLeast time.Duration) (*Lane, error) {
	batch, err := Calibrate(work.Run, atLeast)
	return &Lane{Work: work, Batch: batch, bytes: bytes}, err
}

// Calibrate says how many operations take at least this long, by the fastest
// of several rounds, so that a disturbance cannot make them fewer.
func Calibrate(run func(n int) error, atLeast time.Duration) (int, error) {
	fastest := time.Duration(math.MaxInt64)
	for n, rounds := 1, 0; rounds < 5; {
		start := time.Now()
		if err := run(n); err != nil {
			return 0, err
		}
		took := time.Since(start)
		if took < atLeast {
			n *= 2
			continue
		}
		rounds++
		fastest = min(fastest, max(1, took/time.Duration(n)))
	}
	return int((atLeast + fastest - 1) / fastest), nil
}

// Run does batches of operations until the trial is over.
func (l *Lane) Run(ctx context.Context, g *load.Lane) error {
	n, bytes := int64(l.Batch), int64(l.Batch)*l.bytes
	for ctx.Err() == nil {
		at, ok := g.Take()
		if !ok {
			return nil
		}
		if err := l.Work.Run(l.Batch); err != nil {
			return err
		}
		if err := l.runExtra(); err != nil {
			return err
		}
		g.Done(at, at, n, bytes)
	}
	return ctx.Err()
}

// runExtra does what a batch brings of extra operations; a fraction of one waits
// for the next batch.
func (l *Lane) runExtra() error {
	l.owed += l.Extra * float64(l.Batch)
	n := int(l.owed)
	l.owed -= float64(n)
	if n == 0 {
		return nil
	}
	return l.Work.Run(n)
}
