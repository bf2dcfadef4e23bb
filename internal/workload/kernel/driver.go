package kernel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Batch declares the parameter of every kernel that says how long a batch takes at least.
func Batch() record.Param {
	return record.Param{Name: "batch", Minor: true, Kind: record.Duration, Default: "100us", Min: 10e-6, Max: 1, Phase: record.Load,
		Doc: "as many operations are counted at a time as take at least this long, so that reading the clock costs nothing"}
}

// CPUs declares record.ParamCPUs.
func CPUs() record.Param {
	return record.Param{Name: record.ParamCPUs, Kind: record.CPUs, Default: "1", Min: 1, Max: 4096, Phase: record.Load,
		Doc: "CPUs to use, one lane each, or all"}
}

// Kernel is a workload that does one thing over and over.
type Kernel struct {
	Name  string
	Bytes int64                        // what one operation counts for
	Batch float64                      // seconds that a batch takes at least
	Make  func(lane int) (Work, error) // touches the lane's memory first and makes its data
	Keys  map[string]string            // of the trial's identity
}

// Driver runs a kernel.
type Driver struct {
	kernel Kernel

	mu    sync.Mutex // lanes are made on threads of their own
	works map[int]Work
}

// NewDriver returns a driver of the kernel.
func NewDriver(k Kernel) *Driver { return &Driver{kernel: k, works: map[int]Work{}} }

// Prepare has nothing to do: each lane makes its data on its own thread.
func (d *Driver) Prepare(ctx context.Context) error { return ctx.Err() }

// Lane makes lane i: its buffers are first touched, its data made and its batch
// measured by the calling thread.
func (d *Driver) Lane(i int) (workload.Lane, error) {
	work, err := d.kernel.Make(i)
	if err != nil {
		return nil, fmt.Errorf("%s: lane %d: %w", d.kernel.Name, i, err)
	}
	if err := d.keep(i, work); err != nil {
		return nil, errors.Join(err, work.Free())
	}
	l, err := NewLane(work, d.kernel.Bytes, time.Duration(d.kernel.Batch*1e9))
	if err != nil {
		return nil, fmt.Errorf("%s: lane %d: %w", d.kernel.Name, i, err)
	}
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

// Keys is what the kernel adds to the trial's identity.
func (d *Driver) Keys() map[string]string { return d.kernel.Keys }
