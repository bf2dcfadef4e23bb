package main

import (
	"fmt"
	"slices"

	"plimsoll/internal/category"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/finding/profile"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
)

// Limits of the profiles in a report: the flame graphs of a cell take about 50 kB.
const (
	maxFlames     = 36 // cells, over all machines
	maxFlameDiffs = 36
)

// mergedProfiles holds the merged profiles of a cell's trials, with the mean costs per operation.
type mergedProfiles struct {
	cpu, waits       record.Profile
	perOp, waitPerOp float64        // s; 0 if a trial does not state it
	trials           []record.Trial // trials in it
	problems         []note.Note
}

func mergeCell(c profile.Cell, read finding.ProfileReader) mergedProfiles {
	var out mergedProfiles
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
			out.problems = append(out.problems, note.New("report-profile-unreadable", t.ID, err))
			continue
		case !ok || p.Samples() == 0:
			out.problems = append(out.problems, note.New("profile-without-samples", t.ID))
			continue
		}
		out.trials = append(out.trials, t)
		v, _ := t.Value(record.CPUPerOp)
		cpu, perOp = append(cpu, p), append(perOp, v.Value)
		if waited, ok := category.WaitCosts(t, w); ok {
			waits, waitPerOp = append(waits, w), append(waitPerOp, waited.PerOp)
		}
	}
	out.cpu, out.waits = record.MergeProfiles(cpu), record.MergeProfiles(waits)
	out.perOp, out.waitPerOp = meanOfAll(perOp), meanOfAll(waitPerOp)
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

// flames returns the flame graphs of each profiled cell.
func flames(in *finding.Input) (out []render.Flame, problems []note.Note) {
	cells := machinesTogether(profile.Cells(in.Trials))
	for _, c := range cells[:min(len(cells), maxFlames)] {
		m := mergeCell(c, in.Read.Profile)
		problems = append(problems, m.problems...)
		if len(m.trials) > 0 {
			out = append(out, render.Flame{Label: c.String(), Trials: len(m.trials), CPU: m.cpu, Waits: m.waits, PerOp: m.perOp, WaitPerOp: m.waitPerOp})
		}
	}
	if more := len(cells) - maxFlames; more > 0 {
		problems = append(problems, note.New("profiles-not-drawn", count(more, "more cell")))
	}
	return out, problems
}

// machinesTogether groups equal cells of several machines, in order of first occurrence.
func machinesTogether(cells []profile.Cell) []profile.Cell {
	// Fmt prints maps in the order of their keys.
	did := func(c profile.Cell) string { return fmt.Sprint(c.Workload, c.Params, c.Load) }
	place := map[string]int{}
	for _, c := range cells {
		if _, ok := place[did(c)]; !ok {
			place[did(c)] = len(place)
		}
	}
	out := slices.Clone(cells)
	slices.SortStableFunc(out, func(a, b profile.Cell) int { return place[did(a)] - place[did(b)] })
	return out
}

// flameDiffs returns the differential flame graphs of cells profiled on both sides of a comparison.
func flameDiffs(in *finding.Input) (out []render.FlameDiff, problems []note.Note) {
	var pairs []profile.Pair
	for _, by := range axis.All(in.Trials, in.PlanLines) {
		pairs = append(pairs, profile.Pairs(in.Trials, in.Machines, in.PlanLines, by)...)
	}
	for _, p := range pairs[:min(len(pairs), maxFlameDiffs)] {
		a, b := mergeCell(p.A, in.Read.Profile), mergeCell(p.B, in.Read.Profile)
		label := p.String()
		nameA, nameB := p.Sides()
		switch {
		case len(a.trials) == 0 || len(b.trials) == 0:
		case a.perOp == 0 || b.perOp == 0:
			problems = append(problems, note.New("no-differential", label))
		default:
			out = append(out, render.FlameDiff{Label: label, A: render.FlameSide{Name: nameA, CPU: a.cpu, PerOp: a.perOp},
				B: render.FlameSide{Name: nameB, CPU: b.cpu, PerOp: b.perOp}})
		}
	}
	if more := len(pairs) - maxFlameDiffs; more > 0 {
		problems = append(problems, note.New("differentials-not-drawn", count(more, "more differential flame graph")))
	}
	return out, problems
}

// addFlames adds the flame graphs of sessions to a page, with cells of the sessions that are told apart.
func addFlames(page *render.Page, whole, apart *finding.Input) {
	var problems, unlike []note.Note
	page.Flames, problems = flames(apart)
	page.FlameDiffs, unlike = flameDiffs(whole)
	page.Shown.Warnings = slices.Concat(page.Shown.Warnings, problems, unlike)
}
