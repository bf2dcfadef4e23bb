package tpcc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/list"
	"plimsoll/internal/load"
	"plimsoll/internal/pgload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// driver loads a server with the transactions of one trial.
type driver struct {
	*database.Server // provides Cause, Timeline and Events as well
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

// set returns the population's data set.
func (p population) set() database.Set {
	return database.Set{
		Name: Name, Key: p.key(), Bytes: p.bytes(), Fill: p.fill, Cost: p.cost(),
		Check: func(ctx context.Context, dsn string) error { return p.check(ctx, dsn, true) },
	}
}

// Lane connects client i.
func (d *driver) Lane(i int) (workload.Lane, error) {
	ctx, cancel := context.WithCancel(context.Background())
	conn, err := d.Dial(ctx)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	isolation := strings.ReplaceAll(d.params.Text(paramIsolation), "-", " ")
	var c *client
	if err = pgload.Answered(conn, cancel); err == nil {
		c, err = newClient(conn, d.population, d.params.Text(paramStatements) == statementsApart, isolation)
	}
	if err != nil {
		cancel()
		err = fmt.Errorf("%s: %w", Name, errors.Join(err, conn.Close()))
		if failed := new(pgload.Failed); errors.As(err, &failed) && failed.Pooled() {
			err = fmt.Errorf("%w\nhint: %s", err, database.PoolerHint)
		}
		return nil, err
	}
	l := &lane{client: c, terminal: d.terminal(i), counts: newCounts(), cancel: cancel}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lanes = append(d.lanes, l)
	return l, nil
}

// terminal returns the inputs of client i.
func (d *driver) terminal(i int) terminal {
	p := d.population
	t := terminal{skew: skew{constants: runConstants(d.env.Session, loadConstants(p.seed)), population: p},
		random: stream(d.env.Seed, forClient, uint64(i)), deck: newDeck()}
	if d.params.Text(paramSkew) == skewPareto {
		t.power = paretoPower()
	}
	if d.params.Text(paramHome) == homeFixed {
		t.home = home{w: i%p.warehouses + 1, copy: i/p.warehouses%p.copies + 1, d: i/p.warehouses/p.copies%districts + 1}
	}
	return t
}

// Verify returns an error, which voids the trial, if the server ended or the data are no longer consistent. If other
// hosts make the load, the target checks.
func (d *driver) Verify(ctx context.Context) error {
	if d.env.Target != "" {
		return nil
	}
	return verify(ctx, d.Server, d.population)
}

func verify(ctx context.Context, s *database.Server, p population) error {
	if err := s.Verify(ctx); err != nil || s.StandsBy() {
		return err
	}
	if err := p.check(ctx, s.DSN(), false); err != nil {
		return fmt.Errorf("%s: after the load: %w", Name, err)
	}
	return nil
}

// target is a server that other hosts load.
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

// Verify checks the server and the consistency of its data.
func (t target) Verify(ctx context.Context) error { return verify(ctx, t.Server, t.population) }

// Extra implements workload.Extender.
func (d *driver) Extra(r load.Result) []record.Value {
	all := d.counts()
	return append(all.values(r), d.Server.Extra(r)...)
}

// counts returns the sum over all finished lanes.
func (d *driver) counts() counts {
	all := newCounts()
	for _, l := range d.ended() {
		all.add(&l.counts)
	}
	return all
}

// Shared implements workload.Sharer.
func (d *driver) Shared() workload.Shared {
	all := d.counts()
	out := workload.Shared{
		Weights: map[string]float64{
			metricRollbacks: float64(all.of(newOrder)), metricRetries: float64(all.all()),
			metricSkipped: float64(districts * all.of(delivery)),
		},
		Latencies: map[string]*hdrhistogram.Histogram{},
	}
	for k := range kind(kinds) {
		out.Latencies[k.String()] = finer(all.latency[k])
	}
	return out
}

// ended returns the finished lanes.
func (d *driver) ended() []*lane {
	d.mu.Lock()
	defer d.mu.Unlock()
	return list.Filter(d.lanes, func(l *lane) bool { return !l.busy.Load() })
}

// Keys returns the server's versions, and the clients' encryption and authentication.
func (d *driver) Keys() map[string]string {
	keys := d.Server.Keys()
	for _, l := range d.ended() {
		keys[record.KeyPath] = l.client.conn.Path()
	}
	return keys
}

// Doubts returns warnings about departures from the specification, and the first failure.
func (d *driver) Doubts() []string {
	out := d.Server.Doubts()
	p := d.population
	if p.warehouses == 1 {
		out = append(out, "one warehouse: no order line and no payment can be remote")
	}
	if d.params.Text(paramPopulation) != populationSpec {
		out = append(out, "population=small: fewer rows than the specification's")
	}
	if d.params.Text(paramSkew) == skewPareto {
		out = append(out, "skew=pareto: customers and items do not follow the specification's distribution")
	}
	if first := d.First(); first != nil {
		out = append(out, "first failed transaction: "+first.Error())
	}
	return out
}

// First returns the first error of a transaction.
func (d *driver) First() error {
	for _, l := range d.ended() {
		if l.first != nil {
			return l.first
		}
	}
	return nil
}

// Close closes the connections and the server.
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
