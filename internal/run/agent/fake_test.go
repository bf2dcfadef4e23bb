package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// fake is a workload that passes time, and fails on demand.
type fake struct {
	env     workload.Env
	faults  string // words
	note    string // file written once a lane has an operation
	started *exec.Cmd
	blocked string // signals that the last lane's thread blocks, as /proc writes them
}

func fakeSpec(name string) workload.Spec {
	charge := workload.Lanes
	if name == "starter" {
		charge = workload.Started
	}
	return workload.Spec{
		Charge: charge,
		Waits:  name == "waiter",
		Workload: record.Workload{
			Name: name, Doc: "passes time", Slices: true,
			Metrics: []record.Metric{{Name: record.Throughput, Unit: "B/s", Better: record.Higher}},
			Params:  []record.Param{{Name: "faults", Kind: record.Text}, {Name: "note", Kind: record.Text}},
		},
		Check: func(p workload.Params, _ record.Machine) error {
			if p.Text("faults") == "check" {
				return errors.New("cannot run there")
			}
			return nil
		},
		Preflight: func(_ context.Context, p workload.Params, _ string) error {
			if p.Text("faults") == "alone" && p.Hosts() > 1 {
				return fmt.Errorf("is one of %d hosts", p.Hosts())
			}
			return nil
		},
		Keeps: name == "keeper",
		Serve: func(_ workload.Env, p workload.Params) (workload.Server, error) {
			return servedFake{elsewhere: name == "elsewhere", lost: p.Text("faults") == "settle"}, nil
		},
		New: func(env workload.Env, p workload.Params) (workload.Driver, error) {
			if p.Text("faults") == "new" {
				return nil, errors.New("cannot be made")
			}
			return &fake{env: env, faults: p.Text("faults"), note: p.Text("note")}, nil
		},
	}
}

func (f *fake) has(fault string) bool {
	for _, word := range strings.Fields(f.faults) {
		if word == fault {
			return true
		}
	}
	return false
}

func (f *fake) fail(fault string) error {
	if f.has(fault) {
		return errors.New(fault + " went wrong")
	}
	return nil
}

// Prepare leaves a file and, on demand, a process: one that ends on request, or one that does not.
func (f *fake) Prepare(context.Context) error {
	if err := os.WriteFile(filepath.Join(f.env.Scratch, "data"), []byte("data"), 0o600); err != nil {
		return err
	}
	switch {
	case f.has("starts"):
		f.started = exec.Command("sleep", "1000")
	case f.has("starts-deaf"):
		f.started = exec.Command("sh", "-c", "trap '' TERM; while :; do sleep 0.1; done")
	default:
		return f.fail("prepare")
	}
	f.started.Env = f.env.Environ
	f.started.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return f.env.Enter(f.started.SysProcAttr, func() (int, error) {
		err := f.started.Start()
		return f.started.Process.Pid, err
	})
}

// Lane fails at the last lane, when the others are running.
func (f *fake) Lane(i int) (workload.Lane, error) {
	if i == 1 {
		return f, f.fail("lane")
	}
	return f, nil
}

func (f *fake) Run(ctx context.Context, l *load.Lane) error {
	status, _ := os.ReadFile("/proc/thread-self/status")
	if _, after, ok := strings.Cut(string(status), "SigBlk:\t"); ok {
		f.blocked, _, _ = strings.Cut(after, "\n")
	}
	for ctx.Err() == nil {
		at, ok := l.Take()
		if !ok {
			return nil
		}
		if err := f.operate(ctx, l); err != nil {
			l.Fail(at, load.Other)
			return err
		}
		l.Done(at, at, 1, 100)
	}
	return ctx.Err()
}

// operate takes about 100 µs, or never ends.
func (f *fake) operate(ctx context.Context, l *load.Lane) error {
	if f.note != "" {
		if err := os.WriteFile(f.note, nil, 0o600); err != nil {
			return err
		}
	}
	switch {
	case f.has("stop"):
		return syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case f.has("hang"):
		select {}
	case f.has("spin"):
		for n := 1; n != 0; n |= 1 { // no call in which it could be stopped
		}
	case f.has("linger"):
		<-ctx.Done()
		return ctx.Err()
	case f.has("panic"):
		panic("a workload's bug")
	}
	for until := l.Now() + int64(100*time.Microsecond); l.Now() < until; {
	}
	return f.fail("run")
}

func (f *fake) Verify(context.Context) error { return f.fail("verify") }

func (f *fake) Keys() map[string]string {
	keys := map[string]string{"scratch": f.env.Scratch, "blocked": f.blocked}
	if !f.has("keeps") {
		return keys
	}
	keys["keep"], keys["session"] = f.env.Keep, f.env.Session
	for _, dir := range []string{f.env.Scratch, filepath.Dir(f.env.Scratch)} {
		if st, err := os.Stat(dir); err == nil {
			keys["modes"] = strings.TrimPrefix(keys["modes"]+fmt.Sprintf(" %o", st.Mode().Perm()), " ")
		}
	}
	path := filepath.Join(f.env.Keep, "made")
	if made, err := os.ReadFile(path); err == nil {
		keys["kept"] = string(made)
	}
	_ = os.WriteFile(path, []byte("by the first"), 0o600)
	return keys
}

func (f *fake) Doubts() []string {
	if f.has("doubt") {
		return []string{"it is only passing time"}
	}
	return nil
}

func (f *fake) Values(load.Result) ([]record.Value, error) {
	if f.has("own") {
		return []record.Value{{Metric: record.Metric{Name: "time", Unit: "s"}, Value: 1.5}}, nil
	}
	return nil, f.fail("values")
}

func (f *fake) Extra(r load.Result) []record.Value {
	if !f.has("extra") {
		return nil
	}
	return []record.Value{{Metric: record.Metric{Name: record.MemoryTraffic, Unit: "B/s"}, Value: 2 * r.BytesPerSecond}}
}

func (f *fake) Events(r load.Result) []record.Event {
	if !f.has("events") {
		return nil
	}
	return []record.Event{{TimeNs: r.Start + 1e6, Name: "begin", Detail: "of it"}, {TimeNs: r.End, Name: "end"}}
}

func (f *fake) Close() error {
	if f.has("never-closes") {
		select {}
	}
	if f.started == nil || f.started.Process == nil {
		return nil
	}
	_ = f.started.Process.Signal(syscall.SIGTERM)
	return f.started.Wait()
}
