package trialset

import (
	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// StandIn is one trial in the place of all that a search or a sweep is made of. It stands where they do: in their plan, cell, group and
// replicate, at the start of the first, an extra one where they are; and it took the seconds of all of them, on the same CPUs. It is made new, so that nothing
// else of one of them gets into it: CPU time, disks, heat, windows and what disturbed it are of one load, and say nothing of the whole.
// Values, doubts and the id are the caller's, who knows what was found.
func StandIn(parts []record.Trial, keys map[string]string, load record.LoadPoint) record.Trial {
	first := parts[0]
	t := record.Trial{
		Keys: keys, Load: load, Plan: first.Plan, Cell: first.Cell, Group: first.Group, Replicate: first.Replicate, Pair: first.Pair, Extra: first.Extra,
		Start: first.Start, MonoNs: first.MonoNs, CPUSets: first.CPUSets,
	}
	for i := range parts {
		t.WarmupS += parts[i].WarmupS
		t.DurationS += parts[i].DurationS
	}
	return t
}

// PartDoubts say how many of the trials that another one stands in for have something against them; what names them.
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
		out = append(out, note.New("parts-without-cores"))
	}
	return out
}
