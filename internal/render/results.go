package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/judge"
	coded "plimsoll/internal/note"
)

// results is one workload's findings, ready for either medium.
type results struct {
	Workload string
	Fixed    string // parameters that do not vary
	Table    table
	Notes    []note
	Sizing   []sizing
	Profiles []profiled
}

// resultsOf describes cells of one workload. A column tells machines apart
// where there are several.
func resultsOf(cells []judge.Cell) results {
	split := splitParams(paramsOf(cells))
	r := results{Workload: cells[0].Workload, Fixed: joined(split.Fixed, fixedKinds(kindsOf(cells)))}
	several := countMachines(cells) > 1
	r.Table = resultsTable(cells, split, several)
	r.Notes = regulationNotes(cells, split, several)
	r.Notes = append(r.Notes, scalingNotes(cells, split, several)...)
	r.Notes = append(r.Notes, bySizeNotes(cells, split, several)...)
	r.Notes = append(r.Notes, plateauNotes(cells, split, several)...)
	r.Notes = append(r.Notes, loadLineNotes(cells, split, several)...)
	r.Notes = append(r.Notes, saturationNotes(cells, split, several)...)
	r.Notes = append(r.Notes, watchedNotes(cells, split, several)...)
	r.Notes = append(r.Notes, ingestNotes(cells, split, several)...)
	r.Notes = append(r.Notes, worthNotes(cells, split, several)...)
	r.Notes = append(r.Notes, profilingNotes(cells, split, several)...)
	r.Notes = append(r.Notes, ceilingNotes(cells)...)
	r.Notes = append(r.Notes, warmUpNotes(cells, split, several)...)
	r.Notes = append(r.Notes, effectNotes(cells, split, several)...)
	r.Notes = append(r.Notes, attributionNotes(cells, split, several)...)
	r.Notes = append(r.Notes, explainNotes(cells, split, several)...)
	r.Notes = append(r.Notes, qualityNotes(cells, split, several)...)
	r.Sizing = sizingsOf(cells, split, several)
	r.Profiles = profilesOf(cells, split, several)
	return r
}

func paramsOf(cells []judge.Cell) []map[string]string {
	out := make([]map[string]string, len(cells))
	for i, c := range cells {
		out[i] = major(c.Params, c.Minor)
	}
	return out
}

// major are the parameters that a table shows.
func major(params map[string]string, minor []string) map[string]string {
	out := maps.Clone(params)
	for _, name := range minor {
		delete(out, name)
	}
	return out
}

func countMachines(cells []judge.Cell) int {
	seen := map[string]bool{}
	for _, c := range cells {
		seen[c.Machine] = true
	}
	return len(seen)
}

func resultsTable(cells []judge.Cell, split paramSplit, several bool) table {
	cells = tabled(cells)
	kinds := varyingKinds(kindsOf(cells))
	var t table
	if several {
		t.Columns = append(t.Columns, column{Name: "machine"})
	}
	t.Columns = append(t.Columns, split.columns()...)
	t.Columns = append(t.Columns, column{Name: "load"})
	for _, k := range kinds {
		t.Columns = append(t.Columns, column{Name: k.name})
	}
	t.Keys = len(t.Columns) + 1
	t.Columns = append(t.Columns, column{Name: "metric"}, column{Name: "interval", Right: true}, column{Name: "trials"},
		column{Name: "estimate", Right: true})
	scales := scalesOf(cells)
	for i, c := range cells {
		var row []cell
		if several {
			row = append(row, cell{Text: c.Machine})
		}
		row = append(row, split.cells(c.Params)...)
		row = append(row, cell{Text: loadText(c.Load)})
		for _, k := range kinds {
			row = append(row, cell{Text: k.texts[i]})
		}
		for _, figures := range append([][]cell{figureCells(c, scales.of(c))}, derived(c)...) {
			t.Rows = append(t.Rows, slices.Concat(row, figures))
		}
	}
	return t
}

// figureCells are the columns from the metric on.
func figureCells(c judge.Cell, u scale) []cell {
	look := strong
	if !c.Primary {
		look = plain
	}
	s := spanOf(c)
	interval, estimate := cell{s.interval(u), look}, cell{s.estimate(u), plain}
	switch {
	case c.N == 0:
		interval, estimate = cell{"no valid trial", bad}, cell{noNumber, dim}
	case !s.bounded() && c.N < minReplicates:
		interval = cell{fmt.Sprintf("no interval, %d needed", minReplicates), dim}
	case !s.bounded():
		interval = cell{"no interval", dim}
	}
	return []cell{{Text: c.Metric}, interval, {fmt.Sprintf("(n %d)", c.N), dim}, estimate}
}

// scales holds one prefix for each metric of a table, so that its figures can
// be read against each other; none for a metric whose figures lie too far
// apart for that.
type scales map[string]scale

// tooFar is the ratio of two figures from which on each has its own prefix.
const tooFar = 100

func (s scales) of(c judge.Cell) scale {
	if common, ok := s[c.Metric]; ok {
		return common
	}
	return scaleFor(c.Unit, spanOf(c).values()...)
}

func scalesOf(cells []judge.Cell) scales {
	values, units := map[string][]float64{}, map[string]string{}
	for _, c := range cells {
		if c.N > 0 {
			values[c.Metric] = append(values[c.Metric], spanOf(c).values()...)
		}
		units[c.Metric] = c.Unit
	}
	out := scales{}
	for metric, unit := range units {
		v := values[metric]
		if len(v) > 0 && slices.Min(v) > 0 && slices.Max(v)/slices.Min(v) > tooFar {
			continue
		}
		out[metric] = scaleFor(unit, v...)
	}
	return out
}

// effectNotes puts factors' effects on the primary metrics into sentences.
func effectNotes(cells []judge.Cell, split paramSplit, several bool) []note {
	var out []note
	for _, c := range cells {
		if !c.Primary {
			continue
		}
		for _, e := range c.Effects {
			text := effectSentence(c, e)
			if len(cells) > 1 {
				text = place(without(c, e.Factor), split, several) + ": " + text
			}
			out = append(out, note{"effect", dim, text})
		}
	}
	return out
}

func effectSentence(c judge.Cell, e judge.Effect) string {
	said := claim{
		subject: e.Factor + "=" + e.To, object: e.Factor + "=" + e.From, verb: "does",
		metric: c.Metric, per: e.Per, direction: c.Better,
		ratio: span{e.Ratio, e.Lo, e.Hi}, verdict: e.Verdict, n: e.N, each: "replicate",
	}
	text := said.sentence()
	if said.ratio.bounded() {
		text += fmt.Sprintf(" (n %d)", e.N)
	}
	if e.Verdict != "" {
		text += ": " + string(e.Verdict)
	}
	return text
}

// without is the cell as it is named where a factor's level says the rest.
func without(c judge.Cell, factor string) judge.Cell {
	c.Params = maps.Clone(c.Params)
	delete(c.Params, strings.TrimPrefix(factor, c.Workload+"."))
	return c
}

// qualityNotes says which trials are left out, and what is doubtful about the
// rest: of the primary metric, by which the trials are judged. A trial that
// several metrics share is named once.
func qualityNotes(cells []judge.Cell, split paramSplit, several bool) []note {
	var out []note
	seen := map[string]bool{}
	for _, c := range cells {
		where := place(c, split, several)
		var doubts []string
		var ofTrials []coded.Note
		if c.Primary || c.Metric == "" {
			doubts = coded.Texts(c.Doubts)
		}
		for _, t := range c.Trials {
			if seen[t.ID] {
				continue
			}
			seen[t.ID] = true
			if !t.Void.IsZero() {
				out = append(out, note{"void", bad, fmt.Sprintf("%s, replicate %d is left out: %s", where, t.Replicate, t.Void)})
				continue
			}
			ofTrials = append(ofTrials, t.Doubts...)
		}
		for _, d := range counted(append(doubts, coded.Fold(ofTrials)...)) {
			out = append(out, hinted("doubt", warn, where+": "+d)...)
		}
	}
	return unique(out)
}

// place names a cell among those of its workload.
func place(c judge.Cell, split paramSplit, several bool) string {
	label := split.label(c.Params, c.Load)
	if several {
		return c.Machine + ", " + label
	}
	return label
}

// counted folds equal texts into one with their number.
func counted(texts []string) []string {
	n := map[string]int{}
	for _, t := range texts {
		n[t]++
	}
	out := slices.Sorted(maps.Keys(n))
	for i, t := range out {
		if n[t] > 1 {
			out[i] = fmt.Sprintf("%s (%d times)", t, n[t])
		}
	}
	return out
}

func unique(notes []note) []note {
	seen := map[note]bool{}
	return slices.DeleteFunc(notes, func(n note) bool {
		dup := seen[n]
		seen[n] = true
		return dup
	})
}
