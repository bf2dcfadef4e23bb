package execload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// params resolves parameters as a plan would.
func params(t *testing.T, set map[string]string) workload.Params {
	t.Helper()
	decl := Spec().Workload
	vals := record.Params{}
	for _, p := range decl.Params {
		vals[p.Name] = p.Default
	}
	for name, v := range set {
		if p, ok := decl.Param(name); ok {
			c, err := p.Canonical(v)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			v = c
		}
		vals[name] = v
	}
	decl.Derive(vals, set)
	return workload.NewParams(decl, vals)
}

// measured is the result of a trial.
type measured struct {
	driver workload.Driver
	result load.Result
	values []record.Value
	doubts []string
	mark   string // in the environment of all that it started
}

func (m measured) value(name string) (record.Value, bool) {
	return record.Trial{Values: m.values}.Value(name)
}

// trial runs a whole trial as the agent does, for a second if the load does not end by itself, and returns the first
// error.
func trial(t *testing.T, ctx context.Context, env workload.Env, set map[string]string) (m measured, err error) {
	t.Helper()
	p := params(t, set)
	m.mark = fmt.Sprintf("EXECLOAD_TEST=%d.%d", os.Getpid(), time.Now().UnixNano())
	if env.Environ == nil {
		env.Environ = append(os.Environ(), m.mark)
	}
	spec := Spec()
	if err := spec.Check(p, record.Machine{}); err != nil {
		t.Fatalf("check: %v", err)
	}
	if m.driver, err = spec.New(env, p); err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, m.driver.Close()) }()
	if err := m.driver.Prepare(ctx); err != nil {
		return m, err
	}
	cfg := load.Config{Load: pointOf(p), Lanes: max(1, p.Int(record.ParamClients)), Seed: 1, Duration: time.Second}
	g, err := load.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	g.Start(g.Clock().Now())
	err = runLanes(ctx, g, m.driver, cfg.Lanes)
	m.result = g.Result()
	m.doubts = m.driver.(interface{ Doubts() []string }).Doubts()
	err = errors.Join(err, m.driver.Verify(ctx))
	if v, ok := m.driver.(workload.Valuer); ok && err == nil {
		m.values, err = v.Values(m.result)
	}
	return m, err
}

func pointOf(p workload.Params) record.LoadPoint {
	switch {
	case p.Number(record.ParamRate) > 0:
		return record.LoadPoint{Kind: record.Open, Level: p.Number(record.ParamRate), Unit: "rate",
			Arrivals: p.Text(record.ParamArrivals)}
	case p.Number(record.ParamClients) > 0:
		return record.LoadPoint{Kind: record.Closed, Level: p.Number(record.ParamClients), Unit: "clients"}
	}
	return record.LoadPoint{Kind: record.Once, Level: 1}
}

func runLanes(ctx context.Context, g *load.Generator, d workload.Driver, n int) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			lane, err := d.Lane(i)
			if err == nil {
				err = lane.Run(ctx, g.Lane(i))
			}
			g.Lane(i).Leave()
			errs[i] = err
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// need skips the test if a program is not installed.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("needs %s", p)
		}
	}
}

// says fails unless the error contains every one of the texts.
func says(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q does not say %q", err, text)
		}
	}
}

// gone fails when something that the trial started still runs.
func gone(t *testing.T, m measured) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		env, err := os.ReadFile("/proc/" + e.Name() + "/environ")
		if err == nil && bytes.Contains(env, []byte(m.mark)) {
			line, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
			t.Errorf("process %s still runs: %q", e.Name(), line)
		}
	}
}
