package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/secret"
	"plimsoll/internal/workload"
)

// memoryLimit lets the garbage collector, which is off during a trial, come
// back rather than let a long trial take the whole machine's memory.
const memoryLimit = 4 << 30

// carryOut measures an order and says its series and its trials.
func (t *trial) carryOut(ctx context.Context) error {
	end, err := t.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := t.open(); err != nil {
		return err
	}
	t.run(ctx)
	if ctx.Err() != nil {
		return errors.New("told to stop")
	}
	return t.report()
}

// begin makes the trial's scratch directory; end stops all that was started and
// removes it.
func (t *trial) begin(ctx context.Context) (end func(), err error) {
	t.say.enter(phasePreparing)
	os.Setenv(MarkVar, t.order.ID)
	t.scratch = scratchDir(t.order.ID)
	// A machine that went down in this very trial may have left it.
	if err := workload.RemoveAll(t.scratch); err != nil {
		return nil, fmt.Errorf("clearing the trial's scratch directory: %w\nhint: TMPDIR says where", err)
	}
	own, err := openScratch(t.order.ID)
	if err != nil {
		return nil, scratchError(err)
	}
	return func() {
		t.say.enter(phaseFinishing)
		t.leave(ctx)
		_ = workload.RemoveAll(t.scratch)
		t.keep.close()
		own.close()
	}, nil
}

func (t *trial) report() error {
	for _, s := range t.sides {
		if err := s.report(t.say); err != nil {
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
	keep    *keep // what the session's trials have together; nil where no side asked for it
	crew    crew
	stuck   bool // lanes run on that nothing could stop

	say     *speaker
	told    <-chan string
	secrets secret.Values
	target  string // address of the server to load on another host; "": the sides start their own
}

// run prepares, loads, measures and verifies. What goes wrong voids the sides
// that it went wrong on.
func (t *trial) run(ctx context.Context) {
	for _, s := range t.sides {
		if err := s.prepare(ctx); err != nil {
			t.void(fmt.Errorf("preparing: %w", err))
			return
		}
		s.measureControl(t.order.Seed)
	}
	runtime.GOMAXPROCS(t.procs())
	debug.SetMemoryLimit(memoryLimit)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	// Lanes end with the trial or, where they do not end by themselves, before.
	laneCtx, stopLanes := context.WithCancel(ctx)
	defer stopLanes()
	err := t.crew.muster(laneCtx, t.inTurn())
	if err == nil {
		err = t.inConcert(ctx)
	}
	if err == nil {
		t.measure(ctx, stopLanes)
	} else {
		t.void(err)
		t.stop(stopLanes, t.crew.ended())
	}
	t.crew.dismiss()
	if err != nil || t.stuck {
		return
	}
	for i, s := range t.sides {
		s.finish(ctx)
		if t.target == "" {
			s.markUnseen(t.order.Sides[i].Params[record.ParamMachine] != "")
		}
	}
}

// inConcert waits until all other hosts that load the target are ready too.
func (t *trial) inConcert(ctx context.Context) error {
	if t.target == "" {
		return nil
	}
	t.say.enter(phaseWaiting)
	if err := t.say.say(Message{Kind: KindReady}); err != nil {
		return err
	}
	return await(ctx, t.told, WordStart)
}

// announce tells the one who meters the target where the window is.
func (t *trial) announce(kind string) {
	if t.target != "" {
		_ = t.say.say(Message{Kind: kind}) // a client that is gone ends the trial by itself
	}
}

// inTurn is the sides in the order in which their lanes are made: over the
// replicates each stands at each place equally often. Memory touched later can be
// other memory: an array copied 5 % faster for being the second side's.
func (t *trial) inTurn() []*side {
	first := t.order.Replicate % len(t.sides)
	return slices.Concat(t.sides[first:], t.sides[:first])
}

// procs is how many threads may run Go: the lanes that run at once, at most
// one a CPU unless they wait in the kernel, one for the agent, and one for its watchdog, which is not to wait for the agent's. A closed load that the whole process makes has
// no lane that keeps a thread busy: its CPUs have one each, since more would only take turns.
func (t *trial) procs() int {
	if s := t.sides[0]; s.spec.Whole && s.trial.Load.Kind == record.Closed {
		return max(len(s.generatorCPUs(t.machine)), 1)
	}
	running := 0
	for _, s := range t.sides {
		n := s.lanes
		if !s.spec.Waits {
			n = min(n, len(t.machine.CPU.Allowed))
		}
		running = max(running, n)
	}
	return running + 2
}

func (t *trial) void(err error) {
	for _, s := range t.sides {
		s.voidFor(err.Error())
	}
}

// leave stops all that the trial started.
func (t *trial) leave(ctx context.Context) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		for _, s := range t.sides {
			s.close()
		}
	}()
	select {
	case <-closed:
	case <-time.After(t.agent.grace()):
		t.stuck = true
	}
	started := slices.ContainsFunc(t.sides, func(s *side) bool { return s.startedSource() != record.ChargedNone })
	if t.stuck || started || ctx.Err() != nil {
		sweep(t.order)
	}
}

// startDelay lets every lane reach its first Take before the load starts.
const startDelay = 2 * time.Millisecond

// measure starts the load, meters the measured window and waits for the lanes.
func (t *trial) measure(ctx context.Context, stopLanes func()) {
	t.say.enter(phaseMeasuring)
	gen := t.sides[0].gen
	p := newProfiling(ctx, t)
	defer p.close()
	m := newMeter(t)
	m.profiling = p
	defer m.close()
	dog := t.watch()
	once := t.sides[0].trial.Load.Kind == record.Once
	if once {
		p.begin()
		m.begin() // the run may be over before this thread wakes
	}
	zero := gen.Clock().Now() + int64(startDelay)
	for _, s := range t.sides {
		s.gen.Start(zero)
	}
	ended := t.crew.ended()
	from, to := gen.Window()
	if !once {
		waitUntil(ctx, gen.Clock(), from, ended)
		t.announce(KindBegun)
		p.begin()
		m.begin()
		waitUntil(ctx, gen.Clock(), to, ended)
		p.end()
		m.end()
		t.announce(KindEnded)
	}
	t.await(ctx, stopLanes, ended, to)
	if once {
		p.end()
		m.end()
	}
	t.say.enter(phaseFinishing)
	gaps := dog.Stop()
	for _, s := range t.sides {
		s.gaps = gaps
	}
	m.share(t.sides)
	p.take(ctx)
}

// waitUntil waits for a time on the generators' clock, or until all lanes have
// ended or the context has.
func waitUntil(ctx context.Context, c load.Clock, at int64, ended <-chan struct{}) {
	timer := time.NewTimer(time.Duration(at - c.Now()))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ended:
	case <-ctx.Done():
	}
}

// await waits for the lanes, until the context ends or they have gone on for
// too long after the window's end.
func (t *trial) await(ctx context.Context, stopLanes func(), ended <-chan struct{}, to int64) {
	var late <-chan time.Time
	overrun := t.overrun()
	if to != load.Never {
		late = time.After(time.Duration(to-t.sides[0].gen.Clock().Now()) + overrun)
	}
	select {
	case <-ended:
		return
	case <-ctx.Done():
	case <-late:
		t.void(fmt.Errorf("the load did not end: an operation was still running %v after the measured window\nhint: --for measures longer; it must be longer than one operation", overrun))
	}
	t.stop(stopLanes, ended)
}

// overrun leaves an operation as long as the measured window the time to end.
func (t *trial) overrun() time.Duration {
	if t.agent.Overrun > 0 {
		return t.agent.Overrun
	}
	return max(overrun, seconds(t.order.DurationS))
}

// stop ends the lanes. Those that do not heed it are left to the process's end.
func (t *trial) stop(stopLanes func(), ended <-chan struct{}) {
	for _, s := range t.sides {
		s.gen.Stop()
	}
	stopLanes()
	select {
	case <-ended:
	case <-time.After(t.agent.grace()):
		t.stuck = true
	}
}
