package kafka

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// driver produces to a broker: one that it started, or one that is there.
type driver struct {
	env     workload.Env
	params  workload.Params
	clients int
	server  *server // nil where the broker is elsewhere
	address address
	keys    []key
	topic   *topic
	lanes   []*lane
	heated  time.Duration
	warming load.Windows // of the heat
	batches batches

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
	if p.Text(paramBrokers) != "" {
		return d, nil
	}
	var err error
	d.server, err = newServer(env, p)
	return d, err
}

// Prepare starts the broker, makes the topic and the clients, and loads a fresh broker for a while.
func (d *driver) Prepare(ctx context.Context) error {
	if d.prepared {
		return nil
	}
	var err error
	if d.server != nil {
		d.address, err = d.server.start(ctx)
	} else {
		d.address, err = there(d.params)
	}
	if err != nil {
		return err
	}
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
		if d.topic == nil { // else Close deletes it, and needs the client for that
			admin.Close()
		}
		return err
	}
	if d.params.Int(paramKeys) > 0 {
		d.keys = keysOf(d.params.Int(paramKeys), d.topic.partitions)
	}
	if err := d.connect(within, opts); err != nil {
		return err
	}
	if d.heated, err = heatOf(d.params); err == nil && d.heated > 0 {
		err = d.heat(ctx, d.heated)
	}
	d.prepared = err == nil
	return err
}

// connecting bounds how long a topic and connections are waited for.
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

// heat loads a fresh broker as fast as it can; what it takes counts in no rate, and in the proof of delivery.
func (d *driver) heat(ctx context.Context, length time.Duration) error {
	h := workload.Heating{Name: Name, Clients: d.clients, Lanes: len(d.lanes), Seed: d.env.Seed, For: length}
	windows, err := workload.Heat(ctx, h, func(i int, clock *load.Lane) error { return d.lanes[i].Run(ctx, clock) })
	d.warming = windows
	return err
}

// Heat is as workload.Heater has it: a broker that we start compiles while it runs.
func (d *driver) Heat() (load.Windows, bool) { return d.warming, d.server != nil }

// Lane is as workload.Driver has it: the clients are connected.
func (d *driver) Lane(i int) (workload.Lane, error) {
	debug.SetGCPercent(collector(d.env.Lanes))
	return d.lanes[i], nil
}

// Keys are the library's version, the broker's, and how long it was heated.
func (d *driver) Keys() map[string]string {
	keys := map[string]string{record.KeyPath: "franz-go " + libraryVersion()}
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

// Extra is what the load generator does not count.
func (d *driver) Extra(r load.Result) []record.Value {
	value := func(name, unit string, better record.Better, v float64) record.Value {
		return record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: better}, Value: v}
	}
	out := []record.Value{value(metricIngest, "B/s", record.Higher, r.BytesPerSecond)}
	if n := d.batches.count.Load(); n > 0 {
		out = append(out, value(metricBatch, "op", record.Neutral, float64(d.batches.records.Load())/float64(n)))
	}
	if sent := d.batches.sent.Load(); sent > 0 && d.params.Text(paramCodec) != codecNone {
		out = append(out, value(metricShrunk, "ratio", record.Neutral, float64(d.batches.whole.Load())/float64(sent)))
	}
	return out
}

// Doubts says what was odd.
func (d *driver) Doubts() []string {
	var out []string
	sum := d.sum()
	if sum.first != nil {
		out = append(out, "the first record that failed: "+sum.first.Error())
	}
	if d.params.Text(paramAcks) != acksNone && d.checked == 0 && sum.count > 0 {
		out = append(out, "no record was read back: none of those sampled is still in the log; "+paramRetention+" says how much it keeps")
	}
	if d.server == nil {
		out = append(out, "the broker's CPU use is not known")
	}
	return out
}

// deleting bounds how long the deletion of a topic is waited for.
const deleting = 5 * time.Second

// Close deletes the topic of a broker that is there, closes all clients and stops the broker. It may be called more than once.
func (d *driver) Close() error {
	var err error
	for _, l := range d.lanes {
		for _, c := range l.clients {
			c.kgo.Close()
		}
	}
	d.lanes = nil
	if d.topic != nil {
		if d.server == nil {
			ctx, cancel := context.WithTimeout(context.Background(), deleting)
			err = d.topic.delete(ctx)
			cancel()
		}
		d.topic.admin.Close()
		d.topic = nil
	}
	if d.server != nil {
		err = errors.Join(err, d.server.close())
	}
	return err
}
