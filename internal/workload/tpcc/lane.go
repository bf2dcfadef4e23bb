package tpcc

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
)

// lane is one client.
type lane struct {
	client *client
	terminal
	in     input
	counts counts
	first  error // of the failed transactions
	cancel context.CancelFunc
	busy   atomic.Bool
}

// Run implements workload.Lane.
func (l *lane) Run(ctx context.Context, clock *load.Lane) error {
	l.busy.Store(true)
	defer l.busy.Store(false)
	defer context.AfterFunc(ctx, l.cancel)()
	for {
		intended, ok := clock.Take()
		if !ok {
			return nil
		}
		l.draw(&l.in)
		retries, skipped := l.client.retries, l.client.skipped
		sent := clock.Now()
		err := l.client.do(&l.in)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil:
			end := clock.Now()
			clock.DoneAt(intended, sent, end, 1, 0)
			if start, _ := clock.Window(); intended >= start {
				l.note(end-intended, l.client.retries-retries, l.client.skipped-skipped)
			}
		case !refused(err):
			return fmt.Errorf("%s: %w", Name, err)
		default:
			clock.Fail(intended, load.Status)
			if l.first == nil {
				l.first = err
			}
		}
	}
}

// note counts a transaction of the measured time, in ns.
func (l *lane) note(took, retries, skipped int64) {
	_ = l.counts.latency[l.in.kind].RecordValue(min(max(took, 0), longest)) // in range: cannot fail
	l.counts.retries += retries
	l.counts.skipped += skipped
	if l.in.kind == newOrder && l.in.unused {
		l.counts.rollbacks++
	}
}

// refused reports whether the server rejected a transaction while the connection is still usable.
func refused(err error) bool {
	var failed *pgload.Failed
	var lost *lostError
	return errors.As(err, &failed) && !errors.As(err, &lost)
}
