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
	"plimsoll/internal/workload/fault"
)

// Follower is the standby of a server as that sees it, under watch from Start or Admit to Close. A nil one is none.
type Follower struct {
	*Copy    // nil: it is on another host
	of       *postgres.Instance
	confirms bool
	conn     *pgx.Conn // to the primary, in a database that the load does not use
	fail     func()    // called once, by the watch, when it does not follow any more

	stop    context.CancelFunc
	stopped chan struct{}

	mu      sync.Mutex
	samples []sample
	err     error // why it does not follow any more
}

// who a standby is in messages.
const who = "the standby"

// The bounds of the time until a standby follows.
const (
	streamsWithin = 5 * time.Minute // from its start: it takes that as much log as was written during its copy
	arrivesWithin = 2 * time.Minute // until one on another host has connected for the first time
	copiesWithin  = 2 * time.Hour   // more for one on another host, which copies the data meanwhile
)

// Start makes a standby of a server on its host, and returns once it follows, and once commits wait for it if it
// confirms them. fail is called, from another goroutine, if it stops to do so before Close.
func Start(ctx context.Context, of *postgres.Instance, in engine.Install, s engine.Settings, confirms bool,
	fail func()) (*Follower, error) {
	c, err := StartCopy(ctx, of.Primary(), in, s)
	if err != nil {
		return nil, err
	}
	f := &Follower{Copy: c, of: of, confirms: confirms, fail: fail}
	if err = f.connect(ctx); err == nil {
		err = f.begin(ctx)
	}
	if err != nil {
		return nil, errors.Join(f.withOutput(err), f.Close())
	}
	return f, nil
}

// Admit is Start for a standby that another host starts, once it is let in, at that place.
func Admit(ctx context.Context, of *postgres.Instance, at postgres.Place, confirms bool, fail func()) (*Follower,
	error) {
	f := &Follower{of: of, confirms: confirms, fail: fail}
	err := f.connect(ctx)
	if err == nil {
		_, err = f.conn.Exec(ctx, "create role "+postgres.StandbyRole+" login replication password '"+at.Verifier+"'")
	}
	if err == nil {
		err = f.arrives(ctx)
	}
	if err == nil {
		err = f.begin(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the standby at %s: %w", at.Address, err), f.Close())
	}
	return f, nil
}

// arrives waits until the standby's host has connected.
func (f *Follower) arrives(ctx context.Context) error {
	late := fmt.Errorf("its host has not connected to %s within %v\nhint: does a firewall stand between? Both have to "+
		"reach each other at their "+
		"addresses", f.of.Addrs()[0], arrivesWithin)
	ctx, cancel := context.WithTimeoutCause(ctx, arrivesWithin, late)
	defer cancel()
	for {
		var there bool
		err := f.conn.QueryRow(ctx, "select exists (select from pg_stat_activity where usename = $1)", postgres.StandbyRole).
			Scan(&there)
		if err == nil && !there {
			err = fault.Sleep(ctx, askingIn/2)
		}
		if there || err != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
	}
}

func (f *Follower) connect(ctx context.Context) (err error) {
	f.conn, err = pgx.Connect(ctx, f.of.DSN("postgres"))
	return err
}

// begin waits until the standby follows, and begins to watch it.
func (f *Follower) begin(ctx context.Context) (err error) {
	within := streamsWithin
	if f.Copy == nil {
		within += copiesWithin
	}
	err = f.await(ctx, "state", "streaming", "follows its primary", within)
	if err == nil && f.confirms {
		err = f.confirm(ctx)
	}
	if err != nil {
		return err
	}
	// Samples outlive ctx.
	sampling, stop := context.WithCancel(context.WithoutCancel(ctx))
	f.stop, f.stopped = stop, make(chan struct{})
	go f.run(sampling)
	return nil
}

// confirm has commits wait for the standby.
func (f *Follower) confirm(ctx context.Context) error {
	for _, statement := range []string{"alter system set synchronous_standby_names = '" + postgres.StandbyName + "'",
		"select pg_reload_conf()"} {
		if _, err := f.conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("have commits wait for the standby: %w", err)
		}
	}
	return f.await(ctx, "sync_state", "sync", "is synchronous", streamsWithin)
}

// await waits until a column of the primary's view of the standby has a value.
func (f *Follower) await(ctx context.Context, column, value, says string, within time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, within,
		fmt.Errorf("%v after the standby was started it is not one that %s", within, says))
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
		if err := f.Ended(who); err != nil {
			return err
		}
		if fault.Sleep(ctx, every/4) != nil {
			return fmt.Errorf("%w: its %s is %q", context.Cause(ctx), column, is)
		}
	}
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
	if f == nil {
		return
	}
	if f.stop != nil {
		f.stop()
		<-f.stopped
	}
	f.Copy.End()
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
	return f.Copy.Close()
}
