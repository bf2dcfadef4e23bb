package agent

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/client/load"
	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/noise"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/run/agent/joint"
	"plimsoll/internal/workload"
)

// side measures one cell.
type side struct {
	spec   workload.Spec
	params workload.Params
	trial  record.Trial
	driver workload.Driver
	gen    *load.Generator
	lanes  int
	cpus   []int // by lane; empty: not pinned
	sets   topology.Sets
	gaps   []noise.Gap // periods in which the agent did not run
	root   hostfs.Root
	data   string // directory or device of its data; "" if unknown here
	series []record.Series
	events []record.Event
	remote bool        // generates the load of a server on another host
	serves bool        // is the target of other hosts' load
	away   bool        // its server, which was there, runs on another machine
	hidden bool        // its server runs on this machine, and its processes were not found
	part   *joint.Part // of a remote one

	pacing  load.Pacing
	control float64 // p99 lateness of the spin-only control, seconds

	node *node    // whose CPUs and memory the work has; nil: any
	cap  *float64 // CPUs that started processes may use; nil: all

	mu    sync.Mutex // guards what follows, and trial.Void and trial.Doubts
	tids  []int
	group account.Group // of started processes; nil before the first
	limit *account.CPULimit
	alone bool // the user has named the processes of a server that was there

	behind *account.Tree // of what the server's processes, or a command, are connected to on this host
	before float64       // the CPU seconds that it had when the window began, if it was found later
}

func (s *side) config(o record.Order) load.Config {
	return load.Config{
		Load: s.trial.Load, Lanes: s.lanes, Seed: o.Seed,
		Warmup: seconds(o.WarmupS), Duration: seconds(o.DurationS), Pacing: s.pacing,
		Shared: !s.remote && len(s.sets.Generator) == 0,
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Blank returns the trial i of an order on a machine before anything is measured.
func Blank(o record.Order, i int, m record.Machine) record.Trial {
	o, i = o.Alone(i)
	s := o.Sides[i]
	warmup := o.WarmupS
	if s.Load.Kind == record.Once {
		warmup = 0
	}
	slot := o.SlotOf(i)
	return record.Trial{
		ID: slot.ID(), Keys: keys(s, m), Slot: slot, Load: s.Load, WarmupS: warmup,
		Start: record.FormatTime(time.Now()),
	}
}

func keys(s record.Side, m record.Machine) map[string]string {
	out := map[string]string{
		record.KeyMachine: m.Name, record.KeyMachineID: m.ID, record.KeyWorkload: s.Workload,
		record.KeyLoad: s.Load.Key(), record.KeyVersion: m.Software.Plimsoll, record.KeyGo: runtime.Version(),
	}
	if m.Emulated != "" {
		out[record.KeyEmulated] = m.Emulated
	}
	if m.State.Boot != "" {
		out[record.KeyBoot] = m.State.Boot
	}
	if other := s.Params[record.ParamMachine]; other != "" {
		out[record.KeyMachine] = other
		delete(out, record.KeyMachineID)
		delete(out, record.KeyBoot)
	}
	for name, v := range s.Params {
		if name != record.ParamMachine { // KeyMachine holds this one already
			out[s.Workload+"."+name] = v
		}
	}
	for name, v := range s.Levels {
		out[record.FactorPrefix+name] = v
	}
	return out
}

// enter is the workload's Env.Enter: it opens the account of started processes at the first of them.
func (s *side) enter(attr *syscall.SysProcAttr, start func() (int, error)) error {
	s.mu.Lock()
	if s.group == nil {
		g, err := account.New(s.root, fmt.Sprintf("plimsoll-%d", os.Getpid()))
		if err != nil {
			s.mu.Unlock()
			return err
		}
		if s.cap != nil {
			s.limit, err = account.LimitCPU(s.root, g, *s.cap)
		}
		s.group = g
		if err != nil {
			s.mu.Unlock()
			return err
		}
	}
	g := s.group
	s.mu.Unlock()
	return g.Enter(attr, s.placed(start))
}

// startedSeconds returns the CPU time of the started processes, and of what they are connected to. After an error it is
// unknown, and no number may stand in for it.
func (s *side) startedSeconds() (own, behind float64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.group == nil:
		return 0, 0, nil
	case s.group.Source() == record.ChargedTree:
		own, err = reapedAndLiving(s.root)
	default:
		own, err = s.group.CPUSeconds()
	}
	if err != nil {
		return own, 0, err
	}
	behind, err = s.behindSeconds()
	return own, behind, err
}

// behindSeconds returns the CPU time of the servers that the work is connected to; 0 until they are known. The caller
// has locked mu.
func (s *side) behindSeconds() (float64, error) {
	if s.behind == nil {
		return 0, nil
	}
	seconds, err := s.behind.CPUSeconds()
	return seconds - s.before, err
}

// reapedAndLiving returns the CPU time of all processes that this one started. A process tree alone loses those that
// were waited for.
func reapedAndLiving(root hostfs.Root) (float64, error) {
	all, err := account.NewTree(root, os.Getpid()).CPUSeconds()
	if err != nil {
		return 0, err
	}
	own, err := cputime.NewThreads().CPUSeconds()
	return max(0, all-own), err
}

func (s *side) startedSource() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.group == nil {
		return record.ChargedNone
	}
	return s.group.Source()
}

// pids returns the live processes that were started for the work.
func (s *side) pids() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.group == nil {
		return nil
	}
	pids, _ := s.group.Pids() // on error the group is gone, and the processes with it
	return slices.DeleteFunc(pids, func(pid int) bool { return pid == os.Getpid() })
}

// external reports whether the work ran in processes that we did not start, so that its CPU use is unknown.
func (s *side) external() bool {
	return s.spec.Charge == workload.Started && s.startedSource() == record.ChargedNone
}

// markUnseen marks the trial's identity if the work was external, unless the user named the machine.
func (s *side) markUnseen(named bool) {
	if s.external() && !named {
		s.trial.Keys[record.KeyUnseen] = "true"
		if s.hidden {
			s.trial.Keys[record.KeyUnseen] = record.UnseenHere
		}
	}
}

// all returns the live processes of the work: those that were started, and those that they are connected to.
func (s *side) all() []int {
	return append(s.pids(), s.behindPids()...)
}

func (s *side) behindPids() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.behind == nil {
		return nil
	}
	pids, _ := s.behind.Pids()
	return pids
}

func (s *side) addThread(tid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tids = append(s.tids, tid)
}

func (s *side) threads() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tids
}

// charged returns the threads whose CPU time is the generator's: those of the lanes, or none, which means all.
func (s *side) charged() []int {
	if s.spec.Whole {
		return nil
	}
	return s.threads()
}

// voidFor voids the side's trial; the first reason stands.
func (s *side) voidFor(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trial.Void == "" {
		s.trial.Void = reason
	}
}

func (s *side) doubt(msg string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trial.Doubts = append(s.trial.Doubts, msg)
}

// finish turns the generator's counts into the trial's values.
func (s *side) finish(ctx context.Context) {
	res := s.gen.Result()
	s.stamp(s.gen.Clock(), res)
	if ctx.Err() != nil {
		s.voidFor("interrupted")
		return
	}
	if err := workload.Settle(ctx, s.driver); err != nil {
		s.voidFor(err.Error())
	}
	s.conclude(ctx, s.driver, func() error {
		err := s.values(res)
		s.trial.Values = append(s.trial.Values, s.perJoule(res)...)
		return err
	})
	s.left()
	s.trial.Generator = use(s, res)
	s.stoodStill(res)
	var warming workload.Warming
	if h, ok := s.driver.(workload.Heater); ok {
		warming, _ = h.Heat()
	}
	s.bulk(res)
	s.observe(ctx, s.driver, res, warming)
	if s.remote {
		s.shared(res)
	}
}

// left records how many processes commands have left. Those that left their process group too are still there, and end
// with the side.
func (s *side) left() {
	if l, ok := s.driver.(workload.Leaver); ok {
		s.trial.Left = l.Left() + len(s.pids())
	}
}

// verifier is a driver or a server.
type verifier interface{ Verify(context.Context) error }

// conclude records what a driver or server states and doubts after its trial.
func (s *side) conclude(ctx context.Context, work verifier, values func() error) {
	if k, ok := work.(workload.Keyer); ok {
		maps.Copy(s.trial.Keys, k.Keys())
	}
	if err := values(); err != nil {
		s.voidFor(err.Error())
	}
	if err := work.Verify(ctx); err != nil {
		s.voidFor(fmt.Sprintf("verifying: %v", err))
	}
	if d, ok := work.(workload.Doubter); ok {
		for _, msg := range d.Doubts() {
			s.doubt(msg)
		}
	}
}

// observe records the course of a trial under a load, made here or by other hosts.
func (s *side) observe(ctx context.Context, work any, res load.Result, warming workload.Warming) {
	if d, ok := work.(workload.Databaser); ok {
		s.trial.Database = d.Database(res)
	}
	s.trial.Steady = course.SteadyStateOf(s.trial.Load, res.Windows)
	s.heat(work, res, warming)
	s.timeline(ctx, work, res)
	s.happened(work, res)
}

// stamp records the start of the measured window on both clocks.
func (s *side) stamp(clock load.Clock, res load.Result) {
	s.trial.DurationS = res.Seconds
	if res.Start == 0 {
		return
	}
	ago := time.Duration(clock.Now() - res.Start)
	s.trial.MonoNs = res.Start
	s.trial.Start = record.FormatTime(time.Now().Add(-ago))
}

func (s *side) values(res load.Result) error {
	if v, ok := s.driver.(workload.Valuer); ok {
		own, err := v.Values(res)
		if err != nil {
			return err
		}
		if own != nil {
			s.trial.Values = own
			return nil
		}
	}
	s.trial.Values = counted(s.spec, s.trial, res)
	s.extend(s.driver, res)
	s.lead()
	return nil
}

// lead puts the primary metric first, if it is one of the driver's own.
func (s *side) lead() {
	values := s.trial.Values
	primary := s.spec.PrimaryAt(s.params.All())
	at := slices.IndexFunc(values, func(v record.Value) bool { return v.Name == primary })
	if at > 0 && values[0].Name == s.spec.Metrics[0].Name {
		s.trial.Values = slices.Concat(values[at:at+1], values[:at], values[at+1:])
	}
}

func (s *side) extend(work any, res load.Result) {
	if e, ok := work.(workload.Extender); ok {
		s.trial.Values = append(s.trial.Values, e.Extra(res)...)
	}
}

// report returns the side's series and events, then its trial.
func (s *side) report() []Message {
	var out []Message
	for i := range s.series {
		out = append(out, Message{Kind: kindSeries, Series: &s.series[i]})
	}
	for i := range s.events {
		out = append(out, Message{Kind: kindEvent, Event: &s.events[i]})
	}
	// A copy, because lanes that could not be stopped may still void the trial.
	s.mu.Lock()
	t := s.trial
	s.mu.Unlock()
	return append(out, Message{Kind: kindTrial, Trial: &t, Part: s.part})
}

// cleanUp tells a failure with the trial. A failed trial is known by its reason alone.
func (s *side) cleanUp(ctx context.Context) {
	c, ok := s.driver.(workload.Cleaner)
	if !ok {
		return
	}
	err := c.CleanUp(context.WithoutCancel(ctx)) // one that has begun is ended with the side
	if err == nil {
		return
	}
	text := strings.TrimPrefix(err.Error(), s.spec.Name+": ")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trial.Void == "" {
		s.trial.Doubts = append(s.trial.Doubts, record.CleanupDoubt+text)
		return
	}
	text, _ = usage.Hints(text)
	why, hints := usage.Hints(s.trial.Void)
	s.trial.Void = why + "; then " + record.CleanupDoubt + text
	for _, hint := range hints {
		s.trial.Void += "\nhint: " + hint
	}
}

func (s *side) close() {
	if s.driver != nil {
		_ = s.driver.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.group != nil {
		if s.group.Source() != record.ChargedFound {
			_ = procs.KillAll(s.group.Pids)
		}
		_ = s.limit.Close()
		_ = s.group.Close()
	}
}
