package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/run/agent/kept"
)

// memoryLimit re-enables the garbage collector, which is off during a trial, before a long trial exhausts the machine's
// memory.
const memoryLimit = 4 << 30

// carryOut measures an order and reports its series and trials.
func (t *trial) carryOut(ctx context.Context) error {
	end, err := t.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := t.aim(ctx); err != nil {
		return fmt.Errorf("preparing: %w", err)
	}
	if err := t.open(); err != nil {
		return err
	}
	if len(t.order.Turns) > 0 {
		t.runBatch(ctx)
	} else {
		t.run(ctx)
	}
	if ctx.Err() != nil {
		return errors.New("told to stop")
	}
	return t.report()
}

// begin creates the trial's scratch directory; end stops everything that was started and removes it.
func (t *trial) begin(ctx context.Context) (end func(), err error) {
	t.out.enter(phasePreparing)
	os.Setenv(MarkVar, t.order.ID)
	t.scratch = kept.ScratchDir(t.order.ID)
	// Left there if the machine went down during this very trial.
	if err := kept.RemoveScratch(t.scratch); err != nil {
		return nil, fmt.Errorf("clearing the run's scratch directory: %w\nhint: set TMPDIR to put it elsewhere", err)
	}
	own, err := kept.OpenScratch(t.order.ID)
	if err != nil {
		return nil, kept.ScratchError(err)
	}
	end = func() {
		t.out.enter(phaseFinishing)
		t.leave(ctx)
		_ = kept.RemoveScratch(t.scratch)
		t.shared.Close()
		t.energy.close()
		t.tuning.end()
		own.Close()
	}
	if err := t.tune(ctx); err != nil {
		end()
		return nil, err
	}
	if err := t.meterIdle(ctx); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

func (t *trial) report() error {
	t.tuned()
	var all []Message
	if len(t.order.Turns) > 0 {
		all = t.reportBatch()
	} else {
		for _, s := range t.sides {
			all = append(all, s.report()...)
		}
	}
	if t.keeps {
		t.keep(all)
	}
	return t.out.sendAll(all)
}

// trial is an order at work: one side, or several that alternate.
type trial struct {
	agent   Agent
	order   record.Order
	machine record.Machine
	scratch string
	sides   []*side
	ran     []ran      // of a batch
	shared  *kept.Keep // directory shared by the session's trials; nil if no side needs it
	lanes   laneThreads
	stuck   bool // some lanes could not be stopped
	keeps   bool // what it reports, on this host's disk
	mayTune bool
	tuning  *tuning      // what it holds of the machine's settings; nil: none
	energy  *energyMeter // nil: none is read

	out      *sender
	commands <-chan string
	secrets  secret.Values
	servers  []Serving // as the client has heard of them
	key      string
	target   string // address of the server to load on another host; "": the sides start their own
}

// run prepares, loads, measures and verifies. A failure voids the sides that it affects.
func (t *trial) run(ctx context.Context) {
	defer t.cleanUp(ctx)
	for _, s := range t.sides {
		if err := s.prepare(ctx); err != nil {
			t.void(fmt.Errorf("preparing: %w", err))
			return
		}
		if err := s.meterThere(ctx); err != nil {
			t.void(fmt.Errorf("preparing: %w", err))
			return
		}
		s.measureControl(t.order.Seed)
	}
	defer t.quieten()()
	// Lanes end with the trial at the latest.
	laneCtx, stopLanes := context.WithCancel(ctx)
	defer stopLanes()
	err := t.lanes.start(laneCtx, t.inTurn())
	if err == nil {
		err = t.inConcert(ctx)
	}
	if err == nil {
		t.measure(ctx, stopLanes)
	} else {
		t.void(err)
		t.stop(stopLanes, t.lanes.ended())
	}
	t.lanes.stop()
	if err != nil || t.stuck || t.settled(ctx) != nil {
		return
	}
	for i, s := range t.sides {
		s.finish(ctx)
		if t.target == "" {
			s.markUnseen(t.order.Sides[i].Params[record.ParamMachine] != "")
		}
	}
}

// quieten keeps this process's own threads and garbage collector from the measurement, until the returned function is
// called.
func (t *trial) quieten() (end func()) {
	runtime.GOMAXPROCS(t.procs())
	debug.SetMemoryLimit(memoryLimit)
	percent := debug.SetGCPercent(-1)
	runtime.GC()
	return func() { debug.SetGCPercent(percent) }
}

// cleanUp runs what the user wants to be run after each side, while it can still be told of. What has lanes that run
// on, or was told to stop, is closed without.
func (t *trial) cleanUp(ctx context.Context) {
	if t.stuck || ctx.Err() != nil {
		return
	}
	t.out.enter(phaseFinishing)
	for _, s := range t.sides {
		s.cleanUp(ctx)
	}
}

// inConcert waits until all other hosts that load the target are ready too.
func (t *trial) inConcert(ctx context.Context) error {
	if t.target == "" {
		return nil
	}
	t.out.enter(phaseWaiting)
	if err := t.out.send(Message{Kind: KindReady}); err != nil {
		return err
	}
	_, err := await(ctx, t.commands, WordStart)
	return err
}

// settled waits until all that the load had set off at the target is over, before which nothing there can be proved.
func (t *trial) settled(ctx context.Context) error {
	if t.target == "" {
		return nil
	}
	_, err := await(ctx, t.commands, WordSettled) // phases only go forward: this one is finishing
	return err
}

// announce tells whoever meters the target about the window.
func (t *trial) announce(kind string) {
	if t.target != "" {
		_ = t.out.send(Message{Kind: kind}) // if the client is gone, the trial ends by itself
	}
}

// inTurn returns the sides in the order in which to create their lanes: over the replicates each comes first equally
// often. Memory touched later can be faster or slower: an array was copied 5% faster merely for being the second
// side's.
func (t *trial) inTurn() []*side {
	first := t.order.Replicate % len(t.sides)
	return slices.Concat(t.sides[first:], t.sides[:first])
}

// procs returns the number of threads that may run Go code: the lanes that run at once, at most one a CPU unless they
// wait in the kernel, one for the agent, and one for its watchdog, which must not wait for the agent. In a closed loop
// generated by the whole process no lane keeps a thread busy: one thread a CPU is enough, since more would only take
// turns.
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

// leave stops everything that the trial started.
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
	started := slices.ContainsFunc(t.sides, func(s *side) bool {
		return !slices.Contains([]string{record.ChargedNone, record.ChargedFound}, s.startedSource())
	})
	if t.stuck || started || ctx.Err() != nil {
		kept.CleanUp(t.order.ID, false)
	}
}

// startDelay lets every lane reach its first Take before the load starts.
const startDelay = 2 * time.Millisecond

// measure starts the load, meters the measured window and waits for the lanes.
func (t *trial) measure(ctx context.Context, stopLanes func()) {
	t.out.enter(phaseMeasuring)
	gen := t.sides[0].gen
	p := newProfiling(ctx, t)
	defer p.close()
	m := newMeter(t)
	m.profiling = p
	defer m.close()
	m.energy.takeTurns(gen)
	once := t.sides[0].trial.Load.Kind == record.Once
	early := once || t.beforeWindow() < looksWithin // else the look would delay the begin of the window
	if early {
		m.others.begin()
	}
	if once {
		p.begin()
		m.begin() // the run may be over before this thread wakes up
	}
	zero := gen.Clock().Now() + int64(startDelay)
	for _, s := range t.sides {
		s.gen.Start(zero)
	}
	ended := t.lanes.ended()
	looked := func() {}
	if once {
		looked = t.lookInRun(m.others, ended)
	}
	from, to := gen.Window()
	if !once {
		waitUntil(ctx, gen.Clock(), from-int64(t.beforeWindow()), ended)
		t.lookBehind(false)
		if !early {
			m.others.begin()
		}
		waitUntil(ctx, gen.Clock(), from, ended)
		t.announce(KindBegun)
		p.begin()
		m.begin()
		waitUntil(ctx, gen.Clock(), to, ended)
		p.end()
		m.end()
		t.announce(KindEnded)
		m.others.end()
		t.lookBehind(true)
	}
	t.await(ctx, stopLanes, ended, to)
	if once {
		p.end()
		m.end()
		m.others.end()
	}
	looked()
	t.out.enter(phaseFinishing)
	gaps := m.dog.Stop()
	if !once {
		m.load = course.Span{From: from, To: t.ended(to)}
	}
	for _, s := range t.sides {
		s.gaps = gaps
	}
	m.share(t.sides)
	p.take(ctx)
}

// looksWithin is how long a look at all processes may take, with many of them on a busy machine.
const looksWithin = 50 * time.Millisecond

// beforeWindow returns how long before the measured time the load has its connections, and a look at them does not
// disturb: half of the warm-up, at most a quarter of a second.
func (t *trial) beforeWindow() time.Duration {
	return min(seconds(t.order.WarmupS)/2, 250*time.Millisecond)
}

func (t *trial) lookBehind(after bool) {
	for _, s := range t.sides {
		s.lookBehind(after)
	}
}

// ended returns when the load was over; as planned if lanes are stuck or nothing was done.
func (t *trial) ended(planned int64) int64 {
	last := int64(0)
	for _, s := range t.sides {
		if !t.stuck {
			last = max(last, s.gen.Ended())
		}
	}
	return cmp.Or(last, planned)
}

// waitUntil waits for a time on the generators' clock, until all lanes have ended, or until the context ends.
func waitUntil(ctx context.Context, c load.Clock, at int64, ended <-chan struct{}) {
	timer := time.NewTimer(time.Duration(at - c.Now()))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ended:
	case <-ctx.Done():
	}
}

// await waits for the lanes, until the context ends or they overrun the end of the window.
func (t *trial) await(ctx context.Context, stopLanes func(), ended <-chan struct{}, to int64) {
	var late <-chan time.Time
	overrun := t.overrun()
	if to != load.Never {
		late = time.After(time.Duration(to-t.sides[0].gen.Clock().Now()) + overrun)
	}
	for waiting := true; waiting; {
		select {
		case <-ended:
			return
		case <-ctx.Done():
			waiting = false
		case <-late:
			t.lanes.late.Store(true)
			waiting = false
		case <-time.After(looksForHung):
			if waiting = to == load.Never || !t.hung(to); !waiting {
				t.lanes.late.Store(true)
			}
		}
	}
	t.stop(stopLanes, ended)
	if t.lanes.late.Load() && (t.stuck || len(t.sides) > 1 || !t.answered()) {
		t.void(fmt.Errorf("the load did not end: an operation was still running %v after the measured window\nhint: "+
			"if one operation takes longer, measure longer with --for; if the workload's timeout is shorter, this is a "+
			"fault of Plimsoll", overrun))
	}
}

// looksForHung is how often lanes that have not ended are looked at.
const looksForHung = 100 * time.Millisecond

// hung reports whether the only lanes that run after the window are clients that have never had an answer, and ten
// times as long has gone by as another needed for its first, at least 2 s: a measurement of the others does not wait
// for them.
func (t *trial) hung(to int64) bool {
	if len(t.sides) > 1 {
		return false
	}
	gen := t.sides[0].gen
	slowest, hung := gen.Hung()
	return hung && time.Duration(gen.Clock().Now()-to) > max(2*time.Second, 10*slowest)
}

// answered reports whether any operation was answered in the window, of lanes that have ended. Clients without an
// answer are then a result: the run is valid and names them.
func (t *trial) answered() bool {
	return !slices.ContainsFunc(t.sides, func(s *side) bool { return s.gen.Result().OpsPerSecond == 0 })
}

// overrun returns the time allowed after the window for an operation to end: at least the length of the window.
func (t *trial) overrun() time.Duration {
	if t.agent.Overrun > 0 {
		return t.agent.Overrun
	}
	return max(overrun, seconds(t.order.DurationS))
}

// stop ends the lanes. Lanes that ignore it run until the process exits.
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
