// Command sessions writes a directory of sessions for scripts/bench-serve: simulated nights of 25 machines, and a large
// one, which no figure of Plimsoll's rests on. The machines are named after instance types.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

func main() {
	n := flag.Int("n", 5000, "number of small sessions")
	seed := flag.Uint64("seed", 1, "seed of the values")
	flag.Parse()
	if flag.NArg() != 1 || *n < 1 {
		fmt.Fprintln(os.Stderr, "sessions: give one directory\nhint: go run ./bench/sessions [-n 5000] [-seed 1] DIR")
		os.Exit(2)
	}
	if err := write(flag.Arg(0), *n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "sessions:", err)
		os.Exit(1)
	}
}

func write(dir string, n int, seed uint64) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for i := range n {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		if err := one(filepath.Join(dir, fmt.Sprintf("night-%05d%s", i, session.Suffix)), i, r); err != nil {
			return err
		}
	}
	return large(dir, rand.New(rand.NewPCG(seed, uint64(n))))
}

// one writes a session: four cells with five runs each.
func one(path string, i int, r *rand.Rand) (err error) {
	w, err := session.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	types := []string{"m6g.large", "m6i.large", "c6g.xlarge", "c6i.xlarge", "m5d.8xlarge"}
	const machines = 25
	which, night := i%machines, i/machines
	m := machine(fmt.Sprintf("%s-%d", types[which%len(types)], which/len(types)), types[which%len(types)], which, night)
	began := time.Date(2026, 1, 1, 2, 0, 0, 0, time.UTC).AddDate(0, 0, night)
	plan := record.PlanLine{Hash: fmt.Sprintf("p%d", i), Plan: record.Plan{
		Name: []string{"nightly", "release"}[i%2], Session: fmt.Sprint(i), Seed: 1, Claim: "machine", Margin: .02, Alpha: .05,
		Replicates: 5, DurationS: 10,
	}}
	return w.Bulk(func(b *session.Bulk) error {
		if err := errors.Join(b.Machine(m), b.Plan(plan)); err != nil {
			return err
		}
		for cell := range 4 {
			for replicate := range 5 {
				if err := b.Trial(trial(plan.Hash, m, i, cell, replicate, level(which, night, cell), began, r)); err != nil {
					return err
				}
			}
		}
		return b.End(record.End{Plan: plan.Hash, Reason: "done", Trials: 20})
	})
}

// level is the throughput of a cell. Every fifth machine loses 6 % at night 60.
func level(which, night, cell int) float64 {
	v := 1e4 * float64(1+which%5) * float64(1+cell)
	if which%5 == 0 && night >= 60 {
		v *= .94
	}
	return v
}

func machine(name, typ string, which, night int) record.Machine {
	kernel := "6.1.0-28"
	if night >= 90 {
		kernel = "6.12.4-1"
	}
	return record.Machine{
		Format: record.Format, Name: name, ID: fmt.Sprintf("%016x", 7919*(which+1)), Arch: "arm64", Kernel: kernel,
		OS: "Debian GNU/Linux 12",
		CPU: record.CPU{Vendor: "ARM", Model: "Neoverse N1", Sockets: 1, Cores: 2, Threads: 2, ThreadsPerCore: 1,
			Allowed: []int{0, 1}, Features: []string{"aes", "sha2", "crc32", "asimd"}},
		Memory: 8 << 30, NUMA: 1, Cloud: record.Cloud{Provider: "aws", Type: typ},
	}
}

func trial(plan string, m record.Machine, i, cell, replicate int, level float64, began time.Time,
	r *rand.Rand) record.Trial {
	load := record.LoadPoint{Kind: record.Closed, Level: float64(int(8) << cell), Unit: record.ParamClients}
	rate := level * (1 + .01*r.NormFloat64())
	zero := 0.0
	out := record.Trial{
		ID: fmt.Sprintf("%d-%d-%d", i, cell, replicate), Slot: record.Slot{Plan: plan, Cell: cell, Group: cell,
			Replicate: replicate + 1},
		Load: load,
		Keys: map[string]string{record.KeyMachine: m.Name, record.KeyMachineID: m.ID, record.KeyWorkload: "http",
			record.KeyLoad: load.Key(),
			"http.path":    "/hello", "http.body": "128B", record.KeyVersion: "dev"},
		Start: record.FormatTime(began.Add(time.Duration(cell*5+replicate) * time.Minute)), WarmupS: 2, DurationS: 10,
		Values: []record.Value{
			{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: rate},
			{Metric: record.Metric{Name: record.LatencyP99, Unit: "s", Better: record.Lower}, Value: 80 / rate},
		},
		CPU: &record.CPUUse{Work: 19, Generator: 1, Machine: 20, CPUs: 2, GeneratorCPUs: 1, WindowS: 10,
			Source: record.ChargedGroup},
		Ledger: &record.Ledger{StealPct: &zero, RunDelayPct: &zero, PSICPUPct: &zero, ForeignCPU: &zero},
	}
	if r.IntN(200) == 0 {
		out.Void = "the server ended before the run did"
	}
	return out
}
