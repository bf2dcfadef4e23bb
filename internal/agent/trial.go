package agent

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"plimsoll/internal/host"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// slice is how long one side runs before the other in a sliced order: METHOD,
// amendment "Slices".
const slice = 15 * time.Millisecond

// memoryLimit lets the garbage collector, which is off during a trial, come
// back rather than let a long trial take the whole machine's memory.
const memoryLimit = 4 << 30

// trial carries out one order and says its series and its trials.
func (a Agent) trial(ctx context.Context, say *speaker, o record.Order, m record.Machine) error {
	os.Setenv(MarkVar, o.ID)
	scratch := scratchDir(o.ID)
	if err := os.Mkdir(scratch, 0o700); err != nil {
		return fmt.Errorf("making the trial's scratch directory: %w\nhint: TMPDIR says where", err)
	}
	defer os.RemoveAll(scratch)
	t := &trial{agent: a, order: o, machine: m, scratch: scratch}
	defer t.close()
	if err := t.open(); err != nil {
		return err
	}
	t.run(ctx)
	if ctx.Err() != nil {
		return fmt.Errorf("told to stop")
	}
	for _, s := range t.sides {
		if err := s.report(say); err != nil {
			return err
		}
	}
	return nil
}

// trial is one order being carried out: one side, or several that alternate.
type trial struct {
	agent   Agent
	order   record.Order
	machine record.Machine
	scratch string
	sides   []*side
	crew    crew
}

// open makes the drivers and generators. Its errors are the request's fault.
func (t *trial) open() error {
	var configs []load.Config
	for i := range t.order.Sides {
		s, err := t.newSide(i)
		if err != nil {
			return UsageError{err}
		}
		t.sides = append(t.sides, s)
		configs = append(configs, s.config(t.order))
	}
	gens, err := generators(configs, t.order.Seed)
	if err != nil {
		return UsageError{err}
	}
	for i, s := range t.sides {
		s.gen = gens[i]
	}
	return nil
}

func generators(configs []load.Config, seed uint64) ([]*load.Generator, error) {
	if len(configs) > 1 {
		return load.NewSliced(configs, slice, seed)
	}
	g, err := load.New(configs[0])
	return []*load.Generator{g}, err
}

// run prepares, loads, measures and verifies. What goes wrong voids the sides
// that it went wrong on.
func (t *trial) run(ctx context.Context) {
	for _, s := range t.sides {
		if err := s.driver.Prepare(ctx); err != nil {
			t.void(fmt.Errorf("preparing: %w", err))
			return
		}
		s.measureControl(t.order.Seed)
	}
	runtime.GOMAXPROCS(t.procs())
	debug.SetMemoryLimit(memoryLimit)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	if err := t.crew.muster(ctx, t.sides); err != nil {
		t.void(err)
		return
	}
	t.measure(ctx)
	t.crew.dismiss()
	for _, s := range t.sides {
		s.finish(ctx)
	}
}

// procs is how many threads may run Go: the lanes that run at once, one for
// the agent, and never fewer than the machine has.
func (t *trial) procs() int {
	lanes := 0
	for _, s := range t.sides {
		lanes = max(lanes, s.lanes)
	}
	return max(min(lanes, len(t.machine.CPU.Allowed))+1, 2)
}

func (t *trial) void(err error) {
	for _, s := range t.sides {
		s.voidFor(err.Error())
	}
}

func (t *trial) close() {
	for _, s := range t.sides {
		s.close()
	}
}

// startDelay lets every lane reach its first Take before the load starts.
const startDelay = 2 * time.Millisecond

// measure starts the load, meters the measured window and waits for the lanes.
func (t *trial) measure(ctx context.Context) {
	gen := t.sides[0].gen
	m := newMeter(t)
	zero := gen.Clock().Now() + int64(startDelay)
	for _, s := range t.sides {
		s.gen.Start(zero)
	}
	ended := t.crew.ended()
	from, to := gen.Window()
	waitUntil(ctx, gen.Clock(), from, ended)
	m.begin()
	waitUntil(ctx, gen.Clock(), to, ended)
	if to != forever {
		m.end()
	}
	t.await(ctx, ended)
	if to == forever {
		m.end()
	}
	m.share(t.sides)
}

// forever is the end of the window of a load that ends by itself.
const forever = int64(^uint64(0) >> 1)

// waitUntil waits for a time on the generators' clock, or until all lanes have
// ended or the context has.
func waitUntil(ctx context.Context, c load.Clock, at int64, ended <-chan struct{}) {
	if at == forever {
		return
	}
	timer := time.NewTimer(time.Duration(at - c.Now()))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ended:
	case <-ctx.Done():
	}
}

// await waits for the lanes. On a cancelled context they are told to stop;
// whatever does not stop is left to the process's end.
func (t *trial) await(ctx context.Context, ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-ctx.Done():
	}
	for _, s := range t.sides {
		s.gen.Stop()
	}
	select {
	case <-ended:
	case <-time.After(grace):
	}
}

// newSide makes the driver of side i.
func (t *trial) newSide(i int) (*side, error) {
	o := t.order.Sides[i]
	spec, ok := find(t.agent.Workloads, o.Workload)
	if !ok {
		return nil, fmt.Errorf("workload %q is not in plimsoll %s\nhint: install the same version on both hosts", o.Workload, t.agent.Version)
	}
	params := workload.NewParams(spec.Workload, o.Params)
	if spec.Check != nil {
		if err := spec.Check(params, t.machine); err != nil {
			return nil, err
		}
	}
	s := &side{spec: spec, trial: Blank(t.order, i, t.machine), lanes: lanes(o.Load)}
	if o.Load.Unit == record.ParamCPUs {
		if s.lanes > len(t.machine.CPU.Allowed) {
			return nil, fmt.Errorf("%s asks for %d CPUs, %d may be used here", spec.Name, s.lanes, len(t.machine.CPU.Allowed))
		}
		s.cpus = t.machine.CPU.Allowed[:s.lanes]
	}
	scratch, err := os.MkdirTemp(t.scratch, "side-")
	if err != nil {
		return nil, fmt.Errorf("making a side's scratch directory: %w", err)
	}
	s.root = t.agent.Root
	s.driver, err = spec.New(workload.Env{Scratch: scratch, CPUs: s.cpus, Seed: t.order.Seed, Environ: os.Environ(), Enter: s.enter}, params)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func find(specs []workload.Spec, name string) (workload.Spec, bool) {
	for _, s := range specs {
		if s.Name == name {
			return s, true
		}
	}
	return workload.Spec{}, false
}

// openLanes is how many operations of an open load of synchronous lanes can be
// in flight; arrivals beyond wait, and the wait counts.
const openLanes = 64

func lanes(l record.LoadPoint) int {
	switch l.Kind {
	case record.Once:
		return 1
	case record.Open:
		return openLanes
	}
	return int(l.Level)
}

// pin keeps a lane's thread on its CPU; lanes that are clients float.
func pin(cpus []int, i int) error {
	if i >= len(cpus) {
		return nil
	}
	return host.Pin(cpus[i])
}
