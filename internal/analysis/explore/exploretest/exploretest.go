// Package exploretest makes the parts of sessions for tests: a machine, runs of a service, their plan.
package exploretest

import (
	"fmt"
	"time"

	"plimsoll/internal/record"
)

// Machine returns a machine of two CPUs with a kernel.
func Machine(name, kernel string) record.Machine {
	return record.Machine{
		Format: record.Format, Name: name, ID: name + "-id", Kernel: kernel,
		CPU: record.CPU{Model: "Neoverse N1", Threads: 2}, Cloud: record.Cloud{Type: "m6g.large"},
	}
}

// Runs returns runs of one cell on a machine, with these throughputs.
func Runs(plan, machine string, clients float64, values ...float64) []record.Trial {
	var out []record.Trial
	for i, v := range values {
		load := record.LoadPoint{Kind: record.Closed, Level: clients, Unit: record.ParamClients}
		out = append(out, record.Trial{
			ID: fmt.Sprintf("%s-%s-%g-%d", plan, machine, clients, i), Slot: record.Slot{Plan: plan, Cell: int(clients),
				Group: int(clients), Replicate: i + 1},
			Load: load,
			Keys: map[string]string{record.KeyMachine: machine, record.KeyWorkload: "http", record.KeyLoad: load.Key(),
				"http.path": "/hello"},
			Start: record.FormatTime(time.Date(2026, 3, 1, 2, i, 0, 0, time.UTC)),
			Values: []record.Value{
				{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: v},
				{Metric: record.Metric{Name: record.LatencyP99, Unit: "s", Better: record.Lower}, Value: 1 / v},
			},
		})
	}
	return out
}

// Plan returns a plan whose hash is its label too.
func Plan(hash string) record.PlanLine {
	return record.PlanLine{Hash: hash, Plan: record.Plan{Name: "nightly", Labels: map[string]string{"build": hash}}}
}
