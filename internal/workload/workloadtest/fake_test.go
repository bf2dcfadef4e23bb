package workloadtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// fake is a workload that does nothing, correctly unless configured otherwise.
type fake struct {
	env     workload.Env
	prepare func() error
	run     func(context.Context, *load.Lane) error
	verify  func() error
	close   func() error
	values  []record.Value
}

func (f *fake) Prepare(ctx context.Context) error          { return call(f.prepare) }
func (f *fake) Lane(int) (workload.Lane, error)            { return f, nil }
func (f *fake) Verify(context.Context) error               { return call(f.verify) }
func (f *fake) Close() error                               { return call(f.close) }
func (f *fake) Keys() map[string]string                    { return map[string]string{"path": "none"} }
func (f *fake) Values(load.Result) ([]record.Value, error) { return f.values, nil }

func (f *fake) Run(ctx context.Context, l *load.Lane) error {
	if f.run != nil {
		return f.run(ctx, l)
	}
	for ctx.Err() == nil {
		at, ok := l.Take()
		if !ok {
			return nil
		}
		l.Done(at, at, 1, 1)
	}
	return ctx.Err()
}

func call(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

func throughput() record.Metric {
	return record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher, Doc: "bytes a second"}
}

// fakeSpec is a sound declaration whose driver breakIt may change.
func fakeSpec(breakIt func(*fake)) workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name: "fake", Doc: "does nothing", Metrics: []record.Metric{throughput()}, Loads: []record.LoadKind{record.Closed},
			Slices: true,
			Params: []record.Param{
				{Name: "size", Kind: record.Size, Default: "1KiB", Min: 1, Max: 1e6, Phase: record.Build, Doc: "bytes"},
				{Name: record.ParamCPUs, Kind: record.CPUs, Default: "1", Min: 1, Max: 64, Phase: record.Load, Doc: "lanes"},
			},
		},
		Command: workload.Command{Examples: []workload.Example{
			{Command: "run fake", Doc: "nothing"}, {Command: "run fake --cpus 2", Doc: "nothing twice"},
			{Command: "run fake --size 2KiB", Doc: "nothing at length"},
		}},
		New: func(env workload.Env, _ workload.Params) (workload.Driver, error) {
			f := &fake{env: env, values: []record.Value{{Metric: throughput(), Value: 1}}}
			breakIt(f)
			return f, nil
		},
	}
}

func examOf(t *testing.T, breakIt func(*fake)) exam {
	spec := fakeSpec(breakIt)
	p, err := resolve(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return exam{spec: spec, params: p, c: Case{Lanes: 2, For: 20 * time.Millisecond}, seed: 1,
		patience: 400 * time.Millisecond, scratch: t.TempDir}
}

// deeds returns the forbidden acts of a driver, by the fault that they must cause.
func deeds(t *testing.T) map[string]func(*fake) {
	var prepared, closed atomic.Int32
	return map[string]func(*fake){
		"Prepare: again": func(f *fake) {
			f.prepare = func() error {
				if prepared.Add(1) > 1 {
					return errors.New("again")
				}
				return nil
			}
		},
		"Close: again": func(f *fake) {
			f.close = func() error {
				if closed.Add(1) > 1 {
					return errors.New("again")
				}
				return nil
			}
		},
		"Verify: wrong": func(f *fake) { f.verify = func() error { return errors.New("wrong") } },
		"no operation": func(f *fake) {
			f.run = func(context.Context, *load.Lane) error { return nil }
		},
		"errors of class other": func(f *fake) {
			f.run = func(_ context.Context, l *load.Lane) error {
				at, _ := l.Take()
				l.Fail(at, load.Other)
				return nil
			}
		},
		"moved no byte": func(f *fake) {
			f.run = func(_ context.Context, l *load.Lane) error {
				at, _ := l.Take()
				l.Done(at, at, 1, 0)
				return nil
			}
		},
		"primary metric":  func(f *fake) { f.values[0].Name = "other" },
		"Values: none":    func(f *fake) { f.values = nil },
		"goroutines more": func(f *fake) { f.verify = func() error { leakGoroutines(); return nil } },
		"is still open":   func(f *fake) { f.verify = func() error { return leakFile(t, f.env.Scratch+"/x") } },
		"file stray.txt":  func(f *fake) { f.verify = func() error { return os.WriteFile("stray.txt", nil, 0o666) } },
		"is still there":  func(f *fake) { f.verify = func() error { return leakProcess(t, f.env.Environ) } },
		"Run has not ended": func(f *fake) {
			f.run = func(context.Context, *load.Lane) error { time.Sleep(2 * time.Second); return nil }
		},
	}
}

// leakGoroutines leaves more than a case before it may have left, which end while it is looked at.
func leakGoroutines() {
	for range 20 {
		go time.Sleep(3 * time.Second)
	}
}

func leakFile(t *testing.T, path string) error {
	file, err := os.Create(path)
	t.Cleanup(func() { file.Close() })
	return err
}

// leakProcess leaves a process that is not our child: only its environment identifies it.
func leakProcess(t *testing.T, env []string) error {
	sh := exec.Command("sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!")
	sh.Env = env
	out, err := sh.Output()
	t.Cleanup(func() {
		var pid int
		if n, _ := fmt.Sscan(string(out), &pid); n == 1 {
			p, _ := os.FindProcess(pid)
			p.Kill()
		}
	})
	return err
}
