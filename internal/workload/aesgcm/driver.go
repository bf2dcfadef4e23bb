package aesgcm

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

// keyLibrary is the key of a trial's identity that names the library and, where
// it is not Go's own, its version.
const keyLibrary = "library"

type driver struct {
	params workload.Params
	seed   uint64

	mu    sync.Mutex // lanes are made on threads of their own
	lanes map[int]*lane
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	return &driver{params: p, seed: env.Seed, lanes: map[int]*lane{}}, nil
}

// Prepare has nothing to do: each lane makes its data on its own thread.
func (d *driver) Prepare(ctx context.Context) error { return ctx.Err() }

// Lane makes lane i: its buffers are first touched, its data made and its batch
// measured by the calling thread.
func (d *driver) Lane(i int) (workload.Lane, error) {
	l, err := newLane(d.params, d.seed, i)
	if err != nil {
		return nil, fmt.Errorf("aes-gcm: lane %d: %w", i, err)
	}
	if err := d.keep(i, l); err != nil {
		return nil, errors.Join(err, l.buffers.free())
	}
	if err := l.calibrate(time.Duration(d.params.Number("batch") * 1e9)); err != nil {
		return nil, fmt.Errorf("aes-gcm: lane %d: %w", i, err)
	}
	return l, nil
}

func (d *driver) keep(i int, l *lane) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lanes[i] != nil {
		return fmt.Errorf("aes-gcm: lane %d was made before", i)
	}
	d.lanes[i] = l
	return nil
}

// Verify checks the last output of every lane: see lane.verify.
func (d *driver) Verify(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, l := range d.lanes {
		group.Go(func() error {
			if err := errors.Join(ctx.Err(), l.verify()); err != nil {
				return fmt.Errorf("aes-gcm: lane %d: %w", i, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// Close gives every lane's memory back.
func (d *driver) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, l := range d.lanes {
		errs = append(errs, l.buffers.free())
	}
	clear(d.lanes)
	return errors.Join(errs...)
}

// Keys says which code path the ciphers take here and which library ran.
func (d *driver) Keys() map[string]string {
	library := "go crypto/cipher"
	if d.params.Text("library") == librarySIO {
		library = "minio/sio " + sioVersion
	}
	return map[string]string{record.KeyPath: path(), keyLibrary: library}
}
