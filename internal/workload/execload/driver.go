package execload

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/process"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// newDriver returns a driver of a kind that fits the load: only a single run
// states values of its own (workload.Valuer); those of a closed or open load
// are the load generator's, throughput first.
func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	at, err := locate(context.Background(), p)
	if err != nil {
		return nil, err
	}
	prog, err := newProgram(env, p, at)
	if err != nil {
		return nil, err
	}
	if loaded(p) {
		return &many{runner: runner{prog: prog, versions: at.versions}}, nil
	}
	return &once{runner: runner{prog: prog, versions: at.versions}, ask: askOf(p)}, nil
}

// runner is what both kinds of driver share.
type runner struct {
	prog     *process.Program
	versions map[string]string // of the engines that the command names
	tally    tally
	start    []record.Value // what the start of the shell takes; nil where there is none
}

// Keys are the versions of the engines that the command names.
func (r *runner) Keys() map[string]string { return r.versions }

// Prepare finds the command's executable, and tells what a shell's own start takes.
func (r *runner) Prepare(ctx context.Context) error {
	if err := errors.Join(ctx.Err(), r.prog.Find()); err != nil || !r.prog.Shell {
		return err
	}
	empty := &process.Program{Name: Name, Path: r.prog.Path, Argv: []string{"sh", "-c", ":"}, Env: r.prog.Env, Enter: r.prog.Enter, Timeout: r.prog.Timeout, Shell: true}
	var took []float64
	for range shellStarts {
		o, err := empty.Run(ctx)
		if err != nil {
			return err
		}
		took = append(took, o.Wall.Seconds())
	}
	r.start = []record.Value{{Metric: record.Metric{Name: metricShell, Unit: "s", Better: record.Neutral}, Value: slices.Min(took)}}
	return nil
}

// shellStarts is how often a shell is started before a trial, to tell what that takes.
const shellStarts = 5

// Close has nothing to stop: a run returns when nothing is left of it.
func (r *runner) Close() error { return nil }

// Doubts says what was odd about the trial's runs.
func (r *runner) Doubts() []string { return r.tally.notes() }

func newProgram(env workload.Env, p workload.Params, at places) (*process.Program, error) {
	argv, err := words(p, env.Scratch, at.path)
	if err != nil {
		return nil, err
	}
	prog := &process.Program{
		Name: Name, Path: argv[0], Argv: argv, Dir: p.Text(paramDir), Shell: p.Bool(paramShell),
		Env: slices.Concat(env.Environ, p.Environ(strings.Join(argv, " "))), Enter: env.Enter,
		Timeout: time.Duration(p.Number(paramTimeout) * float64(time.Second)),
	}
	if p.Text(paramParse) != parseTime {
		prog.Keep = p.Int(paramLimit)
	}
	return prog, nil
}
