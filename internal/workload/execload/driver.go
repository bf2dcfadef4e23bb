package execload

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/base/process"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// newDriver returns the driver for the kind of load: only a single run has values of its own (workload.Valuer);
// those of a closed or open loop are the load generator's, throughput first.
func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	at, err := locate(context.Background(), p)
	if err != nil {
		return nil, err
	}
	prog, err := newProgram(env, p, at)
	if err != nil {
		return nil, err
	}
	d, r := unready(env, p)
	r.cleaned = true
	r.prog, r.versions = prog, at.versions
	if r.prepare, err = aside(env, p, paramPrepare, prog, at); err != nil {
		return nil, err
	}
	if r.cleanup, err = aside(env, p, paramCleanup, prog, at); err != nil {
		return nil, err
	}
	return d, nil
}

// unready returns the driver for the kind of load, and its common part, without a command.
func unready(env workload.Env, p workload.Params) (workload.Driver, *runner) {
	if loaded(p) {
		d := &many{}
		return d, &d.runner
	}
	d := &once{ask: askOf(p), warmups: p.Int(paramWarmups), scratch: env.Scratch}
	return d, &d.runner
}

// runner is the common part of both drivers.
type runner struct {
	prog     *process.Program
	versions map[string]string // of engines named in the command
	tally    tally
	start    []record.Value // time of the shell's start; nil without a shell

	prepare, cleanup *process.Program // nil: none
	cleaned          bool             // nothing was prepared since the cleanup, if anything was
}

// Keys returns the versions of the engines named in the command.
func (r *runner) Keys() map[string]string { return r.versions }

// Prepare finds the command's executable, and measures a shell's own start.
func (r *runner) Prepare(ctx context.Context) error {
	r.cleaned = false
	if err := errors.Join(ctx.Err(), r.prog.Find()); err != nil {
		return err
	}
	if err := r.shellStart(ctx); err != nil {
		return err
	}
	return runAside(ctx, r.prepare, paramPrepare)
}

func (r *runner) shellStart(ctx context.Context) error {
	if !r.prog.Shell {
		return nil
	}
	empty := &process.Program{Name: Name, Path: r.prog.Path, Argv: []string{"sh", "-c", ":"},
		Env: r.prog.Env, Enter: r.prog.Enter, Timeout: r.prog.Timeout, Shell: true}
	var took []float64
	for range shellStarts {
		o, err := empty.Run(ctx)
		if err != nil {
			return err
		}
		took = append(took, o.Wall.Seconds())
	}
	r.start = []record.Value{
		{Metric: record.Metric{Name: metricShell, Unit: "s", Better: record.Neutral}, Value: slices.Min(took)}}
	return nil
}

// shellStarts is the number of shells started before a trial to measure their start.
const shellStarts = 5

// CleanUp runs the user's cleanup command, once.
func (r *runner) CleanUp(ctx context.Context) error {
	if r.cleaned {
		return nil
	}
	r.cleaned = true
	return runAside(ctx, r.cleanup, paramCleanup)
}

// Close cleans up. It has nothing to stop: a run returns only after all its processes have ended.
func (r *runner) Close() error { return r.CleanUp(context.Background()) }

// Doubts returns warnings about the trial's runs.
func (r *runner) Doubts() []string { return r.tally.notes() }

// Left returns the most processes that a run left, which were ended.
func (r *runner) Left() int {
	r.tally.mu.Lock()
	defer r.tally.mu.Unlock()
	return r.tally.left
}

func newProgram(env workload.Env, p workload.Params, at places) (*process.Program, error) {
	argv, err := words(p, env.Scratch, at.path)
	if err != nil {
		return nil, err
	}
	prog := &process.Program{
		Name: Name, Path: argv[0], Argv: argv, Dir: p.Text(paramDir), Shell: p.Bool(paramShell), Any: p.Bool(paramAnyStatus),
		AnyFlag: "-i", Input: p.Text(paramInput),
		Env: slices.Concat(env.Environ, p.Environ(strings.Join(argv, " "))), Enter: env.Enter,
		Timeout: time.Duration(p.Number(paramTimeout) * float64(time.Second)),
	}
	if p.Text(paramParse) != parseTime {
		prog.Keep = p.Int(paramLimit)
	}
	return prog, nil
}
