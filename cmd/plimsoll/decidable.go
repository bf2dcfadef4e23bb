package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/plan"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/run"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/workload/kernel"
)

// The trials of an A/A are short (docs/derivations.md#sensitivity).
const (
	aaWarmupS   = 0.03
	aaDurationS = 0.1
	aaTime      = "15s"
)

// noiseOptions control whether and for how long `machine` compares work with itself.
type noiseOptions struct {
	facts    bool
	duration string
	seconds  float64
}

func (o *noiseOptions) addTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.facts, "facts", false, "print machine facts only; skip the A/A noise measurement")
	cmd.Flags().StringVar(&o.duration, "for", aaTime,
		"total time of the A/A noise measurement, longer until three pairs are measured")
}

func (o *noiseOptions) check(cmd *cobra.Command) (err error) {
	if o.facts && cmd.Flags().Changed("for") {
		return usagef("--facts measures nothing, and --for sets the time to measure\nhint: leave out one of them")
	}
	o.seconds, err = positive("for", o.duration)
	return err
}

// described is a machine and its minimum detectable effects.
type described struct {
	record.Machine
	Decidable []sequential.Decidable `json:"decidable,omitempty"`
}

// describe prints a machine and its minimum detectable effects; after an interrupt, those known by then.
func (a *app) describe(ctx context.Context, o noiseOptions, m record.Machine, asJSON bool) error {
	if !asJSON {
		if err := render.Machine(a.stdout, a.style(), m); err != nil {
			return err
		}
	}
	found, err := a.decidable(ctx, o, m)
	switch {
	case asJSON:
		err = errors.Join(err, json.Write(a.stdout, described{m, found}))
	case len(found) > 0:
		err = errors.Join(err, render.Decidable(a.stdout, a.style(), found))
	}
	if err != nil {
		return err
	}
	return undecided(found)
}

// undecided returns an error if nothing usable was measured.
func undecided(found []sequential.Decidable) error {
	for _, d := range found {
		if d.SD != nil {
			return nil
		}
	}
	if len(found) == 0 {
		return nil
	}
	return noTrialError{"nothing was measured often enough for a minimum detectable effect: " + found[0].Doubts[0].Text() +
		"\nhint: --for 60s measures longer; --facts does not measure"}
}

// decidable compares the same work with itself on this machine, for as long as the options permit.
func (a *app) decidable(ctx context.Context, o noiseOptions, m record.Machine) ([]sequential.Decidable, error) {
	if o.facts {
		return nil, nil
	}
	if m.Emulated != "" {
		fmt.Fprintf(a.stderr, "plimsoll: the CPU is emulated by %s, and nothing can be decided on it: not measured\n",
			m.Emulated)
		return nil, nil
	}
	loop, times, err := a.aa(ctx, o, m)
	if err != nil {
		return nil, err
	}
	for _, l := range loop.Plan.LeftOut {
		loop.Progress.Note(l.String())
	}
	limited, stop := times.Within(ctx, time.Duration(o.seconds*float64(time.Second)), estimate.MinReplicates)
	defer stop()
	trials, err := loop.Run(limited, nil)
	if errors.Is(err, run.ErrInterrupted) && ctx.Err() == nil {
		err = nil // the time is up
	}
	if len(trials) == 0 && err != nil {
		return nil, err
	}
	return sequential.DecidableBy(loop.Plan, trials, times.Took()), err
}

// aa returns the loop of an A/A on this machine, without a session file.
func (a *app) aa(ctx context.Context, o noiseOptions, m record.Machine) (*run.Loop, *run.Stopwatch, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("finding this program, which carries out the runs: %w", err)
	}
	req, left := aaRequest(m, o.seconds)
	if req.Seed, err = randomSeed(); err != nil {
		return nil, nil, err
	}
	if req.Session, err = randomName(); err != nil {
		return nil, nil, err
	}
	e := &experiment{machines: map[string]record.Machine{"": m}, agents: map[string]run.Doer{"": agent.Client{Self: self}}}
	var gone error
	p, err := plan.Resolve(req, a.declarations(),
		a.targets(e.machines, a.preflights(ctx, agent.HostsBy(self, nil), e.machines, &gone), nil, nil))
	if err = cmp.Or(gone, err); err != nil {
		return nil, nil, err
	}
	p.LeftOut = append(p.LeftOut, left...)
	e.plan = plan.AA(p, a.declarations())
	times := &run.Stopwatch{}
	loop := a.loop(e)
	loop.Session = times
	loop.Progress = &towards{Progress: loop.Progress, limit: time.Duration(o.seconds * float64(time.Second))}
	loop.Figure = func(record.Trial) string { return "" }
	return loop, times, nil
}

// aaRequest requests work in the caches, on one CPU and on all, and memory on all, with as many replicates as the time
// would permit if trials had no overhead; it omits memory if there is no time for it.
func aaRequest(m record.Machine, seconds float64) (plan.Request, []record.LeftOut) {
	cpus := []string{"1"}
	if len(m.CPU.Allowed) > 1 {
		cpus = append(cpus, record.AllCPUs)
	}
	req := plan.Request{
		Name: "noise", WarmupS: aaWarmupS, DurationS: aaDurationS,
		Replicates: 1 + int(math.Min(seconds/(aaWarmupS+aaDurationS), 10_000)),
		Measure: []plan.Ask{
			{Workload: "aes-gcm", Optional: true, Sweep: []plan.Axis{{Param: record.ParamCPUs, Values: cpus}}}},
	}
	if takes := memorySeconds(m); takes > seconds/2 {
		return req,
			[]record.LeftOut{
				{Cells: 1, Why: fmt.Sprintf("memory needs about %.0f s for three pairs; --for %.0fs includes it",
					takes, math.Ceil(2*takes))}}
	}
	size := record.FormatSize(arrayBytes(m) / int64(max(1, len(m.CPU.Allowed))))
	req.Measure = append(req.Measure, plan.Ask{Workload: "memory", Optional: true,
		Set: map[string]string{record.ParamCPUs: cpus[len(cpus)-1], "size": size}})
	return req, nil
}

// memorySeconds estimates the time for three pairs of memory, sliced and not: filling a GiB of arrays takes about a
// second in each trial. With last-level caches of hundreds of MiB, no time would remain for anything else.
func memorySeconds(m record.Machine) float64 {
	const trials = 3 * 2 * 2
	return trials * float64(arrayBytes(m)) / (1 << 30)
}

// arrayBytes returns half of memory's default, so that filling the arrays leaves time for trials: one array of all
// lanes together is twice the last-level caches.
func arrayBytes(m record.Machine) int64 {
	last := kernel.LastLevel(m.CPU.Caches)
	return 2 * kernel.InUse(last, max(1, last.Instances))
}

// towards adapts progress to a time limit instead of a number of trials.
type towards struct {
	run.Progress
	limit time.Duration
	since time.Time
	told  time.Duration // time reported to Progress so far
}

func (t *towards) Start(int, time.Duration) {
	t.since = time.Now()
	t.Progress.Note(fmt.Sprintf("noise check: comparing the same work with itself for about %v", t.limit))
	t.Progress.Start(0, t.limit)
}

// TrialStarted accounts for the time that earlier trials took in addition to measuring.
func (t *towards) TrialStarted(label string, expect time.Duration) {
	expect += time.Since(t.since) - t.told
	t.told += expect
	t.Progress.TrialStarted(label, expect)
}
