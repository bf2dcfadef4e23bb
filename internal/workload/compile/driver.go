package compile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"plimsoll/internal/base/process"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// driver builds copies of a tree.
type driver struct {
	env    workload.Env
	tree   tree
	copies []*copied
	limit  time.Duration // of one build
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	t, err := treeOf(p)
	if err != nil {
		return nil, err
	}
	d := &driver{env: env, tree: t, limit: time.Duration(p.Number(paramTimeout) * float64(time.Second))}
	for i := range max(env.Lanes, 1) {
		d.copies = append(d.copies, &copied{dir: filepath.Join(env.Scratch, fmt.Sprint("copy-", i))})
	}
	return d, nil
}

// Prepare copies and configures all trees concurrently.
func (d *driver) Prepare(ctx context.Context) error {
	var all errgroup.Group
	for _, c := range d.copies {
		all.Go(func() error { return d.prepare(ctx, c) })
	}
	return all.Wait()
}

func (d *driver) prepare(ctx context.Context, c *copied) error {
	// Keep mtimes: make goes by them.
	if _, err := d.program("", "cp", "-a", "--", d.tree.dir, c.dir).Run(ctx); err != nil {
		return fmt.Errorf("copy the tree: %w", err)
	}
	if d.tree.configure != "" {
		if _, err := d.shell(c, d.tree.configure).Run(ctx); err != nil {
			return fmt.Errorf("configure a copy: %w", err)
		}
	}
	var err error
	c.before, err = sizeOf(c.dir)
	return err
}

// program returns a command that is not charged to the work.
func (d *driver) program(dir string, argv ...string) *process.Program {
	return &process.Program{Name: Name, Path: pathOf(argv[0]), Argv: argv, Dir: dir, Env: d.env.Environ, Timeout: d.limit}
}

func (d *driver) shell(c *copied, text string) *process.Program {
	p := d.program(c.dir, "sh", "-c", text)
	p.Shell = true
	return p
}

// pathOf returns a command's path, or its bare name, which will not start, if it is not found.
func pathOf(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	return name
}

// Lane returns one CPU's build.
func (d *driver) Lane(i int) (workload.Lane, error) {
	if i >= len(d.copies) {
		return nil, fmt.Errorf("%s: no copy for lane %d", Name, i)
	}
	c := d.copies[i]
	c.build = d.shell(c, d.tree.command)
	c.build.Enter = d.env.Enter
	return c, nil
}

// Verify detects a build that built nothing.
func (d *driver) Verify(context.Context) error {
	for i, c := range d.copies {
		if !c.done {
			return fmt.Errorf("%s: copy %d was not built", Name, i)
		}
		after, err := sizeOf(c.dir)
		if err != nil {
			return err
		}
		if after <= c.before {
			return fmt.Errorf("%s: %q did not add to the tree: still %d bytes\nhint: is the tree built already? A "+
				"build must start from a clean one", Name, d.tree.command, after)
		}
	}
	return nil
}

// Close has nothing to stop: a build returns only after all its processes have ended.
func (d *driver) Close() error { return nil }

// Values returns the mean time first.
func (d *driver) Values(load.Result) ([]record.Value, error) {
	var sum, slowest, rate, cpu float64
	for _, c := range d.copies {
		if !c.done {
			return nil, errors.New(Name + ": a copy was not built")
		}
		took := c.outcome.Wall.Seconds()
		sum, slowest, rate = sum+took, max(slowest, took), rate+1/took
		cpu += (c.outcome.User + c.outcome.System).Seconds()
	}
	n := float64(len(d.copies))
	var out []record.Value
	for i, v := range []float64{sum / n, slowest, rate, cpu / n} {
		m := Spec().Metrics[i]
		m.Doc = ""
		out = append(out, record.Value{Metric: m, Value: v})
	}
	return out, nil
}

// Keys returns the compiler's version and the source, as its directory names it.
func (d *driver) Keys() map[string]string {
	keys := map[string]string{record.EnginePrefix + "source": filepath.Base(d.tree.dir)}
	if text, err := exec.Command(pathOf("cc"), "--version").Output(); err == nil {
		first, _, _ := bytes.Cut(text, []byte("\n"))
		keys[record.EnginePrefix+"cc"] = string(first)
	}
	return keys
}

// Doubts returns the warnings about processes that builds left running.
func (d *driver) Doubts() []string {
	var out []string
	for _, c := range d.copies {
		out = append(out, c.outcome.Doubts...)
	}
	return out
}

// copied is a lane: one copy of the tree, and its build.
type copied struct {
	dir     string
	before  int64 // bytes in the tree
	build   *process.Program
	outcome process.Outcome
	done    bool
}

// Run builds the copy once.
func (c *copied) Run(ctx context.Context, l *load.Lane) error {
	intended, ok := l.Take()
	if !ok {
		return ctx.Err()
	}
	sent := l.Now()
	var err error
	if c.outcome, err = c.build.Run(ctx); err != nil {
		l.Fail(intended, load.Other)
		return err
	}
	l.Done(intended, sent, 1, 0)
	c.done = true
	return nil
}

// sizeOf returns the total size of a tree's files in bytes.
func sizeOf(dir string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("%s: measure the tree: %w", Name, err)
	}
	return sum, nil
}
