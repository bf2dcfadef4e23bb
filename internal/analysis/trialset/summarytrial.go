package trialset

import (
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// StandIn returns a synthetic trial that represents a whole search or sweep. It keeps the plan, cell, group and
// replicate of the parts, starts with the first, is extra if they are, and sums their durations on the same CPUs.
// Nothing measured is carried over: CPU time, disks, heat, windows and disturbances belong to one load and say nothing
// about the whole. The caller sets values, doubts and the id from its result.
func StandIn(parts []record.Trial, keys map[string]string, load record.LoadPoint) record.Trial {
	first := parts[0]
	t := record.Trial{
		Keys: keys, Load: load, Start: first.Start, MonoNs: first.MonoNs, CPUSets: first.CPUSets,
		Slot: record.Slot{Plan: first.Plan, Cell: first.Cell, Group: first.Group, Replicate: first.Replicate,
			Pair: first.Pair, Extra: first.Extra},
	}
	for i := range parts {
		t.WarmupS += parts[i].WarmupS
		t.DurationS += parts[i].DurationS
	}
	return t
}

// PartDoubts returns notes with the number of void or doubtful trials among the parts of a synthetic trial,
// named by the second argument.
func PartDoubts(parts []record.Trial, what string) []note.Note {
	disturbed, cold := 0, 0
	for i := range parts {
		if Tainted(parts[i]) {
			disturbed++
		}
		if unheated(parts[i].WarmUp) {
			cold++
		}
	}
	var out []note.Note
	if disturbed > 0 {
		out = append(out, note.New("parts-tainted", disturbed, len(parts), what))
	}
	if cold > 0 {
		out = append(out, note.New("parts-not-steady", cold, len(parts), what))
	}
	if s := parts[0].CPUSets; s != nil && s.GeneratorCores == 0 {
		code := note.Code("parts-perhaps-of-one-core")
		if s.Work == s.Generator {
			code = "parts-without-cores"
		}
		out = append(out, note.New(code))
	}
	return out
}

// CellID is the cell of a plan on one machine.
type CellID struct {
	plan, machine string
	cell          int
}

// IDOf returns the cell that a trial belongs to.
func IDOf(t record.Trial) CellID { return CellID{t.Plan, t.Keys[record.KeyMachine], t.Cell} }
