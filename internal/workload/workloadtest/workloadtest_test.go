package workloadtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

func TestSoundWorkloadPasses(t *testing.T) {
	x := examOf(t, func(*fake) {})
	for name, faults := range map[string][]error{
		"declaration": declarationFaults(x.spec), "life": x.life(), "cancel": x.cancelled(), "over": x.over(),
	} {
		if len(faults) > 0 {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

func TestLifeFinds(t *testing.T) {
	simtest.Long(t)
	t.Chdir(t.TempDir())
	for want, breakIt := range deeds(t) {
		t.Run(want, func(t *testing.T) {
			expect(t, examOf(t, breakIt).life(), want)
		})
	}
}

func TestCancelFinds(t *testing.T) {
	deaf := func(f *fake) {
		f.run = func(_ context.Context, l *load.Lane) error {
			for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
				at, _ := l.Take()
				l.Done(at, at, 1, 1)
			}
			return nil
		}
	}
	expect(t, examOf(t, deaf).cancelled(), "Run has not ended")
	odd := func(f *fake) {
		f.run = func(context.Context, *load.Lane) error { return errors.New("odd") }
	}
	expect(t, examOf(t, odd).cancelled(), "a cancelled Run: odd")
}

func TestOverFinds(t *testing.T) {
	stubborn := func(f *fake) {
		f.run = func(_ context.Context, l *load.Lane) error {
			if _, ok := l.Take(); ok {
				return nil
			}
			return errors.New("not over for me")
		}
	}
	expect(t, examOf(t, stubborn).over(), "not over for me")
}

func TestDeclarationFinds(t *testing.T) {
	for want, breakIt := range map[string]func(*workload.Spec){
		"not lower-case words joined": func(s *workload.Spec) { s.Name = "Fake Work" },
		"has no doc":                  func(s *workload.Spec) { s.Doc = "" },
		"without a full stop":         func(s *workload.Spec) { s.Params[0].Doc = "bytes." },
		"there are 2 examples":        func(s *workload.Spec) { s.Command.Examples = s.Command.Examples[1:] },
		"does not run fake":           func(s *workload.Spec) { s.Command.Examples[0].Command = "run faker" },
		"New is nil":                  func(s *workload.Spec) { s.New = nil },
		"no metric":                   func(s *workload.Spec) { s.Metrics = nil },
		"has unit":                    func(s *workload.Spec) { s.Metrics[0].Unit = "" },
		"and direction \"neutral\"":   func(s *workload.Spec) { s.Metrics[0].Better = record.Neutral },
		"no kind of load":             func(s *workload.Spec) { s.Loads = nil },
		"load \"open\"":               func(s *workload.Spec) { s.Loads = append(s.Loads, record.Open) },
		"slices need":                 func(s *workload.Spec) { s.Loads = []record.LoadKind{record.Once} },
		"declared twice":              func(s *workload.Spec) { s.Params = append(s.Params, s.Params[0]) },
		"unknown phase":               func(s *workload.Spec) { s.Params[0].Phase = "later" },
		"unknown kind":                func(s *workload.Spec) { s.Params[0].Kind = "colour" },
		"is empty":                    func(s *workload.Spec) { s.Params[0].Min = 1e7 },
		"choices":                     func(s *workload.Spec) { s.Params[0].Choices = []string{"1KiB"} },
		"canonical form is 1KiB":      func(s *workload.Spec) { s.Params[0].Default = "1024" },
		"is outside":                  func(s *workload.Spec) { s.Params[0].Default = "1GiB" },
		"would be accepted silently": func(s *workload.Spec) {
			s.Presets = []record.Preset{{Name: "p"}}
			s.Params = append(s.Params, record.Param{Name: record.ParamPreset, Kind: record.Text, Phase: record.Load,
				Doc: "a preset"})
		},
		"is parameter cpu_sets, but no Split": func(s *workload.Spec) {
			s.Params = append(s.Params, workload.CPUSets(record.CPUsSplit, "all"))
		},
		"is Split, but no parameter cpu_sets": func(s *workload.Spec) {
			s.Split = func(workload.Params) bool { return true }
		},
		"is parameter connections, but no Lanes": func(s *workload.Spec) {
			s.Params = append(s.Params, record.Param{Name: record.ParamConnections, Kind: record.Int, Default: "1", Min: 1,
				Max: 9, Phase: record.Load, Doc: "connections"})
		},
		"is Serves, but no Serve": func(s *workload.Spec) { s.Serves = true },
		"is Serve, but no parameter address": func(s *workload.Spec) {
			s.Serves, s.Serve = true, func(workload.Env, workload.Params) (workload.Server, error) { return nil, nil }
		},
		"is CheckServe, but no Serve": func(s *workload.Spec) { s.CheckServe = func(workload.Params) error { return nil } },
		"p is not among": func(s *workload.Spec) {
			s.Presets = []record.Preset{{Name: "p"}}
			s.Params = append(s.Params, record.Param{Name: record.ParamPreset, Kind: record.Enum, Default: "none",
				Choices: []string{"none", "q"}, Phase: record.Load, Doc: "a preset"})
		},
	} {
		t.Run(want, func(t *testing.T) {
			spec := fakeSpec(func(*fake) {})
			breakIt(&spec)
			expect(t, declarationFaults(spec), want)
		})
	}
}

func TestSeedFinds(t *testing.T) {
	calls := 0
	for want, digest := range map[string]func(uint64, workload.Params) (string, error){
		"one seed gave": func(uint64, workload.Params) (string, error) { calls++; return fmt.Sprint(calls), nil },
		"both gave":     func(uint64, workload.Params) (string, error) { return "same", nil },
		"no data": func(seed uint64, _ workload.Params) (string, error) {
			return fmt.Sprint(seed), errors.New("no data")
		},
	} {
		expect(t, seedFaults(digest, workload.Params{}), want)
	}
}

func TestParamReads(t *testing.T) {
	root := t.TempDir()
	dir, recorded := filepath.Join(root, "workload", "p"), filepath.Join(root, "record")
	if err := errors.Join(os.MkdirAll(dir, 0o777), os.MkdirAll(recorded, 0o777),
		os.WriteFile(filepath.Join(recorded, "r.go"), []byte("package record\nconst ParamCPUs = \"cpus\"\n"),
			0o666)); err != nil {
		t.Fatal(err)
	}
	const source = `package p
import "plimsoll/internal/record"; const paramSize = "size"
func f(p params, name string) { p.Int(paramSize); p.Bool("colour"); more(p, name) }
func more(p params, name string) { p.Number(record.ParamCPUs); p.Text(name); strings.Repeat("x", 1) }
`
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(strings.ReplaceAll(source, "colour", "taste")),
		0o666); err != nil {
		t.Fatal(err)
	}
	reads, err := paramReads(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, r := range reads {
		got[r.name] = true
	}
	if want := map[string]bool{"size": true, "colour": true, "cpus": true}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	w := fakeSpec(func(*fake) {}).Workload
	expect(t, readFaults(w, reads), `p.go:3 reads parameter "colour"`)
	w.Params = append(w.Params, record.Param{Name: "idle"})
	expect(t, readFaults(w, reads), "idle is declared and never read")
}

// Reads in a shared package count for the workloads built on it, whatever package its names are from.
func TestParamReadsOfShared(t *testing.T) {
	root := t.TempDir()
	for path, source := range map[string]string{
		"workload/kernel/k.go": `package kernel
func f(p params) { p.Number("batch") }
`,
		"workload/database/d.go": `package database
import "plimsoll/internal/engine/postgres"
const ParamRest = "rest"
func f(p params) { p.Text("dsn"); p.Text(postgres.ParamCluster) }
`,
		"engine/postgres/p.go": `package postgres
const ParamCluster = "cluster"
`,
		"workload/a/a.go": `package a
import _ "plimsoll/internal/workload/kernel"
`,
		"workload/b/b.go": "package b\n",
		"workload/c/c.go": `package c
import "plimsoll/internal/workload/database"
func f(p params) { p.Int(database.ParamRest) }
`,
	} {
		path = filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(source), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string][]string{"a": {"batch"}, "b": nil, "c": {"cluster", "dsn", "rest"}} {
		reads, err := paramReads(filepath.Join(root, "workload", dir))
		var got []string
		for _, r := range reads {
			got = append(got, r.name)
		}
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", dir, got, err, want)
		}
	}
}

func TestExtraFinds(t *testing.T) {
	spec := fakeSpec(func(*fake) {})
	declared := record.Metric{Name: "traffic", Unit: "B/s"}
	spec.Metrics = append(spec.Metrics, declared)
	for want, v := range map[string]record.Value{
		`traffic in "op/s" is not declared`: {Metric: record.Metric{Name: "traffic", Unit: "op/s"}, Value: 1},
		"throughput":                        {Metric: throughput(), Value: 1},
		"traffic is -1":                     {Metric: declared, Value: -1},
		"traffic is NaN":                    {Metric: declared, Value: math.NaN()},
	} {
		var f faults
		f.extra(spec, []record.Value{v})
		expect(t, f, want)
	}
	var f faults
	if f.extra(spec, []record.Value{{Metric: declared, Value: 1}}); len(f) > 0 {
		t.Errorf("found %v in what is right", f)
	}
}

func TestResolveRefuses(t *testing.T) {
	spec := fakeSpec(func(*fake) {})
	for name, text := range map[string]string{"size": "1GiB", "colour": "red"} {
		if _, err := resolve(spec, record.Params{name: text}); err == nil {
			t.Errorf("%s=%s was accepted", name, text)
		}
	}
}

// expect wants a fault that contains want; it may have led to others.
func expect(t *testing.T, got []error, want string) {
	t.Helper()
	for _, err := range got {
		if strings.Contains(err.Error(), want) {
			return
		}
	}
	t.Errorf("faults %v, want %q", got, want)
}
