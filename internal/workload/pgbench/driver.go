package pgbench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// driver runs a server and the lanes that load its database.
type driver struct {
	*database.Server // provides Cause, Timeline and Events as well
	env              workload.Env
	params           workload.Params
	program          *program
	scale            int64
	ctx              context.Context // ends with the driver: a connection outlives the call that makes it
	stop             context.CancelFunc

	mu    sync.Mutex
	lanes []*lane
	// Connections to the server, those of a pool included, and to its replica.
	conns, readers []*pgload.Conn
	shared         chan *session // nil: each client has its own
	promoted       bool          // the replica is none
	closed         bool
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
	l := newLane(d, i)
	if err := d.connect(l); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lanes = append(d.lanes, l)
	return l, nil
}

// connect gives a client its connections.
func (d *driver) connect(l *lane) (err error) {
	if l.pool, err = d.pool(); err != nil || l.pool != nil {
		return err
	}
	conn, err := d.Dial(d.ctx)
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.conns = append(d.conns, conn)
	d.mu.Unlock()
	l.own = newSession(d.program, conn)
	l.reader, err = d.replica()
	return err
}

// closeAll ends all connections, once; d.mu is held.
func (d *driver) closeAll() error {
	if d.closed {
		return nil
	}
	d.closed = true
	var errs []error
	for _, conn := range slices.Concat(d.conns, d.readers) {
		errs = append(errs, conn.Close())
	}
	return errors.Join(errs...)
}

// tally returns the sum over all finished lanes.
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

// Verify detects a server that ended, and built-in scripts whose statements had the wrong effect.
func (d *driver) Verify(ctx context.Context) error {
	if err := d.Server.Verify(ctx); err != nil {
		return err
	}
	t := d.tally()
	if t.odd > 0 {
		return fmt.Errorf("%s: %d statements touched no row, or more than one", Name, t.odd)
	}
	if !d.program.tpcb || d.params.Text(paramSchema) == schemaOwn { // which may have had other sums before
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

// leave closes all connections, unless a client still runs, and tells the server how many transactions they ended. The
// measurement is over: an error of closing them says nothing about it.
func (d *driver) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	ended := int64(0)
	for _, l := range d.lanes {
		if l.running.Load() {
			return
		}
	}
	for _, conn := range d.conns {
		ended += conn.Ended()
	}
	_ = d.closeAll()
	d.Left(ended)
}

// Close ends all connections and the server.
func (d *driver) Close() error {
	d.stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	running := slices.ContainsFunc(d.lanes, func(l *lane) bool { return l.running.Load() })
	d.lanes = nil
	if running { // a thread may be in a system call: its descriptor ends with the process
		return d.Server.Close()
	}
	return errors.Join(d.closeAll(), d.Server.Close())
}

// Keys returns the server's versions and the clients' encryption and authentication.
func (d *driver) Keys() map[string]string {
	keys := map[string]string{}
	d.mu.Lock()
	for _, conn := range d.conns {
		keys[record.KeyPath] = conn.Path()
	}
	d.mu.Unlock()
	maps.Copy(keys, d.Server.Keys())
	return keys
}

// Extra returns pgbench's values beside throughput and latency.
func (d *driver) Extra(r load.Result) []record.Value {
	d.leave()
	t := d.tally()
	values, _ := t.values()
	return slices.Concat(t.serverValues(r), values, d.Server.Extra(r))
}

// Shared implements workload.Sharer.
func (d *driver) Shared() workload.Shared {
	t := d.tally()
	_, weights := t.values()
	return workload.Shared{Weights: weights, Latencies: t.latencies()}
}

// First returns the first SQL error.
func (d *driver) First() error {
	first := d.tally().first
	var refused *pgload.Failed
	if !errors.As(first, &refused) {
		return first
	}
	own := d.params.Text(paramSchema) == schemaOwn
	switch {
	case refused.Pooled():
		return fmt.Errorf("%w\nhint: %s; --set %s.%s=%s or %s needs neither", first, database.PoolerHint, Name, paramProtocol,
			protocolSimple, protocolExtended)
	case own && slices.Contains(missing(), refused.Code):
		return fmt.Errorf("%w\nhint: %s", first, missingHint(refused.Code, d.params.Text(paramInit)))
	case !own && refused.Code == undefinedTable:
		return fmt.Errorf("%w\nhint: each run makes its own database with pgbench's tables; --%s %s with --dsn "+
			"runs on your own", first, paramSchema, schemaOwn)
	}
	return first
}

// undefinedTable is the SQLSTATE of a missing relation.
const undefinedTable = "42P01"

// contention returns a warning if the clients of a load outnumber the rows that each transaction updates one of.
func contention(program *program, clients int, p workload.Params) []string {
	scale := p.Int(paramScale)
	if !program.tpcb || clients <= scale {
		return nil
	}
	return []string{fmt.Sprintf("contention on branches: %d clients at a scale of %d: clients outnumber the "+
		"rows of pgbench_branches, so the result mostly measures lock waits", clients, scale)}
}

// Doubts returns warnings about the trial.
func (d *driver) Doubts() []string {
	t := d.tally()
	out := d.Server.Doubts()
	if d.env.Target == "" {
		out = append(out, contention(d.program, d.env.Lanes, d.params)...)
	}
	if d.promoted {
		out = append(out, "the server of "+paramReplica+" is not in recovery: it is no replica")
	}
	if t.first != nil {
		out = append(out, fmt.Sprintf("first of %d failed transactions: %v", t.failed, t.first))
	}
	if given := t.givenUp(); given > 0 {
		out = append(out, fmt.Sprintf("%d transactions were given up after %d tries and are in no latency: %d "+
			"serialization failures, %d deadlocks",
			given, d.params.Int(paramTries), t.serialization, t.deadlocks))
	}
	return append(out, t.left()...)
}
