package pgbench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"plimsoll/internal/load"
	"plimsoll/internal/pgload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// driver has a server whose database its lanes load.
type driver struct {
	*database.Server // also what it tells of a trial: Cause, Timeline, Events
	env              workload.Env
	params           workload.Params
	program          *program
	scale            int64
	ctx              context.Context // ends with the driver: a connection outlives the call that makes it
	stop             context.CancelFunc

	mu    sync.Mutex
	lanes []*lane
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	program, err := programOf(p)
	if err != nil {
		return nil, err
	}
	server, err := database.New(env, p, setOf(p))
	if err != nil {
		return nil, err
	}
	d := &driver{Server: server, env: env, params: p, program: program, scale: int64(p.Int(paramScale))}
	d.ctx, d.stop = context.WithCancel(context.Background())
	return d, nil
}

// Lane connects client i.
func (d *driver) Lane(i int) (workload.Lane, error) {
	conn, err := pgload.Dial(d.ctx, d.DSN())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	l := newLane(d, i, conn)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lanes = append(d.lanes, l)
	return l, nil
}

// tally is what all lanes that are over have counted.
func (d *driver) tally() *tally {
	d.mu.Lock()
	defer d.mu.Unlock()
	sum := newTally(d.program)
	for _, l := range d.lanes {
		if l.over.Load() {
			sum.add(l.tally)
		}
	}
	return sum
}

// Verify tells a server that ended, and scripts of pgbench's own that did not do what they do.
func (d *driver) Verify(ctx context.Context) error {
	if err := d.Server.Verify(ctx); err != nil {
		return err
	}
	t := d.tally()
	if t.odd > 0 {
		return fmt.Errorf("%s: %d statements touched no row, or more than one", Name, t.odd)
	}
	if !d.program.tpcb {
		return nil
	}
	committed := t.committed
	if d.env.Target != "" {
		committed = -1 // other generators may load it too
	}
	if err := sumsAgree(ctx, d.DSN(), committed); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}

// Close ends all connections and the server.
func (d *driver) Close() error {
	d.stop()
	d.mu.Lock()
	lanes := d.lanes
	d.lanes = nil
	d.mu.Unlock()
	var errs []error
	for _, l := range lanes {
		if !l.running.Load() { // else its thread may be within a system call: its descriptor ends with the process
			errs = append(errs, l.conn.Close())
		}
	}
	return errors.Join(append(errs, d.Server.Close())...)
}

// Keys are the server's versions and how its clients talk.
func (d *driver) Keys() map[string]string {
	keys := map[string]string{}
	d.mu.Lock()
	for _, l := range d.lanes {
		keys[record.KeyPath] = l.conn.Path()
	}
	d.mu.Unlock()
	maps.Copy(keys, d.Server.Keys())
	return keys
}

// Extra states what pgbench reports beside transactions a second and their latency.
func (d *driver) Extra(r load.Result) []record.Value {
	return append(d.tally().values(), d.Server.Extra(r)...)
}

// First is the first error of SQL.
func (d *driver) First() error {
	first := d.tally().first
	var refused *pgload.Failed
	if errors.As(first, &refused) && refused.Code == undefinedTable {
		return fmt.Errorf("%w\nhint: each trial makes a database of its own, with pgbench's tables; what another one holds is not there", first)
	}
	return first
}

// undefinedTable is the SQLSTATE of a relation that is not there.
const undefinedTable = "42P01"

// Doubts says what was odd.
func (d *driver) Doubts() []string {
	t := d.tally()
	out := append(d.Server.Doubts(), d.WatchDoubts()...)
	if clients := int64(d.env.Lanes); d.program.tpcb && clients > d.scale {
		out = append(out, fmt.Sprintf("contention on branches: %d clients, and a scale of %d: more clients than rows of pgbench_branches wait for each other, and that is what is measured", clients, d.scale))
	}
	if t.first != nil {
		out = append(out, fmt.Sprintf("the first of %d transactions that failed: %v", t.failed, t.first))
	}
	if given := t.givenUp(); given > 0 {
		out = append(out, fmt.Sprintf("%d transactions were given up after %d tries, which are in no latency: %d could not be serialized, %d were victims of deadlocks",
			given, d.params.Int(paramTries), t.serialization, t.deadlocks))
	}
	return append(out, t.left()...)
}
