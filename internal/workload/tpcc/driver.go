package tpcc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"plimsoll/internal/load"
	"plimsoll/internal/pgload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// driver loads a server with the transactions of one trial.
type driver struct {
	*database.Server // also what it tells of a trial: Cause, Timeline, Events
	env              workload.Env
	params           workload.Params
	population       population

	mu    sync.Mutex
	lanes []*lane
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	d := &driver{env: env, params: p, population: populationIn(p)}
	var err error
	d.Server, err = database.New(env, p, d.population.set())
	return d, err
}

// set is the data that the population stands for.
func (p population) set() database.Set {
	return database.Set{
		Name: Name, Key: p.key(), Bytes: p.bytes(), Fill: p.fill,
		Check: func(ctx context.Context, dsn string) error { return p.check(ctx, dsn, true) },
	}
}

// Lane is as workload.Driver has it.
func (d *driver) Lane(i int) (workload.Lane, error) {
	ctx, cancel := context.WithCancel(context.Background())
	conn, err := pgload.Dial(ctx, d.DSN())
	if err != nil {
		cancel()
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	isolation := strings.ReplaceAll(d.params.Text(paramIsolation), "-", " ")
	c, err := newClient(conn, d.population, d.params.Text(paramStatements) == statementsApart, isolation)
	if err != nil {
		cancel()
		return nil, errors.Join(fmt.Errorf("%s: %w", Name, err), conn.Close())
	}
	l := &lane{client: c, terminal: d.terminal(i), counts: newCounts(), cancel: cancel}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lanes = append(d.lanes, l)
	return l, nil
}

// terminal is whose inputs client i enters.
func (d *driver) terminal(i int) terminal {
	p := d.population
	t := terminal{skew: skew{constants: runConstants(d.env.Session, loadConstants(p.seed)), population: p}, random: stream(d.env.Seed, forClient, uint64(i)), deck: newDeck()}
	if d.params.Text(paramSkew) == skewPareto {
		t.power = paretoPower()
	}
	if d.params.Text(paramHome) == homeFixed {
		t.home = home{w: i%p.warehouses + 1, copy: i/p.warehouses%p.copies + 1, d: i/p.warehouses/p.copies%districts + 1}
	}
	return t
}

// Verify is as workload.Driver has it: a server that ended, or data that are no longer consistent, void the trial. Where other hosts
// make the load, the target looks.
func (d *driver) Verify(ctx context.Context) error {
	if d.env.Target != "" {
		return nil
	}
	return verify(ctx, d.Server, d.population)
}

func verify(ctx context.Context, s *database.Server, p population) error {
	if err := s.Verify(ctx); err != nil {
		return err
	}
	if err := p.check(ctx, s.DSN(), false); err != nil {
		return fmt.Errorf("%s: after the load: %w", Name, err)
	}
	return nil
}

// target is the server that other hosts load.
type target struct {
	*database.Server
	population population
}

func newServer(env workload.Env, p workload.Params) (workload.Server, error) {
	t := target{population: populationIn(p)}
	var err error
	t.Server, err = database.NewServer(env, p, t.population.set())
	return t, err
}

// Verify is as workload.Server has it.
func (t target) Verify(ctx context.Context) error { return verify(ctx, t.Server, t.population) }

// Extra is as workload.Extender has it.
func (d *driver) Extra(r load.Result) []record.Value {
	all := newCounts()
	for _, l := range d.ended() {
		all.add(&l.counts)
	}
	return append(all.values(r), d.Server.Extra(r)...)
}

// ended are the lanes that are over.
func (d *driver) ended() []*lane {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*lane
	for _, l := range d.lanes {
		if !l.busy.Load() {
			out = append(out, l)
		}
	}
	return out
}

// Keys are the server's versions, and how the clients speak to it.
func (d *driver) Keys() map[string]string {
	keys := d.Server.Keys()
	for _, l := range d.ended() {
		keys[record.KeyPath] = l.client.conn.Path()
	}
	return keys
}

// Doubts says what is not as the specification has it, and what failed.
func (d *driver) Doubts() []string {
	out := append(d.Server.Doubts(), d.WatchDoubts()...)
	p := d.population
	if p.warehouses == 1 {
		out = append(out, "one warehouse: no line of an order and no payment can be remote")
	}
	if d.params.Text(paramPopulation) != populationSpec {
		out = append(out, "population=small: fewer rows than the specification's")
	}
	if d.params.Text(paramSkew) == skewPareto {
		out = append(out, "skew=pareto: customers and items are not drawn as the specification says")
	}
	if first := d.First(); first != nil {
		out = append(out, "the first transaction that failed: "+first.Error())
	}
	return out
}

// First is the first error of a transaction.
func (d *driver) First() error {
	for _, l := range d.ended() {
		if l.first != nil {
			return l.first
		}
	}
	return nil
}

// Close is as workload.Driver has it.
func (d *driver) Close() error {
	for _, l := range d.ended() {
		_ = l.client.conn.Close()
	}
	d.mu.Lock()
	for _, l := range d.lanes {
		l.cancel()
	}
	d.lanes = nil
	d.mu.Unlock()
	return d.Server.Close()
}
