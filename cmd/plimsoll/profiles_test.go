package main

import (
	"fmt"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// profiledSession FILE writes a session of two machines that serve with and without TLS, of which three trials each
// were profiled.
func profiledSession(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: profiled FILE")
	}
	w, err := session.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(writeMadeProfiles(w, madePlan()))
	ts.Check(w.Close())
}

func madeMachines() []string { return []string{"m5", "m6g"} }

func madePlan() record.Plan {
	p := record.Plan{Name: "web", Session: "made", Claim: plan.ClaimMachine, Margin: .02, Alpha: .05, Replicates: 3,
		DurationS: 2, Hosts: madeMachines(),
		Factors: []record.Factor{{Name: "tls", Levels: []string{"off", "on"}}}}
	for _, host := range p.Hosts {
		for _, tls := range p.Factors[0].Levels {
			p.Cells = append(p.Cells, record.Cell{Workload: "web", Params: record.Params{"tls": tls, "size": "1KiB"},
				Levels: map[string]string{"tls": tls}, Host: host,
				Load: record.LoadPoint{Kind: record.Closed, Level: 8, Unit: record.ParamClients}})
		}
	}
	return p
}

func writeMadeProfiles(w *session.Writer, p record.Plan) error {
	for _, name := range p.Hosts {
		if err := w.Machine(record.Machine{Format: record.Format, Name: name, ID: "id-" + name}); err != nil {
			return err
		}
	}
	hash := plan.Hash(p)
	if err := w.Plan(record.PlanLine{Hash: hash, Plan: p}); err != nil {
		return err
	}
	trials := 0
	for replicate := range p.Replicates {
		for cell, c := range p.Cells {
			for _, profiled := range []bool{false, true} {
				t := madeTrial(c, record.Trial{ID: fmt.Sprintf("t-r%d-c%d-%t", replicate, cell, profiled),
					Slot: record.Slot{Plan: hash, Cell: cell, Replicate: replicate, Profiled: profiled}})
				trials++
				if err := writeMade(w, t, c); err != nil {
					return err
				}
			}
		}
	}
	return w.End(record.End{Plan: hash, Reason: "done", Trials: trials})
}

// madeTrial is of 20 µs an operation, 30 µs with TLS, and of a machine that takes half of that.
func madeTrial(c record.Cell, t record.Trial) record.Trial {
	perOp := 20e-6
	if c.Params["tls"] == "on" {
		perOp = 30e-6
	}
	if c.Host == "m6g" {
		perOp /= 2
	}
	perOp *= 1 + .01*float64(t.Replicate)
	t.Load, t.DurationS, t.Start = c.Load, 2, "2026-03-01T10:00:00Z"
	t.Keys = map[string]string{record.KeyMachine: c.Host, record.KeyWorkload: c.Workload, record.KeyLoad: c.Load.Key(),
		record.FactorPrefix + "tls": c.Params["tls"]}
	for name, v := range c.Params {
		t.Keys[c.Workload+"."+name] = v
	}
	t.Values = []record.Value{
		{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: 2 / perOp},
		{Metric: record.Metric{Name: "cpu_per_op", Unit: "s", Better: record.Lower}, Value: perOp},
	}
	t.Generator = &record.LoadUse{Done: int64(4 / perOp)}
	return t
}

func writeMade(w *session.Writer, t record.Trial, c record.Cell) error {
	if t.Profiled {
		for name, p := range madeProfiles(c.Params["tls"] == "on", int64(t.Replicate)) {
			data, err := session.EncodeProfile(p)
			if err != nil {
				return err
			}
			if err := w.Series(record.Series{Trial: t.ID, Name: name, Unit: "samples", Enc: record.EncProfile,
				Data: data}); err != nil {
				return err
			}
		}
	}
	return w.Trial(t)
}

// madeProfiles are of 4 s of CPU at 1 kHz: a third is encryption where there is TLS.
func madeProfiles(tls bool, replicate int64) map[string]record.Profile {
	stack := func(n int64, thread string, outermostFirst ...record.Frame) record.Stack {
		slices.Reverse(outermostFirst)
		return record.Stack{Frames: outermostFirst, Thread: thread, N: n}
	}
	frame := func(function, module string) record.Frame { return record.Frame{Function: function, Module: module} }
	begin, serve := frame("_start", "web"), frame("serve_request", "web")
	cpu := record.Profile{Clock: record.ClockCycles, PeriodNs: 1e6, Stacks: []record.Stack{
		stack(1600+10*replicate, "worker-1", begin, serve, frame("send", "libc.so.6"),
			frame("do_syscall_64", record.ModuleKernel), frame("tcp_sendmsg", record.ModuleKernel)),
		stack(900, "worker-2", begin, serve, frame("parse_headers", "web")),
		stack(120, "worker-2", begin, serve, frame("", "web")),
		stack(2, "worker-2", begin, serve, frame("seldom_called", "web")),
		stack(40, "worker-1"),
	}}
	if tls {
		cpu.Stacks = append(cpu.Stacks, stack(1300, "worker-1", begin, serve, frame("SSL_write", "libssl.so.3"),
			frame("aes_gcm_enc_update", "libcrypto.so.3")))
	}
	waits := record.Profile{Clock: record.ClockWall, PeriodNs: 1e7, Stacks: []record.Stack{
		stack(300, "worker-1", frame("do_syscall_64", record.ModuleKernel), frame("ep_poll", record.ModuleKernel)),
		stack(310, "worker-2", frame("do_syscall_64", record.ModuleKernel), frame("ep_poll", record.ModuleKernel)),
		stack(90, "log", frame("do_syscall_64", record.ModuleKernel), frame("io_schedule", record.ModuleKernel)),
	}}
	return map[string]record.Profile{record.ProfileCPU: cpu, record.ProfileWait: waits}
}
