package execload

import (
	"context"
	"errors"

	"plimsoll/internal/workload"
)

// newDriver returns a driver of a kind that fits the load: only a single run
// states values of its own (workload.Valuer); those of a closed or open load
// are the load generator's, throughput first.
func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	prog, err := newProgram(env, p)
	if err != nil {
		return nil, err
	}
	if loaded(p) {
		return &many{runner: runner{prog: prog}}, nil
	}
	return &once{runner: runner{prog: prog}, ask: askOf(p)}, nil
}

// runner is what both kinds of driver share.
type runner struct {
	prog  *program
	tally tally
}

// Prepare finds the command's executable.
func (r *runner) Prepare(ctx context.Context) error { return errors.Join(ctx.Err(), r.prog.find()) }

// Close has nothing to stop: a run returns when nothing is left of it.
func (r *runner) Close() error { return nil }

// Doubts says what was odd about the trial's runs.
func (r *runner) Doubts() []string { return r.tally.notes() }
