package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// ToldApart holds trials in which the sessions of a machine with equal cells have distinct names, so that each gets its
// own estimates.
type ToldApart struct {
	Trials   []record.Trial
	Machines []record.Machine
	Sessions map[string]finding.Session // by the new name
	Notes    []note.Note                // the renamed sessions
}

// TellApart gives each session of a machine a distinct name, "vm (old)", if several include the same cell. A session is
// one plan; an imported file is one session, since replicates come in separate files.
func TellApart(trials []record.Trial, machines []record.Machine, plans []record.PlanLine) ToldApart {
	out := ToldApart{Trials: trials, Machines: machines, Sessions: map[string]finding.Session{}}
	if len(integrity.SessionsOf(trials)) < 2 {
		return out
	}
	names := map[sessionOn]string{}
	for _, machine := range axis.LevelsOf(record.KeyMachine, trials, nil) {
		own := trialset.Filter(trials, func(t *record.Trial) bool { return t.Keys[record.KeyMachine] == machine })
		if sessions := integrity.SessionsOf(own); len(sessions) > 1 &&
			sharesCells(loadline.Condensed(own, trialset.PlansByHash(plans), nil)) {
			out.name(names, machine, sessions)
		}
	}
	if len(names) > 0 {
		out.rename(names)
	}
	return out
}

// sessionOn is a session of a machine.
type sessionOn struct{ machine, id string }

// sharesCells reports whether two sessions include the same cell.
func sharesCells(trials []record.Trial) bool {
	type planned struct {
		plan string
		cell int
	}
	known, holds := map[planned]bool{}, map[trialset.Key]string{}
	for i := range trials {
		t, imported := &trials[i], trials[i].Keys[record.KeyImported] != ""
		at := planned{t.Plan, t.Cell}
		if known[at] && !imported {
			continue
		}
		known[at] = true
		p, id := trialset.KeyOf(*t, "", nil), integrity.SessionID(t)
		if other, ok := holds[p]; ok && other != id {
			return true
		}
		holds[p] = id
	}
	return false
}

// name finds a name for each session of a machine: by the labels that differ, else by their files, else by both and the
// time.
func (a *ToldApart) name(names map[sessionOn]string, machine string, of []integrity.Session) {
	texts := tellingTexts(of)
	var said []string
	for i, s := range of {
		name := fmt.Sprintf("%s (%s)", machine, texts[i])
		names[sessionOn{machine, s.ID}] = name
		a.Sessions[name] = finding.Session{Machine: machine, File: s.File, Labels: s.Labels, Began: s.First}
		if began := integrity.Clock(s.First); began != "" && !strings.Contains(texts[i], began) {
			texts[i] += " of " + began
		}
		said = append(said, texts[i])
	}
	a.Notes = append(a.Notes, note.New("told-apart",
		machine, len(of), strings.Join(said, ", ")))
}

// tellingTexts returns the shortest texts that name each session distinctly.
func tellingTexts(of []integrity.Session) []string {
	labels, files, began, ids := make([]string, len(of)), make([]string, len(of)), make([]string, len(of)), make([]string,
		len(of))
	for i, s := range of {
		labels[i], files[i], began[i], ids[i] = trialset.ParamsText(differing(s, of)), s.File, integrity.Clock(s.First), s.ID
	}
	for _, ways := range [][][]string{{labels}, {files}, {labels, files}, {labels, files, began}} {
		if texts := joinedTexts(ways); distinct(texts) {
			return texts
		}
	}
	return joinedTexts([][]string{labels, files, ids})
}

// differing returns the labels of a session that differ from another one's.
func differing(s integrity.Session, of []integrity.Session) map[string]string {
	out := maps.Clone(s.Labels)
	maps.DeleteFunc(out, func(name, value string) bool {
		return !slices.ContainsFunc(of, func(o integrity.Session) bool { return o.Labels[name] != value })
	})
	return out
}

func joinedTexts(ways [][]string) []string {
	out := make([]string, len(ways[0]))
	for i := range out {
		var parts []string
		for _, texts := range ways {
			if texts[i] != "" {
				parts = append(parts, texts[i])
			}
		}
		out[i] = strings.Join(parts, ", ")
	}
	return out
}

// distinct reports whether all texts differ and none is empty.
func distinct(texts []string) bool {
	seen := map[string]bool{"": true}
	for _, t := range texts {
		if seen[t] {
			return false
		}
		seen[t] = true
	}
	return true
}

// rename sets the new names in the trials and the machines.
func (a *ToldApart) rename(names map[sessionOn]string) {
	a.Trials = slices.Clone(a.Trials)
	for i := range a.Trials {
		t := &a.Trials[i]
		if to, ok := names[sessionOn{t.Keys[record.KeyMachine], integrity.SessionID(t)}]; ok {
			t.Keys = maps.Clone(t.Keys)
			t.Keys[record.KeyMachine] = to
		}
	}
	var machines []record.Machine
	for _, m := range a.Machines {
		own := slices.DeleteFunc(slices.Sorted(maps.Keys(a.Sessions)),
			func(to string) bool { return a.Sessions[to].Machine != m.Name })
		if len(own) == 0 {
			machines = append(machines, m)
		}
		for _, to := range own {
			m.Name = to
			machines = append(machines, m)
		}
	}
	a.Machines = machines
}
