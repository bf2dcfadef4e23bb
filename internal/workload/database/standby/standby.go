// Package standby has a started PostgreSQL server followed by a hot standby during a trial, and tells what that took.
package standby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/serveruse"
)

// Follower is the standby of a server, under watch from Start to Close. A nil one is none.
type Follower struct {
	confirms bool
	running  *workload.Running
	output   *engine.Output
	conn     *pgx.Conn // to the primary, in a database that the load does not use
	meter    *serveruse.Meter
	fail     func() // called once, by the watch, when it does not follow any more

	stop    context.CancelFunc
	stopped chan struct{}

	mu      sync.Mutex
	samples []sample
	err     error // why it does not follow any more
}

// streamsWithin bounds the time from its start until it follows, which takes it as much log as was written during its copy.
const streamsWithin = 5 * time.Minute

// Start makes a standby of a server from a copy, and returns once it follows, and once commits wait for it if it confirms them.
// fail is called, from another goroutine, if it stops to do so before Close.
func Start(ctx context.Context, of *postgres.Instance, in engine.Install, s engine.Settings, confirms bool, fail func()) (f *Follower, err error) {
	f = &Follower{confirms: confirms, output: &engine.Output{}, fail: fail}
	s.Output = f.output
	if f.running, err = workload.StartEngine(ctx, postgres.Standby{Of: of}, in, s); err != nil {
		return nil, err
	}
	if err := f.begin(ctx, of); err != nil {
		return nil, errors.Join(f.withOutput(err), f.Close())
	}
	return f, nil
}

// begin waits until the standby follows, and begins to watch it.
func (f *Follower) begin(ctx context.Context, of *postgres.Instance) (err error) {
	// Samples outlive ctx.
	sampling, stop := context.WithCancel(context.WithoutCancel(ctx))
	f.stop, f.stopped = stop, make(chan struct{})
	f.conn, err = pgx.Connect(ctx, of.DSN("postgres"))
	if err == nil {
		err = f.await(ctx, "state", "streaming", "follows its primary")
	}
	if err == nil && f.confirms {
		err = f.confirm(ctx)
	}
	if err != nil {
		close(f.stopped)
		return err
	}
	f.meter = serveruse.Begin(f.uses)
	go f.run(sampling)
	return nil
}

// confirm has commits wait for the standby.
func (f *Follower) confirm(ctx context.Context) error {
	for _, statement := range []string{"alter system set synchronous_standby_names = '" + postgres.StandbyName + "'", "select pg_reload_conf()"} {
		if _, err := f.conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("have commits wait for the standby: %w", err)
		}
	}
	return f.await(ctx, "sync_state", "sync", "is synchronous")
}

// await waits until a column of the primary's view of the standby has a value.
func (f *Follower) await(ctx context.Context, column, value, says string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, streamsWithin, fmt.Errorf("%v after the standby was started it is not one that %s", streamsWithin, says))
	defer cancel()
	ask := "select coalesce(max(" + column + "), '') from pg_stat_replication where application_name = $1"
	for {
		var is string
		if err := f.conn.QueryRow(ctx, ask, postgres.StandbyName).Scan(&is); err != nil {
			return fmt.Errorf("ask whether the standby %s: %w", says, cmp.Or(context.Cause(ctx), err))
		}
		if is == value {
			return nil
		}
		if err := f.running.Ended("the standby"); err != nil {
			return err
		}
		select {
		case <-time.After(every / 4):
		case <-ctx.Done():
			return fmt.Errorf("%w: its %s is %q", context.Cause(ctx), column, is)
		}
	}
}

// withOutput adds what the standby printed last.
func (f *Follower) withOutput(err error) error {
	return fmt.Errorf("%w%s", err, f.output.Last())
}

// uses returns what is to be metered of it.
func (f *Follower) uses() []serveruse.Server {
	return []serveruse.Server{{Name: postgres.StandbyName, PID: f.PID()}}
}

// PID returns its first process.
func (f *Follower) PID() int { return f.running.Roots()[0] }

// Gone returns a channel that is closed once it has ended.
func (f *Follower) Gone() <-chan struct{} { return f.running.Gone() }

// DSN returns a URL for clients of one of its databases, which may read.
func (f *Follower) DSN(database string) string {
	return f.running.Instance.(*postgres.Instance).DSN(database)
}

// Err returns why it does not follow any more.
func (f *Follower) Err() error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// End ends the watch. It may be called more than once.
func (f *Follower) End() {
	if f == nil || f.stop == nil {
		return
	}
	f.stop()
	<-f.stopped
	f.meter.End()
}

// endWithin bounds the leave from a primary that may have ended.
const endWithin = time.Second

// Close ends the standby. It may be called more than once.
func (f *Follower) Close() error {
	if f == nil {
		return nil
	}
	f.End()
	if f.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), endWithin)
		defer cancel()
		_ = f.conn.Close(ctx) // the primary may have ended first
	}
	return f.running.Close()
}
