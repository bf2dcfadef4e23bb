package kernel

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"time"

	"plimsoll/internal/client/load"
)

// Work is one lane's operation and its memory.
type Work interface {
	Run(n int) error // does n operations, and allocates nothing of its own
	Verify() error   // checks the output of the operations
	Free() error     // may be called twice
}

// Lane runs its work in batches.
type Lane struct {
	Work  Work
	Batch int     // operations between Take and Done
	Extra float64 // uncounted operations for each counted one
	bytes int64   // throughput bytes of one operation
	owed  float64 // extra operations still to be done
}

// NewLane calibrates the batch: the number of operations that take at least this long. bytes is the throughput of
// one operation.
func NewLane(work Work, bytes int64, atLeast time.Duration) (*Lane, error) {
	batch, err := Calibrate(work.Run, atLeast)
	return &Lane{Work: work, Batch: batch, bytes: bytes}, err
}

// Calibrate returns the number of operations that take at least this long, by the fastest of several rounds, so that
// a disturbance cannot lower it.
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

// Run runs batches until the trial is over.
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

// runExtra runs the extra operations of a batch; a fraction of one carries over to the next batch.
func (l *Lane) runExtra() error {
	l.owed += l.Extra * float64(l.Batch)
	n := int(l.owed)
	l.owed -= float64(n)
	if n == 0 {
		return nil
	}
	return l.Work.Run(n)
}

// Random returns the source of everything that a lane draws from the seed. The same seed, lane and label, of which
// 16 bytes count, give the same bytes on every architecture.
func Random(seed uint64, lane int, label string) *rand.ChaCha8 {
	var s [32]byte
	binary.LittleEndian.PutUint64(s[0:], seed)
	binary.LittleEndian.PutUint64(s[8:], uint64(lane))
	copy(s[16:], label)
	return rand.NewChaCha8(s)
}
