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

	"plimsoll/internal/engine"
	"plimsoll/internal/host"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// How finely CPU time is sampled: as finely as the profilers bear, as long as no more samples come together than a share needs. A share of 20,000 samples
// has a standard error of 0.35 percentage points at most.
const (
	finestNs    = 1_003_009 // 997 a second: no multiple of what servers do in round times
	finestJVMNs = 2_008_032 // 498 a second: a Java stack takes tens of microseconds to be walked
	mostSamples = 20_000
	coarsestNs  = 50_000_000
)

// profiling is a trial being profiled.
type profiling struct {
	trial  *trial
	sides  []*sideProfile
	ending sync.WaitGroup
}

// sideProfile is one side of it.
type sideProfile struct {
	side    *side
	all     engine.Sampler // of all programs; nil: runtime/pprof stands in, or nothing does
	java    engine.Sampler // of Java virtual machines; nil: there are none, or none can be sampled
	jvms    []int
	own     *ownSampler
	waits   *host.WaitSampler
	looking bool // they were begun
	seen    host.Waits
	keys    map[string]string
	took    float64 // CPU seconds of perf until the window's end
	began   int64   // CLOCK_MONOTONIC
	broke   bool    // it has sampled nothing
}

// newProfiling attaches the profilers. What cannot be sampled is a doubt of the trial, not its end.
func newProfiling(ctx context.Context, t *trial) *profiling {
	if !t.order.Profiled || t.target != "" {
		return nil
	}
	p := &profiling{trial: t}
	for i, s := range t.sides {
		s.trial.Profiled = true
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

// period is the CPU time between two samples.
func period(cpus int, windowS float64, jvm bool) int64 {
	finest := int64(finestNs)
	if jvm {
		finest = finestJVMNs
	}
	return min(max(finest, int64(float64(cpus)*windowS/mostSamples*1e9)), coarsestNs)
}

// lasts is how long a trial is likely to last, in seconds.
func lasts(o record.Order) float64 { return cmp.Or(o.LastedS, o.DurationS) }

func (p *sideProfile) attach(ctx context.Context, t *trial, dir string) {
	s := p.side
	if s.spec.Charge == workload.Lanes {
		p.attachOwn(ctx, t, dir)
		return
	}
	pids := s.pids()
	for _, pid := range pids {
		if host.IsJVM(s.root, pid) {
			p.jvms = append(p.jvms, pid)
		}
	}
	if len(pids) == 0 && s.trial.Load.Kind != record.Once {
		p.doubt(errors.New("nothing that does the work was started here, so that there is nothing to sample"))
		p.broke = true
		return
	}
	sampling := engine.Sampling{Pids: pids, Scratch: dir, PeriodNs: period(len(t.machine.CPU.Allowed), lasts(t.order), len(p.jvms) > 0)}
	p.all = p.with(ctx, t.agent.Sampler, sampling)
	if len(p.jvms) > 0 {
		sampling.Pids = p.jvms
		p.java = p.with(ctx, t.agent.JVMSampler, sampling)
	}
	p.waits = host.NewWaitSampler(s.root, s.pids, nil)
}

// attachOwn samples the lanes of this process.
func (p *sideProfile) attachOwn(ctx context.Context, t *trial, dir string) {
	s := p.side
	sampling := engine.Sampling{Tids: s.threads(), Scratch: dir, PeriodNs: period(s.lanes, lasts(t.order), false)}
	p.waits = host.NewWaitSampler(s.root, nil, slices.Clone(s.threads()))
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

// with attaches one profiler; nil where it cannot.
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

// samplers are those that sample.
func (p *sideProfile) samplers() []engine.Sampler {
	var out []engine.Sampler
	for _, s := range []engine.Sampler{p.all, p.java} {
		if s != nil {
			out = append(out, s)
		}
	}
	if p.own != nil {
		out = append(out, p.own)
	}
	return out
}

// each does something with all samplers of all sides at once, and returns when all are done.
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

// begin begins to sample.
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
			sp.looking = true
		}
	}
}

// end stops to sample, beside what else is done at the window's end.
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

// close ends what the profilers have started.
func (p *profiling) close() {
	if p == nil {
		return
	}
	p.ending.Wait()
	for _, sp := range p.sides {
		if sp.looking {
			sp.waits.Stop()
		}
		for _, s := range sp.samplers() {
			_ = s.Close()
		}
	}
}

// used is the CPU time of the profilers so far that would count as somebody else's: of their processes, and of the thread that looks at waits.
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

// take makes the profiles of what was sampled into series of the sides.
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

// takesWithin is how long reading the samples may take.
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
	p.tellCost()
	if !okAll && !okJava {
		p.doubt(errors.New("no CPU time was sampled"))
		return
	}
	if len(p.jvms) > 0 && p.java == nil {
		p.doubt(errors.New("methods of Java have no names\nhint: plimsoll setup async-profiler"))
	}
	profile := together(p.chargedTo(all, okJava), all, java)
	p.compareWithCharge(&profile)
	p.keep(record.ProfileCPU, "sample", profile)
}

// read is what a sampler found; false where that is nothing.
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

// chargedTo says whose samples are the work's: those of its threads, or of its processes and of those that these have started, without the Java runtimes
// that another profiler has sampled.
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

// descends says whether a process is one of these or was started by one. Ids of processes come again, so that the way up may be a ring.
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

// together makes one profile of the samples that are charged, and all of Java's.
func together(charged func(engine.Sampled) bool, all, java engine.Samples) record.Profile {
	out := record.Profile{Clock: all.Clock, PeriodNs: all.PeriodNs}
	if len(all.Stacks) == 0 {
		out.Clock, out.PeriodNs = java.Clock, java.PeriodNs
	}
	// By the shorter of the periods, in which a stack that was seen once counts for no more than it was.
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

// compareWithCharge sets the samples against the CPU time that was metered: by the hardware's cycles a sample stands for as much as that says, and by clocks
// they have to agree.
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
		p.doubt(fmt.Errorf("its samples stand for %.3g s of CPU time, and %.3g s were used", sampled, use.Work))
	}
}

// eventCost is the event that says what CPU time the profilers took which is charged to nobody.
const eventCost = "profile_cost"

func (p *sideProfile) tellCost() {
	detail := fmt.Sprintf("perf took %.3f s of CPU time with its start, looking at threads that wait %.3f s", p.took, p.seen.CostS)
	p.side.events = append(p.side.events, record.Event{Trial: p.side.trial.ID, TimeNs: p.began, Name: eventCost, Detail: detail})
}

// takeWaits makes the series of what was waited for.
func (p *sideProfile) takeWaits() {
	w := p.seen
	if w.Looks == 0 {
		return
	}
	if step := host.WaitStep.Nanoseconds(); w.StepNs > 2*step {
		p.doubt(fmt.Errorf("there are so many threads that those that wait were looked at each %.1g s only", float64(w.StepNs)/1e9))
	}
	if w.How == "wchan" || w.How == "syscall" {
		p.doubt(errors.New("of threads that wait the kernel's stack may not be read: what they wait in is one function or system call\nhint: run as root"))
	}
	p.keep(record.ProfileWait, "look", record.Profile{Clock: record.ClockWall, PeriodNs: w.StepNs, Stacks: w.Stacks})
}

// ownLabel marks the goroutines of lanes, so that runtime/pprof tells their samples from others.
const ownLabel = "plimsoll-lane"

// labelled marks a lane's goroutine.
func labelled(ctx context.Context) {
	pprof.SetGoroutineLabels(pprof.WithLabels(ctx, pprof.Labels(ownLabel, "yes")))
}
