package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// nights DIR N writes N sessions of a base and a head on one machine, a night each: the machine is 20% slower from
// night 10 on, with another kernel, and the head loses 4% at night 20. Runs scatter by 0.5%.
func nights(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: nights DIR N")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	r := rand.New(rand.NewPCG(23, 9))
	for i := range n {
		ts.Check(writeNight(filepath.Join(dir, fmt.Sprintf("night-%02d%s", i, session.Suffix)), i, r))
	}
}

func writeNight(path string, night int, r *rand.Rand) (err error) {
	w, err := session.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	m := record.Machine{Format: record.Format, Name: "vm", ID: "1", Kernel: "6.1.0",
		CPU: record.CPU{Model: "Neoverse N1", Threads: 2}, Cloud: record.Cloud{Type: "m6g.large"}}
	levels := []float64{1e4, 1e4}
	if night >= 10 {
		m.Kernel, levels = "6.12.0", []float64{8e3, 8e3}
	}
	if night >= 20 {
		levels[1] *= .96
	}
	p := record.Plan{Name: "nightly", Session: fmt.Sprint(night), Claim: plan.ClaimMachine, Margin: .02, Alpha: .05,
		Replicates: 5, DurationS: 10}
	load := record.LoadPoint{Kind: record.Closed, Level: 8, Unit: record.ParamClients}
	for _, path := range []string{"/base", "/head"} {
		p.Cells = append(p.Cells, record.Cell{Workload: "http", Params: record.Params{"path": path}, Load: load})
	}
	hash := plan.Hash(p)
	began := time.Date(2026, 3, 1+night, 2, 0, 0, 0, time.UTC)
	return w.Bulk(func(b *session.Bulk) error {
		if err := errors.Join(b.Machine(m), b.Plan(record.PlanLine{Hash: hash, Plan: p})); err != nil {
			return err
		}
		for replicate := range 5 {
			for side, level := range levels {
				o := record.Order{Slot: record.Slot{Plan: hash, Replicate: replicate}, Sides: []record.Side{{Cell: side}}}
				err := b.Trial(record.Trial{
					ID: o.SlotOf(0).ID(), Slot: record.Slot{Plan: hash, Cell: side, Replicate: replicate}, Load: load, DurationS: 10,
					Start: began.Add(time.Duration(replicate) * time.Minute).Format(time.RFC3339Nano),
					Keys: map[string]string{record.KeyMachine: m.Name, record.KeyMachineID: m.ID, record.KeyWorkload: "http",
						record.KeyLoad: load.Key(),
						"http.path":    p.Cells[side].Params["path"], "engine.nginx": "1.22.1"},
					Values: []record.Value{
						{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher},
							Value: level * (1 + .005*r.NormFloat64())}},
				})
				if err != nil {
					return err
				}
			}
		}
		return b.End(record.End{Plan: hash, Reason: "done", Trials: 10})
	})
}
