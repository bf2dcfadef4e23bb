package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// grownSession writes a session that is n long in one direction: two machines but for "machines", three replicates but
// for "replicates".
func grownSession(t testing.TB, path, direction string, n int) {
	t.Helper()
	w, err := session.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	machines, workloads, loads, replicates, metrics, levels, labels := 2, 1, 1, 3, 1, 1, 1
	switch direction {
	case "machines":
		machines = n
	case "workloads":
		workloads = n
	case "loads":
		loads = n
	case "replicates":
		replicates = n
	case "metrics":
		metrics = n
	case "levels":
		machines, levels = 1, n
	case "labels":
		machines, labels = 1, n
	}
	err = w.Bulk(func(out *session.Bulk) error {
		for m := range machines {
			name, id := fmt.Sprintf("m%d", m), fmt.Sprintf("id%d", m)
			if err := out.Machine(record.Machine{Format: record.Format, Name: name, ID: id}); err != nil {
				return err
			}
		}
		for l := range labels {
			p := record.Plan{Name: "w", Session: fmt.Sprint(l), Margin: .02, Alpha: .05, Replicates: replicates, DurationS: 1}
			if levels > 1 {
				f := record.Factor{Name: "size"}
				for v := range levels {
					f.Levels = append(f.Levels, fmt.Sprint(v))
				}
				p.Factors = []record.Factor{f}
			}
			type place struct{ m, w, l, v int }
			var at []place
			for v := range levels {
				for wl := range workloads {
					for ld := range loads {
						for m := range machines {
							c := record.Cell{Workload: fmt.Sprintf("w%d", wl), Host: fmt.Sprintf("m%d", m), Params: record.Params{},
								Load: record.LoadPoint{Kind: record.Closed, Level: float64(ld + 1), Unit: "clients"}}
							if levels > 1 {
								c.Params["size"], c.Levels = fmt.Sprint(v), map[string]string{"size": fmt.Sprint(v)}
							}
							p.Cells, at = append(p.Cells, c), append(at, place{m, wl, ld, v})
						}
					}
				}
			}
			hash := plan.Hash(p)
			if err := out.Plan(record.PlanLine{Hash: hash, Plan: p}); err != nil {
				return err
			}
			for r := range replicates {
				for i, c := range p.Cells {
					keys := map[string]string{record.KeyMachine: c.Host, record.KeyMachineID: fmt.Sprintf("id%d", at[i].m),
						record.KeyWorkload: c.Workload, record.KeyLoad: c.Load.Key()}
					if levels > 1 {
						keys[c.Workload+".size"], keys[record.FactorPrefix+"size"] = c.Params["size"], c.Params["size"]
					}
					if labels > 1 {
						keys[record.LabelPrefix+"build"] = fmt.Sprint(l)
					}
					o := record.Order{Slot: record.Slot{Plan: hash, Replicate: r}, Sides: []record.Side{{Cell: i}}}
					trial := record.Trial{ID: o.SlotOf(0).ID(), Slot: record.Slot{Plan: hash, Cell: i, Replicate: r}, Load: c.Load,
						DurationS: 1, Keys: keys}
					for x := range metrics {
						trial.Values = append(trial.Values, record.Value{
							Metric: record.Metric{Name: fmt.Sprintf("x%d", x), Unit: "op/s", Better: record.Higher},
							Value:  100 + float64((i*7+r*3+x)%11)})
					}
					if err := out.Trial(trial); err != nil {
						return err
					}
				}
			}
			if err := out.End(record.End{Plan: hash, Reason: "done", Trials: replicates * len(p.Cells)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestSessionsGrowLinearly: a session of twice the size, in whatever direction, takes about twice the time.
func TestSessionsGrowLinearly(t *testing.T) {
	if !simtest.Night() {
		t.Skip("it measures time, at sizes that take seconds")
	}
	most := map[string]int{"machines": 800, "workloads": 800, "loads": 800, "replicates": 20000,
		"metrics": 20,
		"levels":  800, "labels": 800}
	for direction, most := range most {
		for _, args := range [][]string{{"show"}, {"compare"}, {"compare", "--by", "size"}, {"report"}} {
			if len(args) > 1 && direction != "levels" {
				continue
			}
			t.Run(direction+" "+args[0], func(t *testing.T) {
				dir := t.TempDir()
				simtest.Doubles(t, min(200, most), most, func(n int) time.Duration {
					path := filepath.Join(dir, fmt.Sprint(n))
					if _, err := os.Stat(path); err != nil {
						grownSession(t, path, direction, n)
					}
					args := append(args[:len(args):len(args)], path)
					if args[0] == "report" {
						args = append(args, "-o", filepath.Join(dir, "report.html"))
					}
					cmd := exec.CommandContext(t.Context(), "plimsoll", args...)
					said, err := cmd.StderrPipe()
					if err == nil {
						err = cmd.Start()
					}
					if err != nil {
						t.Fatal(err)
					}
					words, _ := io.ReadAll(said)
					if err := cmd.Wait(); err != nil && (args[0] != "compare" || direction == "levels" && len(args) > 2) {
						t.Fatalf("%v: %.300s", err, words)
					}
					u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
					return time.Duration(u.Utime.Nano() + u.Stime.Nano())
				})
			})
		}
	}
}
