package database

import (
	"fmt"

	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// SetCost is the work of filling a data set and of checking it after a trial, in CPU seconds of the reference machine's
// threads: over several connections, and over one.
type SetCost struct {
	Fill, FillAlone float64
	Check           float64
	Queries         int // of a check, each on one CPU
}

// The work of PostgreSQL itself, measured on the reference machine: sessions of pgbench at scales 1, 20 and 100.
const (
	initCPU  = 1.2  // initdb, first start, vacuum of the catalog, shutdown
	startCPU = .35  // start, checkpoint, shutdown
	joinCPU  = .012 // of one connection, with its process
	startS   = .1
	startSyn = 60
	copyCPU  = 1.8e-9 // of a copied byte
	sumsCPU  = .5e-9  // of a byte that gets a checksum
)

// costOf returns the cost of a trial: its data are filled once, and copied for each. A set whose checksums differ is
// made from the one before.
func costOf(p workload.Params, l record.LoadPoint, m record.Machine, set Set) forecast.Cost {
	if set.Existing {
		return forecast.Cost{}
	}
	threads := len(m.CPU.Allowed)
	fill := forecast.Step{Name: forecast.Fill,
		Work: forecast.Work{CPU: set.Cost.Fill, Threads: min(max(2, threads), mostJobs), Write: 2 * set.Bytes}}
	alone := forecast.Step{Name: forecast.Fill,
		Work: forecast.Work{CPU: initCPU + set.Cost.FillAlone, Write: clusterBytes}}
	check := forecast.Step{Name: forecast.Check,
		Work: forecast.Work{CPU: set.Cost.Check, Threads: min(threads, set.Cost.Queries)}}
	if p.Text(ParamServer) == ServerDSN {
		alone.Work.CPU -= initCPU
		return forecast.Cost{Steps: []forecast.Step{fill, alone, check}}
	}
	size := set.Bytes + clusterBytes
	out := forecast.Cost{
		Data: []forecast.Data{{Key: set.Name + " " + set.Key, Bytes: size, Steps: []forecast.Step{alone, fill}}},
		Steps: []forecast.Step{
			{Name: forecast.Copy, Work: forecast.Work{Copy: size, CPU: copyCPU * float64(size)}},
			{Name: forecast.Start, Work: forecast.Work{CPU: startCPU + joinCPU*float64(set.connections(p, l)), Wait: startS,
				Syncs: startSyn}},
			check,
		},
		Disk: size, Memory: set.Bytes,
	}
	if set.HeatS > 0 {
		out.Steps = append(out.Steps, forecast.Step{Name: forecast.Preload, Work: forecast.Work{Wait: set.HeatS}})
	}
	if hasStandby(p) && m.Hosts < 2 { // copied through the server, and synced
		out.Steps = append(out.Steps,
			forecast.Step{Name: forecast.Copy, Work: forecast.Work{Copy: size, Write: size, CPU: 2 * copyCPU * float64(size)}},
			forecast.Step{Name: forecast.Start, Work: forecast.Work{CPU: startCPU, Wait: startS, Syncs: startSyn}})
		out.Disk, out.Memory = 2*out.Disk, 2*out.Memory
	}
	if p.Text(postgres.ParamChecksums) == "true" {
		out.Data = append(out.Data, forecast.Data{
			Key: fmt.Sprint(set.Name, " ", set.Key, " checksums"), Bytes: size,
			Steps: []forecast.Step{
				{Name: forecast.Fill, Work: forecast.Work{Copy: size, Write: size, CPU: (copyCPU + sumsCPU) * float64(size)}}},
		})
	}
	return out
}
