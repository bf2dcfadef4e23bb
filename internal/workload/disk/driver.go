package disk

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/base/list"
	"plimsoll/internal/client/load"
	"plimsoll/internal/client/ring"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// driver reads and writes its own data.
type driver struct {
	env   workload.Env
	job   job
	uring bool
	data  *data
	ready bool
	lent  bool // the data are another driver's

	mu    sync.Mutex
	lanes []lane
}

// lane is a workload.Lane with an outcome after its run.
type lane interface {
	workload.Lane
	result() *outcome
	close() error
}

// outcome is the result of a lane.
type outcome struct {
	time    *timeline
	durable *durable
	path    string
	doubt   string
	enters  int64                   // system calls of a ring, over the whole load
	ops     int64                   // reads and writes completed, over the whole load
	reads   *hdrhistogram.Histogram // ns; of a mix alone, and measured
	writes  *hdrhistogram.Histogram
	last    int64 // offset of the last completed write
	wrote   bool
}

func (o *outcome) result() *outcome { return o }

// apart prepares to tell reads from writes, if the job has both.
func (o *outcome) apart(j *job) {
	if j.read && j.write {
		o.reads, o.writes = hdrhistogram.New(1, longestDurable, 3), hdrhistogram.New(1, longestDurable, 3)
	}
}

// took records a measured operation of a mix.
func (o *outcome) took(ns int64, write bool) {
	switch {
	case o.reads == nil:
	case write:
		put(o.writes, ns)
	default:
		put(o.reads, ns)
	}
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	d := &driver{env: env, job: jobOf(p)}
	where, err := placed(p, env.Scratch)
	if err != nil {
		return nil, err
	}
	d.uring = d.job.uring()
	d.data = &data{place: where}
	return d, nil
}

// preflight returns an error if the directory or device is unsuitable or the kernel refuses the engine.
func preflight(_ context.Context, p workload.Params, dir string) error {
	_, err := placed(p, dir)
	return err
}

func placed(p workload.Params, dir string) (place, error) {
	j := jobOf(p)
	if j.engine != engineThreads {
		err := ring.Available()
		if err != nil && j.engine == engineRing {
			return place{}, fmt.Errorf("disk: %w\nhint: --set disk.engine=%s, or leave it out", err, engineThreads)
		}
		if n := lanes(p, record.LoadPoint{}, 0); err != nil && n > maxThreads {
			return place{}, fmt.Errorf("%w; %w", err, tooManyThreads(n))
		}
	}
	return placeOf(j, dir)
}

// Prepare makes the data.
func (d *driver) Prepare(ctx context.Context) error {
	if d.ready {
		return nil
	}
	if err := d.data.open(&d.job, d.env.Seed); err != nil {
		return err
	}
	if err := d.data.prefill(ctx, &d.job, d.env.Seed); err != nil {
		return err
	}
	d.ready = true
	return nil
}

// Shallower returns a driver with one job of so many operations in flight.
func (d *driver) Shallower(inFlight int) (workload.Driver, int) {
	out := &driver{env: d.env, job: d.job, uring: d.uring, data: d.data, ready: true, lent: true}
	out.job.jobs, out.job.clients, out.job.depth = 1, 0, inFlight
	if d.uring {
		out.job.depth = min(inFlight, ring.MaxEntries-1)
		out.env.Lanes = 1
	} else {
		out.env.Lanes = inFlight
	}
	return out, out.env.Lanes
}

// jobOf returns the job that thread i works for.
func (d *driver) jobOf(i int) int { return i % d.job.jobs }

// Lane makes lane i.
func (d *driver) Lane(i int) (workload.Lane, error) {
	var l lane
	var err error
	if d.uring {
		l, err = newRingLane(d, i)
	} else {
		l, err = newThreadLane(d, i)
	}
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.lanes) <= i {
		d.lanes = append(d.lanes, nil)
	}
	d.lanes[i] = l
	return l, nil
}

// outcomes returns the lanes' outcomes, in lane order.
func (d *driver) outcomes() []*outcome {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*outcome
	for _, l := range d.lanes {
		o := &outcome{durable: &durable{}} // for a lane that was never made
		if l != nil {
			o = l.result()
		}
		out = append(out, o)
	}
	return out
}

// Verify reads back the last block that each lane wrote, whose stamp shows that it came from the load.
func (d *driver) Verify(context.Context) error {
	if err := d.data.unchanged(); err != nil {
		return err
	}
	buffers, all, err := ring.Map(1, d.job.block)
	if err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	defer ring.Unmap(all)
	for i, o := range d.outcomes() {
		if !o.wrote {
			continue
		}
		p := d.data.parts[d.jobOf(i)]
		n, err := unix.Pread(p.fd, buffers[0], o.last)
		switch {
		case err != nil:
			return failed("reading back", p.name, int64(d.job.block), o.last, err)
		case n != d.job.block:
			return cutShort("reading back", p.name, int32(n), d.job.block, o.last)
		}
		if sequence, ok := stamped(buffers[0], p.key, o.last); !ok || sequence == 0 {
			return wrongData(p.name, o.last)
		}
	}
	return nil
}

// Close closes the data, which deletes them.
func (d *driver) Close() error {
	d.mu.Lock()
	lanes := d.lanes
	d.lanes = nil
	d.mu.Unlock()
	var errs []error
	for _, l := range lanes {
		if l != nil {
			errs = append(errs, l.close())
		}
	}
	if !d.lent {
		errs = append(errs, d.data.close())
	}
	return errors.Join(errs...)
}

// Keys returns the I/O path of the operations.
func (d *driver) Keys() map[string]string {
	for _, o := range d.outcomes() {
		if o.path != "" {
			return map[string]string{record.KeyPath: o.path}
		}
	}
	return nil
}

// Extra returns IOPS, and the latencies of durable writes if syncs were requested.
func (d *driver) Extra(r load.Result) []record.Value {
	var out []record.Value
	state := func(name, unit string, better record.Better, v float64) {
		if v > 0 {
			out = append(out, record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: better}, Value: v})
		}
	}
	better := record.Higher
	if d.job.cap > 0 || r.SendLag != nil {
		better = record.Neutral // the value was set, not found
	}
	state(record.IOPS, "op/s", better, r.OpsPerSecond)
	took, synced := &hdrhistogram.Histogram{}, &hdrhistogram.Histogram{}
	reads, writes := &hdrhistogram.Histogram{}, &hdrhistogram.Histogram{}
	enters, ops := int64(0), int64(0)
	for _, o := range d.outcomes() {
		enters += o.enters
		ops += o.ops
		took, synced = merged(took, o.durable.took), merged(synced, o.durable.synced)
		reads, writes = merged(reads, o.reads), merged(writes, o.writes)
	}
	quantiles := func(h *hdrhistogram.Histogram, p50, p99 string) {
		if h.TotalCount() > 0 {
			state(p50, "s", record.Lower, float64(h.ValueAtQuantile(50))*1e-9)
			state(p99, "s", record.Lower, float64(h.ValueAtQuantile(99))*1e-9)
		}
	}
	sides := float64(reads.TotalCount() + writes.TotalCount())
	for _, s := range []struct {
		name string
		h    *hdrhistogram.Histogram
	}{{readSide, reads}, {writeSide, writes}} {
		if s.h.TotalCount() > 0 {
			rate := r.OpsPerSecond * float64(s.h.TotalCount()) / sides
			state(s.name+record.IOPS, "op/s", better, rate)
			state(s.name+record.Throughput, "B/s", better, rate*float64(d.job.block))
			quantiles(s.h, s.name+record.LatencyP50, s.name+record.LatencyP99)
		}
	}
	quantiles(synced, metricSync50, metricSync99)
	quantiles(took, metricDurable50, metricDurable99)
	if ops > 0 {
		state(metricEnters, "op", record.Neutral, float64(enters)/float64(ops))
	}
	return out
}

// merged adds a histogram, which may be nil, to a sum, which is empty at first.
func merged(sum, h *hdrhistogram.Histogram) *hdrhistogram.Histogram {
	switch {
	case h == nil:
		return sum
	case sum.TotalCount() == 0:
		return hdrhistogram.Import(h.Export())
	}
	sum.Merge(h)
	return sum
}

// Timeline returns bytes and operations of each ms, and the latencies of each 100 ms.
func (d *driver) Timeline(load.Result) []workload.Track {
	lanes := list.Map(d.outcomes(), func(o *outcome) *timeline { return o.time })
	return tracks(lanes)
}

// Doubts returns warnings about the trial.
func (d *driver) Doubts() []string {
	var out []string
	if !d.job.direct {
		out = append(out, "disk.direct=false: the measurement includes the page cache")
	}
	for _, o := range d.outcomes() {
		if o.doubt != "" {
			return append(out, o.doubt)
		}
	}
	return out
}
