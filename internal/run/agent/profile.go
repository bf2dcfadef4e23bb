package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"sync"
	"time"

	"plimsoll/internal/base/list"
	"plimsoll/internal/client/load"
	"plimsoll/internal/engine"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/machine/host/waits"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// The sampling period of CPU time: as short as the profilers bear, as long as the total stays below the number of
// samples that a share needs. With 20,000 samples a share has a standard error of at most 0.35 percentage points.
const (
	finestNs    = 1_003_009 // 997 Hz: not a multiple of the round periods that servers use
	finestJVMNs = 2_008_032 // 498 Hz: walking a Java stack takes tens of microseconds
	mostSamples = 20_000
	coarsestNs  = 50_000_000
)

// profiling profiles a trial.
type profiling struct {
	sides  []*sideProfile
	ending sync.WaitGroup
}

// sideProfile profiles one side.
type sideProfile struct {
	side    *side
	all     engine.Sampler // of all programs; nil: runtime/pprof is used instead, or nothing
	java    engine.Sampler // of Java virtual machines; nil: there are none, or none can be sampled
	jvms    []int
	own     *ownSampler
	waits   *waits.Sampler
	waiting bool // waits was started
	seen    waits.Waits
	keys    map[string]string
	took    float64 // CPU seconds of perf until the end of the window
	began   int64   // CLOCK_MONOTONIC
	broke   bool    // nothing was sampled
}

// newProfiling attaches the profilers. A failure to sample casts a doubt on the trial but does not end it.
func newProfiling(ctx context.Context, t *trial) *profiling {
	if !t.order.Profiled || t.target != "" {
		return nil
	}
	p := &profiling{}
	for i, s := range t.sides {
		sp := &sideProfile{side: s, keys: map[string]string{}}
		p.sides = append(p.sides, sp)
		dir := fmt.Sprintf("%s/profile-%d", t.scratch, i)
		if err := os.Mkdir(dir, workload.Enterable); err != nil {
			sp.doubt(err)
			continue
		}
		// A Java runtime of another user writes there.
		if err := os.Chmod(dir, os.ModeSticky|0o777); err != nil {
			sp.doubt(err)
		}
		sp.attach(ctx, t, dir)
	}
	return p
}

func (p *sideProfile) doubt(err error) {
	p.side.doubt(record.ProfileDoubt + err.Error())
}

// period returns the CPU time between samples, in nanoseconds.
func period(cpus int, windowS float64, jvm bool) int64 {
	finest := int64(finestNs)
	if jvm {
		finest = finestJVMNs
	}
	return min(max(finest, int64(float64(cpus)*windowS/mostSamples*1e9)), coarsestNs)
}

// lasts returns the expected duration of a trial in seconds.
func lasts(o record.Order) float64 { return cmp.Or(o.LastedS, o.DurationS) }

func (p *sideProfile) attach(ctx context.Context, t *trial, dir string) {
	s := p.side
	if s.spec.Charge == workload.Lanes {
		p.attachOwn(ctx, t, dir)
		return
	}
	pids := s.pids()
	for _, pid := range pids {
		if procs.IsJVM(s.root, pid) {
			p.jvms = append(p.jvms, pid)
		}
	}
	if len(pids) == 0 && s.trial.Load.Kind != record.Once {
		p.doubt(errors.New("no process that does the work was started or found, so there is nothing to sample"))
		p.broke = true
		return
	}
	sampling := engine.Sampling{Pids: pids, Scratch: dir,
		PeriodNs: period(len(t.machine.CPU.Allowed), lasts(t.order), len(p.jvms) > 0)}
	p.all = p.with(ctx, t.agent.Sampler, sampling)
	if len(p.jvms) > 0 {
		sampling.Pids = p.jvms
		p.java = p.with(ctx, t.agent.JVMSampler, sampling)
	}
	p.waits = waits.NewSampler(s.root, s.pids, nil)
}

// attachOwn samples the lanes of this process.
func (p *sideProfile) attachOwn(ctx context.Context, t *trial, dir string) {
	s := p.side
	sampling := engine.Sampling{Tids: s.threads(), Scratch: dir, PeriodNs: period(s.lanes, lasts(t.order), false)}
	p.waits = waits.NewSampler(s.root, nil, slices.Clone(s.threads()))
	if t.agent.Sampler != nil {
		in, err := t.agent.Sampler.Find(ctx, engine.Params{})
		if err == nil && t.agent.Sampler.Able(in) == nil {
			p.all = p.with(ctx, t.agent.Sampler, sampling)
		}
	}
	if p.all == nil && len(t.sides) == 1 {
		p.own = &ownSampler{}
	}
}

// with attaches one profiler, or returns nil if it cannot.
func (p *sideProfile) with(ctx context.Context, profiler engine.Profiler, s engine.Sampling) engine.Sampler {
	if profiler == nil {
		return nil
	}
	in, err := profiler.Find(ctx, engine.Params{})
	if err == nil {
		err = profiler.Able(in)
	}
	var out engine.Sampler
	if err == nil {
		out, err = profiler.Attach(ctx, in, s)
	}
	if err != nil {
		p.doubt(err)
		return nil
	}
	for k, v := range in.Keys() {
		p.keys[k] = v
	}
	return out
}

func (p *sideProfile) samplers() []engine.Sampler {
	out := list.Filter([]engine.Sampler{p.all, p.java}, func(s engine.Sampler) bool { return s != nil })
	if p.own != nil {
		out = append(out, p.own)
	}
	return out
}

// each calls do for all samplers of all sides concurrently, and waits for them.
func (p *profiling) each(do func(engine.Sampler) error) {
	var all sync.WaitGroup
	for _, sp := range p.sides {
		for _, s := range sp.samplers() {
			all.Go(func() {
				if err := do(s); err != nil {
					sp.doubt(err)
				}
			})
		}
	}
	all.Wait()
}

// begin starts sampling.
func (p *profiling) begin() {
	if p == nil {
		return
	}
	p.each(engine.Sampler.Begin)
	for _, sp := range p.sides {
		if clock, err := load.NewClock(); err == nil {
			sp.began = clock.Now()
		}
		if sp.waits != nil {
			sp.waits.Start()
			sp.waiting = true
		}
	}
}

// end stops sampling, concurrently with the rest of the work at the end of the window.
func (p *profiling) end() {
	if p == nil {
		return
	}
	p.ending.Go(func() {
		p.each(engine.Sampler.End)
		for _, sp := range p.sides {
			if sp.all != nil {
				sp.took = sp.all.CPUSeconds()
			}
		}
	})
	for _, sp := range p.sides {
		if sp.waits != nil {
			p.ending.Go(func() { sp.seen = sp.waits.Stop() })
		}
	}
}

// close stops what the profilers started.
func (p *profiling) close() {
	if p == nil {
		return
	}
	p.ending.Wait()
	for _, sp := range p.sides {
		if sp.waiting {
			sp.waits.Stop()
		}
		for _, s := range sp.samplers() {
			_ = s.Close()
		}
	}
}

// used returns the profilers' CPU seconds so far that would be charged to others: those of their processes, and of the
// thread that samples waits.
func (p *profiling) used() (processes, thread float64) {
	if p == nil {
		return 0, 0
	}
	for _, sp := range p.sides {
		for _, s := range sp.samplers() {
			processes += s.CPUSeconds()
		}
		if sp.waits != nil {
			thread += sp.waits.CPUSeconds()
		}
	}
	return processes, thread
}

// take converts the samples into series of the sides.
func (p *profiling) take(ctx context.Context) {
	if p == nil {
		return
	}
	p.ending.Wait()
	for _, sp := range p.sides {
		if !sp.broke {
			sp.take(ctx)
		}
	}
}

// takesWithin bounds reading the samples.
const takesWithin = 5 * time.Minute

func (p *sideProfile) take(ctx context.Context) {
	ctx, cancel := context.WithTimeoutCause(ctx, takesWithin, fmt.Errorf("not done within %v", takesWithin))
	defer cancel()
	for k, v := range p.keys {
		p.side.trial.Keys[k] = v
	}
	all, okAll := p.read(ctx, p.all)
	java, okJava := p.read(ctx, p.java)
	if p.own != nil {
		all, okAll = p.read(ctx, p.own)
	}
	p.takeWaits()
	p.recordCost()
	if !okAll && !okJava {
		p.doubt(errors.New("no CPU time was sampled"))
		return
	}
	if len(p.jvms) > 0 && p.java == nil {
		p.doubt(
			errors.New("Java methods are unnamed\nhint: plimsoll setup async-profiler")) //nolint:staticcheck // Java is a name
	}
	profile := together(p.chargedTo(all, okJava), all, java)
	p.compareWithCharge(&profile)
	p.keep(record.ProfileCPU, "sample", profile)
}

// read returns a sampler's samples, and false if there are none.
func (p *sideProfile) read(ctx context.Context, s engine.Sampler) (engine.Samples, bool) {
	if s == nil {
		return engine.Samples{}, false
	}
	out, err := s.Samples(ctx)
	if err != nil {
		p.doubt(err)
		return engine.Samples{}, false
	}
	for _, d := range out.Doubts {
		p.doubt(errors.New(d))
	}
	return out, len(out.Stacks) > 0
}

// chargedTo returns a predicate for the samples that belong to the work: those of its threads, or of its processes and
// their descendants, without Java runtimes that another profiler sampled.
func (p *sideProfile) chargedTo(all engine.Samples, java bool) func(engine.Sampled) bool {
	s := p.side
	if s.spec.Charge == workload.Lanes {
		tids := s.threads()
		return func(k engine.Sampled) bool { return k.Tid == 0 || slices.Contains(tids, k.Tid) }
	}
	work := map[int]bool{}
	for _, pid := range slices.Concat(p.waits.Seen(), s.pids()) {
		work[pid] = true
	}
	self := os.Getpid()
	for child, parent := range all.Parents {
		if parent == self && !slices.Contains(all.Own, child) {
			work[child] = true
		}
	}
	skip := map[int]bool{self: true}
	if java {
		for _, pid := range p.jvms {
			skip[pid] = true
		}
	}
	return func(k engine.Sampled) bool { return !skip[k.Pid] && descends(k.Pid, work, all.Parents) }
}

// descends reports whether pid is in work or descends from one of it. Process IDs are reused, so the chain of parents
// may be a cycle.
func descends(pid int, work map[int]bool, parents map[int]int) bool {
	for range len(parents) + 1 {
		if work[pid] {
			return true
		}
		up, ok := parents[pid]
		if !ok {
			return false
		}
		pid = up
	}
	return false
}

// together merges the charged samples and all samples of Java into one profile.
func together(charged func(engine.Sampled) bool, all, java engine.Samples) record.Profile {
	out := record.Profile{Clock: all.Clock, PeriodNs: all.PeriodNs}
	if len(all.Stacks) == 0 {
		out.Clock, out.PeriodNs = java.Clock, java.PeriodNs
	}
	// Use the shorter period, so that a stack seen once is not weighted up.
	if java.PeriodNs > 0 && len(java.Stacks) > 0 {
		out.PeriodNs = min(out.PeriodNs, java.PeriodNs)
	}
	var sum record.StackSum
	for _, s := range all.Stacks {
		if charged(s) {
			sum.Add(s.Stack, record.InPeriod(s.N, all.PeriodNs, out.PeriodNs))
		}
	}
	for _, s := range java.Stacks {
		sum.Add(s.Stack, record.InPeriod(s.N, java.PeriodNs, out.PeriodNs))
	}
	out.Stacks = sum.Stacks
	return out
}

// compareWithCharge checks the samples against the metered CPU time. If they come from hardware cycles, it calibrates
// the period; if from clocks, the two have to agree.
func (p *sideProfile) compareWithCharge(profile *record.Profile) {
	n := profile.Samples()
	use := p.side.trial.CPU
	if use == nil || use.Work <= 0 || n == 0 {
		return
	}
	if profile.Clock == record.ClockCycles {
		profile.PeriodNs = int64(use.Work * 1e9 / float64(n))
		return
	}
	const far, few = 1.25, 100
	sampled := float64(n*profile.PeriodNs) * 1e-9
	if n >= few && (sampled > far*use.Work || use.Work > far*sampled) {
		p.doubt(fmt.Errorf("its samples amount to %.3g s of CPU time, but %.3g s were used", sampled, use.Work))
	}
}

// eventCost is the event that records the CPU time of the profilers, which is charged to nobody.
const eventCost = "profile_cost"

func (p *sideProfile) recordCost() {
	detail := fmt.Sprintf("profilers took %.3f s of CPU time with their start, looking at threads that wait %.3f s",
		p.took, p.seen.CostS)
	p.side.events = append(p.side.events,
		record.Event{Trial: p.side.trial.ID, TimeNs: p.began, Name: eventCost, Detail: detail})
}

// takeWaits records the series of waits.
func (p *sideProfile) takeWaits() {
	w := p.seen
	if w.Looks == 0 {
		return
	}
	if step := waits.Step.Nanoseconds(); w.StepNs > 2*step {
		p.doubt(fmt.Errorf("too many threads: waits were sampled only every %.1g s", float64(w.StepNs)/1e9))
	}
	if w.How == "wchan" || w.How == "syscall" {
		p.doubt(errors.New("kernel stacks of waiting threads are not readable: each wait shows one function or system call " +
			"only\nhint: run as root"))
	}
	p.keep(record.ProfileWait, "look", record.Profile{Clock: record.ClockWall, PeriodNs: w.StepNs, Stacks: w.Stacks})
}

// ownLabel marks the goroutines of lanes, so that their samples can be told from others in runtime/pprof.
const ownLabel = "plimsoll-lane"

// labelled marks a lane's goroutine.
func labelled(ctx context.Context) {
	pprof.SetGoroutineLabels(pprof.WithLabels(ctx, pprof.Labels(ownLabel, "yes")))
}
