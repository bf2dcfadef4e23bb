package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// ToldApart is trials in which the sessions of one machine that hold the same cells bear names of their own,
// so that what is estimated of one of them is of it alone.
type ToldApart struct {
	Trials   []record.Trial
	Machines []record.Machine
	Sessions map[string]finding.Session // by the name given here
	Notes    []note.Note                // what was told apart
}

// TellApart gives each session of a machine a name of its own, "vm (old)", where several hold a cell of it.
// A session is a plan of ours; what was imported into one file is one session, since replicates come in files of their own.
func TellApart(trials []record.Trial, machines []record.Machine, plans []record.PlanLine) ToldApart {
	out := ToldApart{Trials: trials, Machines: machines, Sessions: map[string]finding.Session{}}
	if len(sittingsOf(trials)) < 2 {
		return out
	}
	names := map[sittingOn]string{}
	for _, machine := range axis.LevelsOf(record.KeyMachine, trials, nil) {
		own := trialset.Filter(trials, func(t *record.Trial) bool { return t.Keys[record.KeyMachine] == machine })
		if sessions := sittingsOf(own); len(sessions) > 1 && sharesCells(loadline.Condensed(own, trialset.PlansByHash(plans))) {
			out.name(names, machine, sessions)
		}
	}
	if len(names) > 0 {
		out.rename(names)
	}
	return out
}

// sitting is what one machine was asked in one go.
type sitting struct {
	id            string // plan, or the file of imports
	labels        map[string]string
	file          string
	first, latest string // start of its first and of its last trial
}

type sittingOn struct{ machine, id string }

// sittingID is a plan's hash: of imports, their file.
func sittingID(t *record.Trial) string {
	if t.Keys[record.KeyImported] != "" {
		return "file " + t.Keys[record.KeyFile]
	}
	return t.Plan
}

// sittingsOf are in the order of their first trials.
func sittingsOf(trials []record.Trial) []sitting {
	at := map[string]int{}
	var out []sitting
	for i := range trials {
		t := &trials[i]
		id := sittingID(t)
		k, seen := at[id]
		if !seen {
			k, at[id] = len(out), len(out)
			out = append(out, sitting{id: id, labels: labelsOf(t.Keys), file: t.Keys[record.KeyFile], first: t.Start, latest: t.Start})
		}
		out[k].first, out[k].latest = min(out[k].first, t.Start), max(out[k].latest, t.Start)
	}
	return out
}

// sharesCells says whether two sessions hold the same cell.
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
		p, id := trialset.KeyOf(*t, "", nil), sittingID(t)
		if other, ok := holds[p]; ok && other != id {
			return true
		}
		holds[p] = id
	}
	return false
}

func labelsOf(keys map[string]string) map[string]string {
	out := map[string]string{}
	for key, value := range keys {
		if name, ok := strings.CutPrefix(key, record.LabelPrefix); ok {
			out[name] = value
		}
	}
	return out
}

// name finds a name for each session of a machine: by the labels in which they differ, else by their files, else by both and the time.
func (a *ToldApart) name(names map[sittingOn]string, machine string, of []sitting) {
	texts := tellingTexts(of)
	var said []string
	for i, s := range of {
		name := fmt.Sprintf("%s (%s)", machine, texts[i])
		names[sittingOn{machine, s.id}] = name
		a.Sessions[name] = finding.Session{Machine: machine, File: s.file, Labels: s.labels, Began: s.first}
		if began := clock(s.first); began != "" && !strings.Contains(texts[i], began) {
			texts[i] += " of " + began
		}
		said = append(said, texts[i])
	}
	a.Notes = append(a.Notes, note.New("told-apart",
		machine, len(of), strings.Join(said, ", ")))
}

// tellingTexts is the shortest of the ways to name sessions that gives each a name of its own.
func tellingTexts(of []sitting) []string {
	labels, files, began, ids := make([]string, len(of)), make([]string, len(of)), make([]string, len(of)), make([]string, len(of))
	for i, s := range of {
		labels[i], files[i], began[i], ids[i] = trialset.ParamsText(differing(s, of)), s.file, clock(s.first), s.id
	}
	for _, ways := range [][][]string{{labels}, {files}, {labels, files}, {labels, files, began}} {
		if texts := joinedTexts(ways); distinct(texts) {
			return texts
		}
	}
	return joinedTexts([][]string{labels, files, ids})
}

// differing are the labels of a session in which it differs from another one.
func differing(s sitting, of []sitting) map[string]string {
	out := maps.Clone(s.labels)
	maps.DeleteFunc(out, func(name, value string) bool {
		return !slices.ContainsFunc(of, func(o sitting) bool { return o.labels[name] != value })
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

// distinct says whether all texts differ and none is empty.
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

// clock is an instant to the second as people read it, "" where it is not known.
func clock(start string) string {
	if len(start) < len("2006-01-02T15:04:05") {
		return ""
	}
	return strings.Replace(start[:len("2006-01-02T15:04:05")], "T", " ", 1)
}

// rename gives the trials and the machines their new names.
func (a *ToldApart) rename(names map[sittingOn]string) {
	a.Trials = slices.Clone(a.Trials)
	for i := range a.Trials {
		t := &a.Trials[i]
		if to, ok := names[sittingOn{t.Keys[record.KeyMachine], sittingID(t)}]; ok {
			t.Keys = maps.Clone(t.Keys)
			t.Keys[record.KeyMachine] = to
		}
	}
	var machines []record.Machine
	for _, m := range a.Machines {
		own := slices.DeleteFunc(slices.Sorted(maps.Keys(a.Sessions)), func(to string) bool { return a.Sessions[to].Machine != m.Name })
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
