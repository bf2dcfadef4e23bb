package tpcc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/base/list"
	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
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
	heated           time.Duration // loaded before the trial

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

// Prepare starts the server, and has it loaded and make a checkpoint before the trial if that is wanted.
func (d *driver) Prepare(ctx context.Context) error {
	if err := d.Server.Prepare(ctx); err != nil {
		return err
	}
	length := time.Duration(d.params.Number(paramHeat) * float64(time.Second))
	if length == 0 || d.params.Text(database.ParamServer) == database.ServerDSN {
		return nil
	}
	if err := d.heat(ctx, length); err != nil {
		return err
	}
	d.heated = length
	return d.Checkpoint(ctx)
}

// heat loads the server by clients and inputs of their own, which leave before the trial's come.
func (d *driver) heat(ctx context.Context, length time.Duration) error {
	lanes := make([]*lane, max(d.env.Lanes, 1))
	defer func() {
		for _, l := range lanes {
			if l != nil {
				_ = l.client.conn.Close()
				l.cancel()
			}
		}
	}()
	for i := range lanes {
		var err error
		if lanes[i], err = d.connect(i, forHeat); err != nil {
			return err
		}
	}
	h := workload.Heating{Name: Name, Clients: len(lanes), Lanes: len(lanes), Seed: d.env.Seed, For: length}
	_, err := workload.Heat(ctx, h, func(i int, clock *load.Lane) error { return lanes[i].Run(ctx, clock) })
	return err
}

// Lane connects client i.
func (d *driver) Lane(i int) (workload.Lane, error) {
	l, err := d.connect(i, forClient)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lanes = append(d.lanes, l)
	return l, nil
}

// connect connects client i, with the inputs of a purpose.
func (d *driver) connect(i int, purpose uint64) (*lane, error) {
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
	return &lane{client: c, terminal: d.terminal(i, purpose), counts: newCounts(), cancel: cancel}, nil
}

// terminal returns the inputs of client i for a purpose.
func (d *driver) terminal(i int, purpose uint64) terminal {
	p := d.population
	t := terminal{skew: skew{constants: runConstants(d.env.Session, loadConstants(p.seed)), population: p},
		random: stream(d.env.Seed, purpose, uint64(i)), deck: newDeck()}
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
	if d.heated > 0 {
		keys[workload.KeyHeat] = record.FormatDuration(d.heated.Seconds())
	}
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
