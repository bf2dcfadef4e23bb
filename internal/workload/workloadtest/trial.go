package workloadtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// exam is the examination of one case.
type exam struct {
	spec     workload.Spec
	params   workload.Params
	c        Case
	seed     uint64
	patience time.Duration
	scratch  func() string
	keep     string // shared by its trials
}

// trial is one driver under one load.
type trial struct {
	driver workload.Driver
	gen    *load.Generator
	lanes  int
	waits  bool // see workload.Spec.Waits
	soon   func(what string, f func() error) error
	mark   string // in the environment of every process that it starts
}

// newTrial makes a driver and a generator that measures for d.
func (x exam) newTrial(d time.Duration) (*trial, error) {
	t := &trial{lanes: max(x.c.Lanes, 1), waits: x.spec.Waits, soon: x.soon,
		mark: fmt.Sprintf("PLIMSOLL_CONFORMANCE=%d.%d", os.Getpid(), time.Now().UnixNano())}
	config := load.Config{Load: x.load(t.lanes), Lanes: t.lanes, Seed: x.seed, Duration: d}
	var err error
	if t.gen, err = load.New(config); err != nil {
		return nil, err
	}
	t.driver, err = x.spec.New(workload.Env{
		Scratch: x.scratch(),
		Keep:    x.keep,
		Session: "c0f0",
		Lanes:   t.lanes,
		Load:    config.Load,
		Seed:    x.seed,
		Environ: append(os.Environ(), t.mark),
		Enter: func(_ *syscall.SysProcAttr, start func() (int, error)) error {
			_, err := start()
			return err
		},
	}, x.params)
	return t, err
}

func (x exam) load(lanes int) record.LoadPoint {
	if x.c.Load.Kind != "" {
		return x.c.Load
	}
	switch kind := x.spec.Loads[0]; kind {
	case record.Open:
		return record.LoadPoint{Kind: kind, Level: 100, Unit: record.ParamRate}
	case record.Closed:
		return record.LoadPoint{Kind: kind, Level: float64(lanes), Unit: record.ParamCPUs}
	}
	return record.LoadPoint{Kind: record.Once, Level: 1}
}

// run makes every lane on a locked thread of its own, calls begin when all are ready, and runs them to their end.
func (t *trial) run(ctx context.Context, begin func()) error {
	if t.waits {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(t.lanes + 2)) // as an agent does
	}
	errs := make([]error, t.lanes)
	var ready, ended sync.WaitGroup
	ready.Add(t.lanes)
	for i := range t.lanes {
		ended.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			defer t.gen.Lane(i).Leave()
			lane, err := t.driver.Lane(i)
			ready.Done()
			if err == nil {
				err = lane.Run(ctx, t.gen.Lane(i))
			}
			errs[i] = err
		})
	}
	ready.Wait()
	begin()
	return t.soon("Run", func() error {
		ended.Wait()
		return errors.Join(errs...)
	})
}

func (t *trial) start() { t.gen.Start(t.gen.Clock().Now()) }

// soon calls f, which must end within patience; otherwise f keeps running.
func (x exam) soon(what string, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(x.patience):
		return fmt.Errorf("%s has not ended after %v", what, x.patience)
	}
}
