package agent

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/workload"
)

// ran is a run of a batch.
type ran struct {
	workload.Ran
	side *side
	from int64 // CLOCK_MONOTONIC
}

// to returns the run's end on CLOCK_MONOTONIC.
func (r ran) to() int64 { return r.from + int64(r.Wall) }

// collects is after how many runs of a batch the memory that they took is reclaimed, between two runs. Without, this
// process would grow, and hide the memory of the commands that it forks (process.Program.SeenMemory).
const collects = 64

// checkBatch returns an error unless all sides can repeat their runs.
func (t *trial) checkBatch() error {
	for _, s := range t.sides {
		if _, ok := s.driver.(workload.Repeater); !ok {
			return usage.Errorf("workload %s cannot repeat its runs in one process\nhint: install the same version of "+
				"plimsoll on both hosts", s.spec.Name)
		}
	}
	return nil
}

// runBatch makes the first runs of a batch: up to one that takes long, fails or leaves processes, or the first after
// BatchS that completes a pair. The window that is metered begins before the first run and ends after the last.
func (t *trial) runBatch(ctx context.Context) {
	defer t.cleanUp(ctx)
	side := t.sides[0]
	if err := side.prepare(ctx); err != nil {
		t.ran = []ran{failedBefore(side, err)}
		return
	}
	clock, err := load.NewClock()
	if err != nil {
		t.ran = []ran{failedBefore(side, err)}
		return
	}
	defer t.quieten()()
	runtime.LockOSThread() // its CPU time is the generator's
	defer runtime.UnlockOSThread()
	for _, s := range t.sides {
		s.addThread(unix.Gettid())
	}
	t.out.enter(phaseMeasuring)
	m := newMeter(t)
	defer m.close()
	m.others.begin()
	m.begin()
	first := make(chan struct{})
	looked := t.lookInRun(m.others, first)
	t.turns(ctx, clock, sync.OnceFunc(func() { close(first) }))
	m.end()
	m.others.end()
	looked()
	t.out.enter(phaseFinishing)
	gaps := m.dog.Stop()
	if last := &t.ran[len(t.ran)-1]; last.side.startedSource() != record.ChargedGroup {
		last.Left += len(last.side.pids())
	}
	for _, s := range t.sides {
		s.gaps = gaps
		s.markUnseen(s.params.Text(record.ParamMachine) != "")
		if k, ok := s.driver.(workload.Keyer); ok {
			maps.Copy(s.trial.Keys, k.Keys())
		}
	}
	if len(t.ran) > 1 {
		m.energy = nil // all runs together used its joules
	}
	m.share(t.sides)
}

func failedBefore(s *side, err error) ran {
	return ran{side: s, Ran: workload.Ran{Err: fmt.Errorf("preparing: %w", err)}}
}

// turns makes the runs, and calls ended after the first.
func (t *trial) turns(ctx context.Context, clock load.Clock, ended func()) {
	defer ended()
	began := time.Now()
	prepared := []*side{t.sides[0]}
	for i, turn := range t.order.Turns {
		s := t.sides[turn.Side]
		if !slices.Contains(prepared, s) {
			if err := s.prepare(ctx); err != nil {
				t.ran = append(t.ran, failedBefore(s, err))
				return
			}
			prepared = append(prepared, s)
		}
		if i%collects == collects-1 {
			runtime.GC()
		}
		r := ran{side: s, from: clock.Now()}
		r.Ran = s.driver.(workload.Repeater).Again(ctx)
		ended()
		if !r.Started.IsZero() { // as of one that could not be started
			r.from = clock.Now() - int64(time.Since(r.Started))
		}
		if s.startedSource() == record.ChargedGroup { // of a process tree, looking would take as long as many runs
			r.Left += len(s.pids())
		}
		t.ran = append(t.ran, r)
		if ctx.Err() != nil || r.Err != nil || r.Left > 0 || r.Wall.Seconds() >= record.ShortRunS ||
			time.Since(began).Seconds() >= record.BatchS && !t.pairOpen(i) {
			return
		}
	}
}

// pairOpen reports whether the run after turn i is of the same pair.
func (t *trial) pairOpen(i int) bool {
	if i+1 >= len(t.order.Turns) {
		return false
	}
	a, b := t.order.Turns[i], t.order.Turns[i+1]
	return a.Group == b.Group && a.Replicate == b.Replicate
}

// reportBatch returns the trials of the runs made.
func (t *trial) reportBatch() []Message {
	if len(t.ran) == 1 {
		return t.ran[0].reportAlone(Blank(t.order, 0, t.machine))
	}
	batch := &record.Batch{Runs: len(t.ran)}
	total := 0.0
	for _, r := range t.ran {
		total += r.Wall.Seconds()
		batch.WindowS = max(batch.WindowS, float64(r.to()-t.ran[0].from)/1e9)
	}
	var out []Message
	for i, r := range t.ran {
		trial := r.trial(Blank(t.order, i, t.machine))
		trial.Batch = batch
		r.takeShare(&trial, r.Wall.Seconds()/total, len(t.sides))
		r.stoodStill(&trial)
		out = append(out, Message{Kind: kindTrial, Trial: &trial})
	}
	return out
}

// reportAlone returns the only run of a batch: its window is the run's, as without batches.
func (r ran) reportAlone(blank record.Trial) []Message {
	s := r.side
	s.trial = r.trial(blank)
	r.stoodStill(&s.trial)
	s.trial.Values = append(s.trial.Values, s.perJoule(load.Result{Ops: 1, Seconds: r.Wall.Seconds()})...)
	return s.report()
}

// stoodStill adds to a trial's ledger for how long nothing ran here during the run.
func (r ran) stoodStill(trial *record.Trial) {
	if trial.Ledger != nil && r.Wall > 0 {
		stoodStill(trial.Ledger, r.side.gaps, course.Span{From: r.from, To: r.to()}, []int64{r.from, r.to()})
	}
}

// trial returns the run's trial, with its side's figures of the window.
func (r ran) trial(blank record.Trial) record.Trial {
	out := r.side.trial
	out.ID, out.Slot = blank.ID, blank.Slot
	out.Start, out.MonoNs, out.DurationS = blank.Start, r.from, r.Wall.Seconds()
	if !r.Started.IsZero() {
		out.Start = record.FormatTime(r.Started)
	}
	out.Values, out.Left = r.Values, r.Left
	if out.Ledger != nil {
		ledger := *out.Ledger // shared by the side's runs
		out.Ledger = &ledger
	}
	out.Doubts = slices.Concat(out.Doubts, r.Doubts)
	if r.Err != nil {
		out.Void = r.Err.Error()
	}
	return out
}

// takeShare reduces the window's figures to the run: its own CPU time, and a part of each total by its duration.
// Programs, disks, network, clocks and joules are known for all runs together, and for no single one.
func (r ran) takeShare(t *record.Trial, share float64, sides int) {
	t.Others, t.Disk, t.Network, t.Clock = nil, nil, nil, nil
	if t.CPU != nil {
		use := *t.CPU
		use.Work, use.Source = r.CPU.Seconds(), record.ChargedTree
		use.Generator, use.Machine = use.Generator*share, use.Machine*share
		use.WindowS *= share * float64(sides)
		t.CPU = &use
	}
	if t.Ledger == nil {
		return
	}
	t.Ledger.CostS *= share
	for _, total := range []**float64{&t.Ledger.ThrottledS, &t.Ledger.SwapPages, &t.Ledger.ThermalEvents} {
		if *total != nil {
			part := **total * share
			*total = &part
		}
	}
}
