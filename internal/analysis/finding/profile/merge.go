package profile

import (
	"fmt"
	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"slices"
)

// Limits of the profiles in a report: the flame graphs of a cell take about 50 kB.
const (
	maxFlames     = 36 // cells, over all machines
	maxFlameDiffs = 36
)

// Merged holds the merged profiles of a cell's trials, with the mean costs per operation.
type Merged struct {
	CPU, Waits       record.Profile
	PerOp, WaitPerOp float64        // s; 0 if a trial does not state it
	Trials           []record.Trial // trials in it
	Problems         []note.Note
}

// Merge adds up the profiles of the trials of a cell.
func Merge(c Cell, read finding.ProfileReader) Merged {
	var out Merged
	var cpu, waits []record.Profile
	var perOp, waitPerOp []float64
	for _, t := range c.Trials {
		p, ok, err := read(t, record.ProfileCPU)
		w, _, waitErr := read(t, record.ProfileWait)
		if err == nil {
			err = waitErr
		}
		switch {
		case err != nil:
			out.Problems = append(out.Problems, note.New("report-profile-unreadable", t.ID, err))
			continue
		case !ok || p.Samples() == 0:
			out.Problems = append(out.Problems, note.New("profile-without-samples", t.ID))
			continue
		}
		out.Trials = append(out.Trials, t)
		v, _ := t.Value(record.CPUPerOp)
		cpu, perOp = append(cpu, p), append(perOp, v.Value)
		if w.Samples() > 0 {
			waits, waitPerOp = append(waits, w), append(waitPerOp, category.WaitPerOp(t, w))
		}
	}
	out.CPU, out.Waits = record.MergeProfiles(cpu), record.MergeProfiles(waits)
	out.PerOp, out.WaitPerOp = meanOfAll(perOp), meanOfAll(waitPerOp)
	return out
}

// meanOfAll returns the mean of values; 0 if any is unknown.
func meanOfAll(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		if v <= 0 {
			return 0
		}
		sum += v / float64(len(values))
	}
	return sum
}

// merger merges the profiles of cells, of each once.
type merger struct {
	read  finding.ProfileReader
	known map[string]Merged // by the trials
}

func (m merger) of(c Cell) Merged {
	at := ""
	for _, t := range c.Trials {
		at += t.ID + "\n"
	}
	out, ok := m.known[at]
	if !ok {
		out = Merge(c, m.read)
		m.known[at] = out
	}
	return out
}

// flames returns the flame graphs of each profiled cell.
func flames(in *finding.Input, merged merger) (out []Flame, problems []note.Note) {
	cells := machinesTogether(Cells(in.Trials))
	for _, c := range cells[:min(len(cells), maxFlames)] {
		m := merged.of(c)
		problems = append(problems, m.Problems...)
		if len(m.Trials) > 0 {
			out = append(out, Flame{Label: c.String(), Trials: len(m.Trials), CPU: m.CPU, Waits: m.Waits, PerOp: m.PerOp,
				WaitPerOp: m.WaitPerOp})
		}
	}
	if more := len(cells) - maxFlames; more > 0 {
		problems = append(problems, note.New("profiles-not-drawn", figure.Count(more, "more benchmark")))
	}
	return out, problems
}

// machinesTogether groups equal cells of several machines, in order of first occurrence.
func machinesTogether(cells []Cell) []Cell {
	// Fmt prints maps in the order of their keys.
	did := func(c Cell) string { return fmt.Sprint(c.Workload, c.Params, c.Load) }
	place := map[string]int{}
	for _, c := range cells {
		if _, ok := place[did(c)]; !ok {
			place[did(c)] = len(place)
		}
	}
	out := slices.Clone(cells)
	slices.SortStableFunc(out, func(a, b Cell) int { return place[did(a)] - place[did(b)] })
	return out
}

// flameDiffs returns the differential flame graphs of cells profiled on both sides of a comparison.
func flameDiffs(in *finding.Input, merged merger) (out []FlameDiff, problems []note.Note) {
	var pairs []Pair
	for _, by := range axis.All(in.Trials, in.PlanLines) {
		pairs = append(pairs, Pairs(in.Trials, in.PlanLines, by)...)
	}
	for _, p := range pairs[:min(len(pairs), maxFlameDiffs)] {
		a, b := merged.of(p.A), merged.of(p.B)
		label := p.String()
		nameA, nameB := p.Sides()
		switch {
		case len(a.Trials) == 0 || len(b.Trials) == 0:
		case a.PerOp == 0 || b.PerOp == 0:
			problems = append(problems, note.New("no-differential", label))
		default:
			out = append(out, FlameDiff{Label: label, A: FlameSide{Name: nameA, CPU: a.CPU, PerOp: a.PerOp},
				B: FlameSide{Name: nameB, CPU: b.CPU, PerOp: b.PerOp}})
		}
	}
	if more := len(pairs) - maxFlameDiffs; more > 0 {
		problems = append(problems, note.New("differentials-not-drawn", figure.Count(more, "more differential flame graph")))
	}
	return out, problems
}
