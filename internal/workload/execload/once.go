package execload

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/base/process"
	"plimsoll/internal/client/load"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// once is a driver whose trial is a single run.
type once struct {
	runner
	ask     convert.Ask
	warmups int
	scratch string // the runs' own directory
	values  []record.Value
	told    []string // by its output, against itself or not read
}

// Doubts also returns what the command's output says against itself, and what of it was not read.
func (d *once) Doubts() []string {
	return append(d.runner.Doubts(), d.doubtsOfOutput()...)
}

func (d *once) doubtsOfOutput() []string {
	var out []string
	for _, said := range d.told {
		out = append(out, record.OutputDoubt+said)
	}
	return out
}

// Prepare also makes the unmeasured runs, each as the measured one is made.
func (d *once) Prepare(ctx context.Context) error {
	if err := d.runner.Prepare(ctx); err != nil {
		return err
	}
	return d.warmUp(ctx)
}

func (d *once) warmUp(ctx context.Context) error {
	for range d.warmups {
		if _, err := d.prog.Run(ctx); err != nil {
			return fmt.Errorf("exec: an unmeasured run: %w", err)
		}
		if err := errors.Join(runAside(ctx, d.cleanup, paramCleanup), runAside(ctx, d.prepare, paramPrepare)); err != nil {
			return err
		}
	}
	return nil
}

// Again runs the command once more, between the user's commands before and after each run and in an empty directory.
func (d *once) Again(ctx context.Context) workload.Ran {
	if d.cleaned {
		d.cleaned = false
		err := runAside(ctx, d.prepare, paramPrepare)
		if err == nil {
			err = d.warmUp(ctx)
		}
		if err != nil {
			return workload.Ran{Started: time.Now(), Err: err}
		}
	}
	o, err := d.prog.Run(ctx)
	out := workload.Ran{Started: o.Started, Wall: o.Wall, CPU: o.User + o.System, Left: o.Left, Err: err}
	if err == nil {
		d.told = nil
		out.Values, out.Err = d.stated(o)
	}
	out.Doubts = slices.Concat(o.Doubts, d.doubtsOfOutput())
	if ctx.Err() != nil {
		return out
	}
	if err := d.CleanUp(ctx); err != nil {
		out.Doubts = append(out.Doubts, record.CleanupDoubt+strings.TrimPrefix(err.Error(), Name+": "))
	}
	if err := emptied(d.scratch); err != nil && out.Err == nil {
		out.Err = fmt.Errorf("exec: the run's directory: %w", err)
	}
	return out
}

// emptied removes all that is in a directory.
func emptied(dir string) error {
	all, err := os.ReadDir(dir)
	for _, e := range all {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// Lane returns the only lane.
func (d *once) Lane(i int) (workload.Lane, error) {
	if i != 0 {
		return nil, fmt.Errorf("exec: no lane %d: a single run has one", i)
	}
	return d, nil
}

// Run runs the command once.
func (d *once) Run(ctx context.Context, l *load.Lane) error {
	intended, ok := l.Take()
	if !ok {
		return ctx.Err()
	}
	sent := l.Now()
	o, err := d.prog.Run(ctx)
	d.tally.add(o, err)
	if err != nil {
		l.Fail(intended, classOf(err))
		return err
	}
	l.Done(intended, sent, 1, 0)
	d.values, err = d.stated(o)
	return err
}

// Verify returns an error if the command did not run.
func (d *once) Verify(context.Context) error {
	if d.values == nil {
		return errors.New("exec: the command yielded no value")
	}
	return nil
}

// Values returns the parsed value, if any, followed by the run's time, CPU times and memory.
func (d *once) Values(load.Result) ([]record.Value, error) {
	return d.values, d.Verify(context.Background())
}

// stated returns a run's values, the primary one first.
func (d *once) stated(o process.Outcome) ([]record.Value, error) {
	own := append(d.valuesOf(o), d.start...)
	if d.ask.Format == parseTime {
		return own, nil
	}
	parsed, told, err := convert.Parse(o.Out.Head, d.ask)
	d.told = told
	if err != nil {
		return nil, fmt.Errorf("exec: parse=%s of the output of %s: %w%s", d.ask.Format, d.prog, err, onStderr(o))
	}
	return append(parsed, own...), nil
}

// onStderr returns a hint for the many tools that print their figures on standard error.
func onStderr(o process.Outcome) string {
	if o.Out.Size > 0 || o.Err.Size == 0 {
		return ""
	}
	return "\nhint: it printed on its standard error only: 2>&1 with --set exec.shell=true redirects that to its output"
}

// valuesOf returns the measurements of a run itself, in the order of metrics().
func (d *once) valuesOf(o process.Outcome) []record.Value {
	measured := []float64{o.Wall.Seconds(), (o.User + o.System).Seconds(), o.User.Seconds(), o.System.Seconds()}
	if b, ok := d.prog.SeenMemory(o); ok {
		measured = append(measured, b)
	}
	var vs []record.Value
	for i, m := range metrics()[:len(measured)] {
		m.Doc = ""
		vs = append(vs, record.Value{Metric: m, Value: measured[i]})
	}
	return vs
}
