package execload

import (
	"context"
	"errors"

	"plimsoll/internal/base/process"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// many is a driver whose operations are runs.
type many struct{ runner }

// Lane makes lane i. Lanes share only the tally.
func (d *many) Lane(int) (workload.Lane, error) { return d, nil }

// Run runs the command for every operation. A failed run is a failed operation; a command that cannot be started at
// all ends the lane.
func (d *many) Run(ctx context.Context, l *load.Lane) error {
	for ctx.Err() == nil {
		intended, ok := l.Take()
		if !ok {
			return nil
		}
		sent := l.Now()
		o, err := d.prog.Run(ctx)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		d.tally.add(o, err)
		switch {
		case err == nil:
			l.Done(intended, sent, 1, 0)
		case hopeless(err):
			return err
		default:
			l.Fail(intended, classOf(err))
		}
	}
	return ctx.Err()
}

// Extra returns the time of a shell's start, if each run has one.
func (d *many) Extra(load.Result) []record.Value { return d.start }

// First returns the first failure of a run, in one line.
func (d *many) First() error { return d.tally.firstLine() }

// Verify returns an error if no run succeeded.
func (d *many) Verify(context.Context) error { return d.tally.verdict() }

// hopeless reports whether later runs must fail as well.
func hopeless(err error) bool {
	var f *process.Failure
	return errors.As(err, &f) && f.Never
}

func classOf(err error) load.Class {
	var f *process.Failure
	if errors.As(err, &f) {
		return classes()[f.Why]
	}
	return load.Other
}

func classes() map[process.Why]load.Class {
	return map[process.Why]load.Class{process.Other: load.Other, process.Status: load.Status,
		process.Timeout: load.Timeout}
}
