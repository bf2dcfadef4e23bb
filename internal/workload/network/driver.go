package network

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"sync"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/netload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// driver is the generator's end, with its own peer unless the target is another host.
type driver struct {
	env    workload.Env
	params workload.Params
	server *server // nil: on another host
	key    []byte
	at     netip.AddrPort // of the peer; invalid before Prepare

	mu       sync.Mutex
	lanes    []*lane // by number; nil: not made
	mismatch error   // between the accounts of the two ends
}

var (
	_ workload.Settler   = (*driver)(nil)
	_ workload.Extender  = (*driver)(nil)
	_ workload.Timeliner = (*driver)(nil)
	_ workload.Sharer    = (*driver)(nil)
	_ workload.Causer    = (*driver)(nil)
)

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	var own *server
	if env.Target == "" {
		env.Key = rand.Text()
		own = serverOf(env, p)
	}
	return &driver{env: env, params: p, server: own, key: []byte(env.Key), lanes: make([]*lane, env.Lanes)}, nil
}

// Prepare starts the peer, and checks the path to it.
func (d *driver) Prepare(ctx context.Context) error {
	if d.at.IsValid() {
		return nil
	}
	address := d.env.Target
	if d.server != nil {
		var err error
		if address, err = d.server.Start(ctx); err != nil {
			return err
		}
	}
	at, err := netip.ParseAddrPort(address)
	if err == nil {
		err = netload.Probe(ctx, at, d.key, orderOf(d.params, d.env.Load, true))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	d.at = at
	return nil
}

// out reports whether lane i sends. With several generators the directions alternate over all of them.
func (d *driver) out(i int) bool {
	switch d.params.Text(paramDirection) {
	case directionIn:
		return false
	case directionBoth:
		return (d.env.Part+i)%2 == 0
	}
	return true
}

// Lane opens connection i.
func (d *driver) Lane(i int) (workload.Lane, error) {
	order := orderOf(d.params, d.env.Load, d.out(i))
	conn, err := netload.Dial(context.Background(), d.at, d.key, order, d.env.Seed+uint64(i))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	l := &lane{number: i + 1, conn: conn}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lanes[i] = l
	return l, nil
}

// all returns the lanes that moved something.
func (d *driver) all() []*lane {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*lane
	for _, l := range d.lanes {
		if l != nil && l.begun {
			out = append(out, l)
		}
	}
	return out
}

// Settle compares the accounts of both ends of each connection, up to the first that fails: a peer that hangs does not
// answer for the others either.
func (d *driver) Settle(context.Context) error {
	for _, l := range d.all() {
		if !l.whole {
			continue // its error is known
		}
		var err error
		if l.peer, err = l.conn.Account(); err == nil {
			err = mismatch(l.conn.Order, l.conn.Own, l.peer)
		}
		if err != nil {
			d.mismatch = fmt.Errorf("%s: connection %d: %w", Name, l.number, err)
			return nil
		}
	}
	return nil
}

// mismatch returns an error if the ends of a connection contradict each other.
func mismatch(o netload.Order, own, peer netload.Account) error {
	if peer.Broken != "" {
		return errors.New("the target's end: " + peer.Broken)
	}
	for _, c := range []struct {
		from, to                       string
		sent, got, sentBytes, gotBytes int64
	}{
		{"generator", "target", own.Sent, peer.Received, own.SentBytes, peer.GotBytes},
		{"target", "generator", peer.Sent, own.Received, peer.SentBytes, own.GotBytes},
	} {
		if c.got > c.sent || o.Transport == netload.TCP && (c.got != c.sent || c.sentBytes != c.gotBytes) {
			return fmt.Errorf("the %s sent %d operations (%d bytes), and %d (%d bytes) arrived at the %s", c.from, c.sent,
				c.sentBytes, c.got, c.gotBytes, c.to)
		}
	}
	return nil
}

// Verify returns an error if the ends contradict each other, or if the peer has ended.
func (d *driver) Verify(context.Context) error { return d.Cause(d.mismatch) }

// Cause returns the exit of the peer, if that is why a lane failed.
func (d *driver) Cause(lane error) error {
	if d.server != nil {
		if err := d.server.Verify(context.Background()); err != nil {
			return err
		}
	}
	return lane
}

// sums are the accounts of all connections.
type sums struct {
	sent, received, duplicated, reordered int64
	bytes                                 int64 // payload that arrived
	target, generator                     int64 // CPU time, ns
}

func (d *driver) sums() sums {
	var s sums
	for _, l := range d.all() {
		own, peer := l.conn.Own, l.peer
		sender, receiver := own, peer
		if !l.conn.Out {
			sender, receiver = peer, own
		}
		if l.conn.Mode == netload.RoundTrip { // sent and answered
			receiver = own
		}
		s.sent, s.received = s.sent+sender.Sent, s.received+receiver.Received
		s.duplicated, s.reordered = s.duplicated+receiver.Duplicated, s.reordered+receiver.Reordered
		s.bytes += receiver.GotBytes
		s.target, s.generator = s.target+peer.CPUNs, s.generator+own.CPUNs
	}
	return s
}

// Extra returns operations per second, and what the accounts of both ends add.
func (d *driver) Extra(r load.Result) []record.Value {
	var out []record.Value
	add := func(name, unit string, better record.Better, v float64) {
		out = append(out, record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: better}, Value: v})
	}
	add(record.IOPS, "op/s", record.Higher, r.OpsPerSecond)
	s := d.sums()
	if d.params.Text(paramDirection) == directionBoth {
		var sent, got float64
		for i, l := range r.Lanes {
			if d.out(i) {
				sent += l.BytesPerSecond
			} else {
				got += l.BytesPerSecond
			}
		}
		add(metricOut, "B/s", record.Higher, sent)
		add(metricIn, "B/s", record.Higher, got)
	}
	if d.params.Text(paramTransport) == netload.UDP && s.sent > 0 {
		add(metricLost, "%", record.Lower, 100*float64(s.sent-s.received)/float64(s.sent))
		if d.params.Text(paramMode) == netload.Stream {
			arrived := float64(max(s.received+s.duplicated, 1))
			add(metricDuplicated, "%", record.Lower, 100*float64(s.duplicated)/arrived)
			add(metricReordered, "%", record.Lower, 100*float64(s.reordered)/arrived)
		}
	}
	if d.params.Text(paramMode) == netload.Stream && s.bytes > 0 { // ns for each byte are s for each GB
		add(metricTargetCPU, "s/GB", record.Lower, float64(s.target)/float64(s.bytes))
		add(metricGeneratorCPU, "s/GB", record.Lower, float64(s.generator)/float64(s.bytes))
	}
	return out
}

// Timeline returns the bytes on the wire in each step: of streams only.
func (d *driver) Timeline(load.Result) []workload.Track { return tracks(d.all()) }

// Shared returns how to merge the values of several generators.
func (d *driver) Shared() workload.Shared {
	s := d.sums()
	arrived := float64(s.received + s.duplicated)
	return workload.Shared{Weights: map[string]float64{metricLost: float64(s.sent), metricDuplicated: arrived,
		metricReordered: arrived, metricTargetCPU: float64(s.bytes), metricGeneratorCPU: float64(s.bytes)}}
}

// Close closes the connections and stops the peer. It may be called more than once.
func (d *driver) Close() error {
	d.mu.Lock()
	lanes := d.lanes
	d.lanes = make([]*lane, len(lanes))
	d.mu.Unlock()
	var errs []error
	for _, l := range lanes {
		if l != nil {
			errs = append(errs, l.conn.Close())
		}
	}
	if d.server != nil {
		errs = append(errs, d.server.Close())
	}
	return errors.Join(errs...)
}
