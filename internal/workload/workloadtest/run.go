// Package workloadtest is the conformance suite that every workload must pass. A workload's own test calls Run with
// cases that run anywhere.
package workloadtest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Case is one configuration in which a workload really runs.
type Case struct {
	Name   string
	Params record.Params    // over the defaults; in any text form
	Load   record.LoadPoint // zero: the workload's default kind, at one lane or 100/s
	Lanes  int              // 0: 1
	For    time.Duration    // measured time of a short load; 0: 100 ms

	// Endless is set if one operation of this case lasts until it is stopped: only a cancelled context ends it, and
	// it has no result.
	Endless bool

	// Digest sums up the data that a seed gives; nil if the workload makes none.
	Digest func(seed uint64, p workload.Params) (string, error)
}

// patience bounds anything that must happen soon. It is no measurement: on a crowded or emulated machine soon is
// late.
const patience = 30 * time.Second

// Run holds a workload to the contract of package workload: its declaration is sane, its source reads declared
// parameters only, and in every case it prepares, runs a short load, verifies, closes, obeys the end of the trial
// and of the context, leaves nothing behind, and makes its data from the seed.
func Run(t *testing.T, spec workload.Spec, cases ...Case) {
	t.Helper()
	t.Run("declaration", func(t *testing.T) { report(t, declarationFaults(spec)) })
	t.Run("source", func(t *testing.T) {
		reads, err := paramReads(".")
		if err != nil {
			t.Fatal(err)
		}
		report(t, readFaults(spec.Workload, reads))
	})
	if len(cases) == 0 {
		t.Error("no case to run")
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { runCase(t, spec, c) })
	}
}

// Declaration checks a workload's declaration without running it.
func Declaration(t *testing.T, spec workload.Spec) {
	t.Helper()
	report(t, declarationFaults(spec))
}

func runCase(t *testing.T, spec workload.Spec, c Case) {
	p, err := resolve(spec, c.Params)
	if err != nil {
		t.Fatal(err)
	}
	const seed = 20
	t.Logf("seed %d", seed)
	x := exam{spec: spec, params: p, c: c, seed: seed, patience: patience, scratch: func() string { return Enterable(t) },
		keep: Enterable(t)}
	t.Run("life", func(t *testing.T) { report(t, x.life()) })
	t.Run("cancel", func(t *testing.T) { report(t, x.cancelled()) })
	if !c.Endless {
		t.Run("over", func(t *testing.T) { report(t, x.over()) })
	}
	if c.Digest != nil {
		t.Run("seed", func(t *testing.T) { report(t, seedFaults(c.Digest, p)) })
	}
}

// Enterable returns a new temporary directory that servers running as another user can enter, as an agent makes it.
func Enterable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, workload.Enterable); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// resolve returns canonical parameters from the defaults and set, if the workload accepts them.
func resolve(spec workload.Spec, set record.Params) (workload.Params, error) {
	vals := spec.Workload.Defaults()
	maps.Copy(vals, set)
	for name, text := range vals {
		p, ok := spec.Param(name)
		if !ok && spec.Free {
			continue
		}
		if !ok {
			return workload.Params{}, fmt.Errorf("no parameter %s", name)
		}
		canonical, err := p.Canonical(text)
		if err != nil {
			return workload.Params{}, err
		}
		vals[name] = canonical
	}
	params := workload.NewParams(spec.Workload, vals)
	if spec.Check == nil {
		return params, nil
	}
	return params, spec.Check(params, record.Machine{CPU: record.CPU{Threads: 1, Allowed: []int{0}}})
}

func report(t *testing.T, faults []error) {
	t.Helper()
	for _, f := range faults {
		t.Error(f)
	}
}

// Exit ends a process of the test binary that is one part of a benchmark.
func Exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Metered runs a command, without the variable that made this process a meter, and prints the command's CPU seconds.
func Metered(args []string, variable string) error {
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), variable+"=")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return err
	}
	fmt.Printf("cpu %.6f\n", (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds())
	return nil
}
