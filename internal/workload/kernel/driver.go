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

	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// collector is the garbage collector's GOGC for operations that allocate. It
// begins when 4 MiB times GOGC / 100 have been allocated: for every 16 MiB of a
// lane the memory stays in the last-level cache, and rounds cost less than at 4,
// the default, where two threads of Go on one CPU lost half of their speed to them.
func collector(lanes int) int { return 400 * lanes }

// Kernel is a workload that does one thing over and over.
type Kernel struct {
	Name    string
	Bytes   int64             // what one operation counts for
	Set     int64             // bytes that a lane goes through again and again: its working set
	Traffic float64           // bytes that the work reads and writes for each that counts
	Keys    map[string]string // of the trial's identity
	// Collects says that operations allocate, as those of what is measured do, and
	// that the garbage collector belongs to them: without it they would always
	// write to memory that no cache holds and that the kernel must find first.
	Collects bool
	// Make touches the lane's memory first and makes its data.
	Make func(lane int) (Work, error)
}

// Driver runs a kernel.
type Driver struct {
	kernel Kernel
	lanes  int
	batch  time.Duration // that a batch takes at least
	extra  float64       // operations beside each one that do not count

	mu    sync.Mutex // lanes are made on threads of their own
	works map[int]Work
}

// New returns a driver of the kernel, whose keys gain the regime of its working
// sets. It refuses CPUs of several sockets where one was asked for.
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
	return &Driver{kernel: k, lanes: lanes, batch: time.Duration(p.Number(paramBatch) * 1e9), extra: p.Number(paramExtra), works: map[int]Work{}}, nil
}

// Prepare has nothing to do: each lane makes its data on its own thread.
func (d *Driver) Prepare(ctx context.Context) error { return ctx.Err() }

// Lane makes lane i: its buffers are first touched, its data made and its batch
// measured by the calling thread.
func (d *Driver) Lane(i int) (workload.Lane, error) {
	if d.kernel.Collects {
		debug.SetGCPercent(collector(d.lanes))
	}
	work, err := d.kernel.Make(i)
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
		return fmt.Errorf("%s: lane %d was made before", d.kernel.Name, i)
	}
	d.works[i] = work
	return nil
}

// Verify checks what every lane left behind.
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

// Close gives every lane's memory back.
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

// Extra is the memory traffic that follows from the throughput.
func (d *Driver) Extra(r load.Result) []record.Value {
	return []record.Value{{
		Metric: record.Metric{Name: record.MemoryTraffic, Unit: "B/s", Better: record.Neutral},
		Value:  r.BytesPerSecond * d.kernel.Traffic,
	}}
}

// Keys is what the kernel adds to the trial's identity.
func (d *Driver) Keys() map[string]string { return d.kernel.Keys }
