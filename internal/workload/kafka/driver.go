package kafka

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/base/list"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kafka/brokerfault"
)

// driver produces to a broker, reads from it, or both: its own, one on the target, or an external one.
type driver struct {
	env     workload.Env
	params  workload.Params
	clients int
	server  *server // nil if the broker is external
	address address
	keys    []key
	topic   *topic
	lanes   []*lane // producers
	heated  time.Duration
	warming workload.Warming // of the JIT warm-up
	batches batches

	consumers []*consumer
	readers   []*readLane // consumers of the filled log
	filled    *filled     // the log that they read

	following     sync.WaitGroup // consumers of the lanes' records
	stopFollowing context.CancelFunc
	fault         atomic.Pointer[error] // why one of them ended

	faults    brokerfault.Runs
	spoken    atomic.Pointer[string] // the negotiated TLS version and cipher suite
	uneven    []string               // how unevenly brokers lead partitions
	left      error                  // why the topic could not be deleted from an external broker
	prepared  bool
	delivered delivery
	checked   int // samples that were read back
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	d := &driver{env: env, params: p, clients: p.Int(paramConnections)}
	if n := p.Int(record.ParamClients); n > 0 {
		d.clients = n
	}
	d.clients = max(d.clients, env.Lanes)
	if isExternal(p) || env.Target != "" {
		return d, nil
	}
	var err error
	d.server, err = newServer(env, p)
	return d, err
}

// Prepare starts the broker, makes the topic and the clients, and runs the JIT warm-up of a fresh broker.
func (d *driver) Prepare(ctx context.Context) error {
	if d.prepared {
		return nil
	}
	var err error
	if d.address, err = d.reach(ctx); err != nil {
		return err
	}
	d.address.tls = noting(d.address.tls, &d.spoken)
	opts, err := d.address.common(d.params)
	if err != nil {
		return err
	}
	admin, err := kgo.NewClient(opts...)
	if err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	within, cancel := context.WithTimeoutCause(ctx, connecting, fmt.Errorf("not done within %v", connecting))
	defer cancel()
	if d.topic, err = makeTopic(within, admin, d.params); err != nil {
		if d.topic == nil { // otherwise Close deletes it, and needs the client for that
			admin.Close()
		}
		return err
	}
	if d.uneven, err = d.topic.uneven(within, d.params); err != nil {
		return err
	}
	if d.params.Int(paramKeys) > 0 {
		d.keys = keysOf(d.params.Int(paramKeys), d.topic.partitions)
	}
	cancel() // the fill may take longer
	if err := d.connectAll(ctx, opts); err != nil {
		return err
	}
	if d.heated, err = heatOf(d.params); err == nil && d.heated > 0 {
		err = d.heat(ctx, d.heated)
	}
	if err == nil {
		err = d.scheduleFaults(ctx)
	}
	d.prepared = err == nil
	return err
}

// scheduleFaults has a broker killed or added in the window, if that is wanted: not in the JIT warm-up, which is over.
func (d *driver) scheduleFaults(ctx context.Context) error {
	f := faultsOf(d.params)
	if d.server == nil || f.None() || len(d.lanes) == 0 {
		return nil
	}
	parts, err := d.topic.parts(ctx)
	if err != nil {
		return err
	}
	t := d.topic
	on := &brokerfault.Topic{Instance: d.server.instance, Admin: t.admin, Name: t.name, Partitions: t.partitions,
		Copies: d.params.Int(paramReplication)}
	d.faults, err = f.Schedule(ctx, on, whoOf(d.params, brokerfault.LastLeader(parts)))
	d.lanes[0].began = d.faults.Begin
	if err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}

// Settle implements workload.Settler: a killed broker has to be back, and an added one to have its partitions, before
// their cost is known.
func (d *driver) Settle(ctx context.Context) error {
	if err := d.faults.Wait(ctx); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}

// Events implements workload.Eventer: what happened to a broker.
func (d *driver) Events(load.Result) []record.Event {
	return d.faults.Events()
}

// reach returns the broker's address, starting the broker if it is ours.
func (d *driver) reach(ctx context.Context) (address, error) {
	switch {
	case d.server != nil:
		return d.server.start(ctx)
	case isExternal(d.params):
		return external(d.params)
	}
	return onTarget(d.env.Target, d.params), nil
}

// connectAll makes the clients of the mode, and the log that they read.
func (d *driver) connectAll(ctx context.Context, opts []kgo.Opt) error {
	if consumes(d.params) {
		if err := d.fill(ctx, opts); err != nil {
			return err
		}
	}
	within, cancel := context.WithTimeoutCause(ctx, connecting, fmt.Errorf("not done within %v", connecting))
	defer cancel()
	if consumes(d.params) {
		return d.connectReaders(within, opts)
	}
	if err := d.connect(within, opts); err != nil || !travels(d.params) {
		return err
	}
	return d.startFollowing(within, opts)
}

// connectReaders makes the consumers of the filled log, and gives each lane its share of them.
func (d *driver) connectReaders(ctx context.Context, opts []kgo.Opt) error {
	lanes := max(d.env.Lanes, 1)
	for i := range lanes {
		l := &readLane{ended: func() error { return nil }}
		if d.server != nil {
			l.gone, l.ended = d.server.running.Gone(), d.server.ended
		}
		for n := d.clients * i / lanes; n < d.clients*(i+1)/lanes; n++ {
			c, err := newConsumer(ctx, d, n, d.clients, opts[:len(opts):len(opts)])
			if err != nil {
				return err
			}
			c.again = newAgain(d.params, d.filled)
			l.consumers, d.consumers = append(l.consumers, c), append(d.consumers, c)
		}
		d.readers = append(d.readers, l)
	}
	return nil
}

// loads returns the lanes of all kinds.
func (d *driver) loads() []workload.Lane {
	out := list.Map(d.lanes, func(l *lane) workload.Lane { return l })
	for _, l := range d.readers {
		out = append(out, l)
	}
	return out
}

// connecting bounds the wait for a topic and for connections.
const connecting = 30 * time.Second

// connect makes all clients and gives each lane its share of them.
func (d *driver) connect(ctx context.Context, opts []kgo.Opt) error {
	lanes := max(d.env.Lanes, 1)
	for i := range lanes {
		var own []*client
		for n := d.clients * i / lanes; n < d.clients*(i+1)/lanes; n++ {
			c, err := newClient(ctx, d, n, opts[:len(opts):len(opts)])
			if err != nil {
				return err
			}
			own = append(own, c)
		}
		l := newLane(own, d.topic.partitions)
		l.tally.unplaced = d.params.Text(paramAcks) == acksNone
		if d.server != nil {
			l.gone, l.ended = d.server.running.Gone(), d.server.ended
		}
		d.lanes = append(d.lanes, l)
	}
	return nil
}

// heat loads a fresh broker fully; its records count in no rate, but in the proof of delivery.
func (d *driver) heat(ctx context.Context, length time.Duration) error {
	lanes := d.loads()
	h := workload.Heating{Name: Name, Clients: d.clients, Lanes: len(lanes), Seed: d.env.Seed, For: length}
	windows, err := workload.Heat(ctx, h, func(i int, clock *load.Lane) error { return lanes[i].Run(ctx, clock) })
	d.warming = windows
	return err
}

// Heat implements workload.Heater: a broker that we start runs a JIT compiler.
func (d *driver) Heat() (workload.Warming, bool) {
	return d.warming, d.server != nil && d.server.compiles()
}

// Lane returns lane i, whose clients are already connected.
func (d *driver) Lane(i int) (workload.Lane, error) {
	debug.SetGCPercent(collector(d.env.Lanes))
	return d.loads()[i], nil
}

// Keys returns the versions of the library and the broker, the negotiated encryption, and the length of the JIT
// warm-up.
func (d *driver) Keys() map[string]string {
	keys := map[string]string{record.KeyPath: "franz-go " + libraryVersion()}
	if s := d.spoken.Load(); s != nil {
		keys[record.KeyTLS] = *s
	}
	if d.heated > 0 {
		keys[workload.KeyHeat] = record.FormatDuration(d.heated.Seconds())
	}
	if d.server != nil {
		for k, v := range d.server.keys() {
			keys[k] = v
		}
	}
	return keys
}

// Extra returns the values that the load generator does not count.
func (d *driver) Extra(r load.Result) []record.Value {
	value := func(name, unit string, better record.Better, v float64) record.Value {
		return record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: better}, Value: v}
	}
	var out []record.Value
	if d.filled == nil {
		out = append(out, value(metricIngest, "B/s", record.Higher, r.BytesPerSecond))
	}
	if len(d.consumers) > 0 {
		out = append(out, value(metricEgress, "B/s", record.Higher, r.BytesPerSecond))
	}
	if found := d.found(); found.polls > 0 {
		out = append(out, value(metricFetch, "op", record.Neutral, float64(found.records)/float64(found.polls)))
		if d.filled != nil {
			out = append(out, value(metricPasses, "op", record.Neutral, float64(found.passes)/float64(len(d.consumers))))
		}
	}
	if n := d.batches.count.Load(); n > 0 {
		out = append(out, value(metricBatch, "op", record.Neutral, float64(d.batches.records.Load())/float64(n)))
	}
	if sent := d.batches.sent.Load(); sent > 0 && d.params.Text(paramCodec) != codecNone {
		out = append(out, value(metricShrunk, "ratio", record.Neutral, float64(d.batches.whole.Load())/float64(sent)))
	}
	if d.server != nil {
		out = append(out, d.server.Extra(r)...)
	}
	return append(out, d.faults.Values(r)...)
}

// Timeline implements workload.Timeliner: each broker's use of the machine.
func (d *driver) Timeline(r load.Result) []workload.Track {
	if d.server == nil {
		return nil
	}
	return d.server.Timeline(r)
}

// Shared implements workload.Sharer.
func (d *driver) Shared() workload.Shared {
	return workload.Shared{Weights: map[string]float64{
		metricFetch: float64(d.found().polls), metricPasses: float64(len(d.consumers)),
		metricBatch: float64(d.batches.count.Load()), metricShrunk: float64(d.batches.sent.Load()),
	}}
}

// First returns the first error of a record.
func (d *driver) First() error {
	if first := d.sum().first; first != nil {
		return explained(d.params, first)
	}
	return nil
}

// fewPolls is the recommended minimum of polls in a pass over the log: a restart takes about as long as one.
const fewPolls = 20

// Doubts returns warnings about the trial.
func (d *driver) Doubts() []string {
	var out []string
	sum := d.sum()
	if sum.first != nil {
		out = append(out, "first failed record: "+explained(d.params, sum.first).Error())
	}
	if sum.late > 0 {
		out = append(out, fmt.Sprintf("%d records reached a consumer after they had failed", sum.late))
	}
	if d.params.Text(paramAcks) != acksNone && d.checked == 0 && sum.count > 0 {
		out = append(out,
			"no record was read back: none of the samples is still in the log; "+paramRetention+" sets how much it keeps")
	}
	if found := d.found(); d.filled != nil && found.passes > 0 && found.polls < fewPolls*found.passes {
		out = append(out, fmt.Sprintf("consumers restarted after %.1f polls on average, and each restart takes a "+
			"connection; a larger %s needs fewer", float64(found.polls)/float64(found.passes), paramFill))
	}
	if d.left != nil {
		out = append(out, d.left.Error())
	}
	if d.server != nil {
		out = append(out, d.server.doubts()...)
	}
	return append(out, d.uneven...)
}

// deleting bounds the wait for the deletion of a topic.
const deleting = 5 * time.Second

// ours reports whether the broker is started for the trial, here or on the target.
func (d *driver) ours() bool { return !isExternal(d.params) }

// endFollowing stops the consumers of the lanes' records. It may be called more than once.
func (d *driver) endFollowing() {
	if d.stopFollowing != nil {
		d.stopFollowing()
	}
	d.following.Wait()
}

// forget deletes the topic of an external broker, once; its error becomes a doubt as well.
func (d *driver) forget() error {
	if d.topic == nil || d.ours() || d.topic.gone {
		return nil
	}
	d.topic.gone = true
	ctx, cancel := context.WithTimeout(context.Background(), deleting)
	defer cancel()
	if err := d.topic.delete(ctx); err != nil {
		d.left = fmt.Errorf("%w\nhint: if it still exists: kafka-topics.sh --bootstrap-server %s --delete --topic "+
			"%s", err, brokers(d.params)[0], d.topic.name)
	}
	return d.left
}

// Close deletes the topic of an external broker, closes all clients and stops the broker. It may be called more than
// once.
func (d *driver) Close() error {
	var err error
	d.endFollowing()
	d.faults.Close()
	for _, l := range d.lanes {
		for _, c := range l.clients {
			c.kgo.Close()
		}
	}
	for _, c := range d.consumers {
		c.kgo.Close()
	}
	d.lanes, d.readers, d.consumers = nil, nil, nil
	if d.topic != nil {
		err = d.forget()
		d.topic.admin.Close()
		d.topic = nil
	}
	if d.server != nil {
		err = errors.Join(err, d.server.close())
	}
	return err
}
