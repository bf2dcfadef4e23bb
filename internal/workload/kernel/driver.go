package kernel

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// collector returns the garbage collector's GOGC for operations that allocate. A cycle begins when 4 MiB times GOGC
// / 100 have been allocated: at 16 MiB a lane the memory stays in the last-level cache, and cycles cost less than at
// the default of 4 MiB, with which two threads of Go on one CPU lost half of their speed to them.
func collector(lanes int) int { return 400 * lanes }

// Kernel is a workload that repeats one operation.
type Kernel struct {
	Name    string
	Bytes   int64             // throughput bytes of one operation
	Set     int64             // working set of a lane in bytes
	Traffic float64           // bytes read and written for each throughput byte
	Keys    map[string]string // of the trial's identity
	// Collects is set if operations allocate, as the measured programs do, so that the garbage collector is part of
	// the work: without it they would always write to memory that is in no cache and that the kernel must provide
	// first.
	Collects bool
	// Make allocates the lane's memory, touches it first, and generates its data. It may take long, and ends with ctx.
	Make func(ctx context.Context, lane int) (Work, error)
}

// Driver runs a kernel.
type Driver struct {
	kernel Kernel
	lanes  int
	batch  time.Duration // minimum duration of a batch
	extra  float64       // uncounted operations for each counted one

	ctx context.Context // Prepare's: the lanes are made within it, each on its own thread

	mu    sync.Mutex // lanes are made on threads of their own
	works map[int]Work
}

// New returns a driver of the kernel, and adds the regime of its working sets to the kernel's keys. It refuses CPUs
// of several sockets if sockets=one.
func New(env workload.Env, p workload.Params, k Kernel) (*Driver, error) {
	if err := checkSockets(k.Name, env.CPUs, p); err != nil {
		return nil, err
	}
	lanes, err := LanesHere(env, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	keys := map[string]string{}
	maps.Copy(keys, k.Keys)
	k.Keys = keys
	if regime := Regime(k.Set, lanes, cachesHere(env.CPUs)); regime != "" {
		k.Keys[record.KeyRegime] = regime
	}
	return &Driver{kernel: k, lanes: lanes, batch: time.Duration(p.Number(paramBatch) * 1e9), extra: p.Number(paramExtra),
		ctx: context.Background(), works: map[int]Work{}}, nil
}

// Prepare makes nothing: each lane makes its data on its own thread.
func (d *Driver) Prepare(ctx context.Context) error {
	d.ctx = ctx
	return ctx.Err()
}

// Lane makes lane i. The calling thread touches its buffers first, makes its data and calibrates its batch.
func (d *Driver) Lane(i int) (workload.Lane, error) {
	if d.kernel.Collects {
		debug.SetGCPercent(collector(d.lanes))
	}
	work, err := d.kernel.Make(d.ctx, i)
	if err != nil {
		return nil, fmt.Errorf("%s: lane %d: %w", d.kernel.Name, i, err)
	}
	if err := d.keep(i, work); err != nil {
		return nil, errors.Join(err, work.Free())
	}
	l, err := NewLane(work, d.kernel.Bytes, d.batch)
	if err != nil {
		return nil, fmt.Errorf("%s: lane %d: %w", d.kernel.Name, i, err)
	}
	l.Extra = d.extra
	return l, nil
}

func (d *Driver) keep(i int, work Work) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.works[i] != nil {
		return fmt.Errorf("%s: lane %d exists already", d.kernel.Name, i)
	}
	d.works[i] = work
	return nil
}

// Verify checks the output of every lane.
func (d *Driver) Verify(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, work := range d.works {
		group.Go(func() error {
			if err := errors.Join(ctx.Err(), work.Verify()); err != nil {
				return fmt.Errorf("%s: lane %d: %w", d.kernel.Name, i, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// Close frees every lane's memory.
func (d *Driver) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, work := range d.works {
		errs = append(errs, work.Free())
	}
	clear(d.works)
	return errors.Join(errs...)
}

// Extra returns the memory traffic, which follows from the throughput.
func (d *Driver) Extra(r load.Result) []record.Value {
	return []record.Value{{
		Metric: record.Metric{Name: record.MemoryTraffic, Unit: "B/s", Better: record.Neutral},
		Value:  r.BytesPerSecond * d.kernel.Traffic,
	}}
}

// Keys returns the kernel's part of the trial's identity.
func (d *Driver) Keys() map[string]string { return d.kernel.Keys }
