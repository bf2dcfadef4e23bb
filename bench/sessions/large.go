package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// The parts of the large session, on each of two machines.
const (
	windows = 3600 // of a timeline, a second each
	stacks  = 5000 // different ones of a profile
)

// large writes a session whose report has two long timelines and the flame graphs of two large profiles.
func large(dir string, r *rand.Rand) (err error) {
	w, err := session.Create(filepath.Join(dir, "large"+session.Suffix))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	plan := record.PlanLine{Hash: "large", Plan: record.Plan{Name: "large", Session: "large", Seed: 1,
		Claim: "machine", Margin: .02, Alpha: .05, Replicates: 3, DurationS: windows}}
	if err := w.Plan(plan); err != nil {
		return err
	}
	for which, name := range []string{"m6g.large", "m6i.large"} {
		if err := onMachine(w, machine(name, name, which, 0), plan.Hash, r); err != nil {
			return err
		}
	}
	return w.End(record.End{Plan: plan.Hash, Reason: "done", Trials: 8})
}

func onMachine(w *session.Writer, m record.Machine, plan string, r *rand.Rand) error {
	if err := w.Machine(m); err != nil {
		return err
	}
	for i := range 4 {
		t := trial(plan, m, 0, 0, i, 1e4, time.Date(2026, 2, 1, 2, 0, 0, 0, time.UTC), r)
		t.ID, t.Void, t.DurationS = fmt.Sprintf("%s-%d", m.Name, i), "", windows
		t.Keys[record.KeyWorkload], t.Profiled = "disk", i == 3
		s, err := timeline(r)
		if t.Profiled {
			s, err = profiled(r)
		}
		s.Trial = t.ID
		if err := errors.Join(err, w.Series(s), w.Trial(t)); err != nil {
			return err
		}
	}
	return nil
}

func timeline(r *rand.Rand) (record.Series, error) {
	bytes := make([]int64, windows)
	for i := range bytes {
		bytes[i] = int64(4e8 * (1 + .05*r.NormFloat64()))
	}
	data, err := session.EncodeWindows(bytes)
	return record.Series{Name: record.SeriesDiskBytes, Unit: "B", StepNs: 1e9, Enc: record.EncWindows, Data: data}, err
}

// profiled is a profile of stacks that part from each other in a tree, 10 to 40 calls deep.
func profiled(r *rand.Rand) (record.Series, error) {
	p := record.Profile{Clock: record.ClockCPU, PeriodNs: 1e6}
	for i := range stacks {
		s := record.Stack{N: 1 + int64(r.ExpFloat64()*20), Thread: fmt.Sprintf("worker-%d", i%8)}
		depth := 10 + r.IntN(31)
		for level := depth; level >= 0; level-- {
			s.Frames = append(s.Frames,
				record.Frame{Function: fmt.Sprintf("org.example.Class%d.method%d", (i>>max(0, 12-level))%400, level),
					Module: record.ModuleJava})
		}
		p.Stacks = append(p.Stacks, s)
	}
	data, err := session.EncodeProfile(p)
	return record.Series{Name: record.ProfileCPU, Unit: "", Enc: record.EncProfile, Data: data}, err
}
