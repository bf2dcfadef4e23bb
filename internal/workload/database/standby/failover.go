package standby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/host/cputime"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/fault"
)

// Failover is the kill of a standby's primary in the window, after which the standby is promoted. A nil one is none.
type Failover struct {
	*fault.Run
	follower *Follower
	primary  *workload.Running
	share    float64   // of the window
	conn     *pgx.Conn // to the standby, made before the window
	killed   atomic.Bool
	settled  chan struct{} // closed once the standby takes writes, or never will: err
	err      error
	course   course
}

// course is when what happened: CLOCK_MONOTONIC in ns, 0 for what did not.
type course struct{ killed, promoted int64 }

// Intend makes ready to kill the primary in the window that Begin names, after a share of it.
func (f *Follower) Intend(ctx context.Context, primary *workload.Running, share float64) (*Failover, error) {
	connecting, cancel := context.WithTimeout(ctx, arrivesWithin)
	defer cancel()
	conn, err := pgx.Connect(connecting, f.DSN("postgres"))
	if err != nil {
		return nil,
			fmt.Errorf("prepare to promote the standby: %w\nhint: does a firewall stand between its host and this one?", err)
	}
	o := &Failover{follower: f, primary: primary, share: share, conn: conn, settled: make(chan struct{})}
	o.Run = fault.Intend(ctx, func(ctx context.Context) error {
		defer close(o.settled)
		if o.err = o.do(ctx); o.err != nil {
			o.err = fmt.Errorf("the failover: %w", o.err)
		}
		return o.err
	})
	return o, nil
}

// Begin names the window: CLOCK_MONOTONIC, ns.
func (o *Failover) Begin(from, to int64) { o.At(from + int64(o.share*float64(to-from))) }

// promotesWithin bounds the standby's promotion, which replays what it has of the log.
const promotesWithin = 90 * time.Second

func (o *Failover) do(ctx context.Context) error {
	if err := o.primary.Ended("the server"); err != nil { // by itself, earlier
		return err
	}
	// Before its clients see that it is gone.
	o.killed.Store(true)
	if err := stamp(&o.course.killed); err != nil {
		return err
	}
	if err := o.primary.Instance.(*postgres.Instance).Kill(ctx); err != nil {
		return err
	}
	return o.promote(ctx)
}

// promote has the standby take writes. It is asked again and again: a request that comes before it has seen its
// primary's end lets it try for five seconds to find that again.
func (o *Failover) promote(ctx context.Context) error {
	late := o.follower.withOutput(fmt.Errorf("the standby took no writes within %v of being promoted", promotesWithin))
	ctx, cancel := context.WithTimeoutCause(ctx, promotesWithin, late)
	defer cancel()
	asked := time.Now().Add(-askingAgain)
	for {
		var recovers bool
		if err := o.conn.QueryRow(ctx, "select pg_is_in_recovery()").Scan(&recovers); err != nil {
			return fmt.Errorf("ask whether the standby is promoted: %w", cmp.Or(context.Cause(ctx), err))
		}
		switch {
		case !recovers:
			return stamp(&o.course.promoted)
		case time.Since(asked) >= askingAgain:
			asked = time.Now()
			_, err := o.conn.Exec(ctx, "select pg_promote(false)")
			if refused := (*pgconn.PgError)(nil); err != nil && !(errors.As(err, &refused) && refused.Code == notInRecovery) {
				return fmt.Errorf("promote the standby: %w", cmp.Or(context.Cause(ctx), err))
			}
		}
		if err := fault.Sleep(ctx, looking); err != nil {
			return err
		}
	}
}

// stamp sets an instant to now.
func stamp(at *int64) (err error) {
	*at, err = cputime.Monotonic()
	return err
}

// notInRecovery is the SQLSTATE of a promotion that is over.
const notInRecovery = "55000"

// askingAgain is the interval in which a standby is asked to be one no more.
const askingAgain = 100 * time.Millisecond

// looking is the interval in which a promotion is looked at.
const looking = 10 * time.Millisecond

// Killed reports whether the primary was killed, or is about to be.
func (o *Failover) Killed() bool { return o != nil && o.killed.Load() }

// Await returns once the standby takes writes, or why it does not.
func (o *Failover) Await(ctx context.Context) error {
	select {
	case <-o.settled:
		return o.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Promoted reports whether the standby takes writes.
func (o *Failover) Promoted() bool {
	if o == nil {
		return false
	}
	select {
	case <-o.settled:
		return o.err == nil
	default:
		return false
	}
}

// Wait returns once the standby takes writes, and still runs.
func (o *Failover) Wait(ctx context.Context) error {
	if o == nil {
		return nil
	}
	if err := o.Run.Wait(ctx); err != nil {
		return err
	}
	return o.follower.Ended("the promoted standby")
}

// Close ends it. It may be called again.
func (o *Failover) Close() {
	if o == nil {
		return
	}
	o.Run.Close()
	ctx, cancel := context.WithTimeout(context.Background(), endWithin)
	defer cancel()
	_ = o.conn.Close(ctx) // the standby may have ended first
}

// server is the detail of the events: what was killed.
const server = "the server"

// Events returns what happened.
func (o *Failover) Events() []record.Event {
	if !o.over() {
		return nil
	}
	return fault.Ordered(server, record.Event{TimeNs: o.course.killed, Name: record.EventServerKilled},
		record.Event{TimeNs: o.course.promoted, Name: record.EventStandbyPromoted})
}

// Before returns the part of a load during which the primary was there, in whole steps: all of it if it was not killed.
func (o *Failover) Before(r load.Result) load.Result {
	if !o.over() || o.course.killed == 0 || r.Windows.StepNs == 0 {
		return r
	}
	n := min(max(0, (o.course.killed-r.Start)/r.Windows.StepNs), int64(len(r.Windows.Ops)))
	r.End, r.Ops = r.Start+n*r.Windows.StepNs, 0
	for _, ops := range r.Windows.Ops[:n] {
		r.Ops += ops
	}
	return r
}

// Values returns what it cost.
func (o *Failover) Values(r load.Result) []record.Value {
	if !o.over() || o.course.killed == 0 {
		return nil
	}
	out := fault.Cost(record.FaultPrefix, o.course.killed, 0, r.Windows.Ops, r.Start, r.Windows.StepNs)
	if o.course.promoted > 0 {
		out = append(out, fault.Until(record.FaultPromoted, o.course.killed, o.course.promoted))
	}
	return out
}

func (o *Failover) over() bool { return o != nil && o.Over() }
