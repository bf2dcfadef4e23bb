package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/judge"
	coded "plimsoll/internal/note"
	"plimsoll/internal/trialset"
)

// results is one workload's findings, ready for either medium.
type results struct {
	Workload string
	Fixed    string // parameters that do not vary
	Table    block.Table
	Notes    []block.Sentence
	Sizing   []sizing
	Profiles []profiled
}

// resultsOf describes cells of one workload. A column tells machines apart
// where there are several.
func resultsOf(cells []finding.Cell) results {
	split := splitParams(paramsOf(cells))
	r := results{Workload: cells[0].Workload, Fixed: figure.Joined(split.Fixed, fixedKinds(kindsOf(cells)))}
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

func paramsOf(cells []finding.Cell) []map[string]string {
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

func countMachines(cells []finding.Cell) int {
	seen := map[string]bool{}
	for _, c := range cells {
		seen[c.Machine] = true
	}
	return len(seen)
}

func resultsTable(cells []finding.Cell, split paramSplit, several bool) block.Table {
	cells = tabled(cells)
	kinds := varyingKinds(kindsOf(cells))
	var t block.Table
	if several {
		t.Columns = append(t.Columns, block.Column{Name: "machine"})
	}
	t.Columns = append(t.Columns, split.columns()...)
	t.Columns = append(t.Columns, block.Column{Name: "load"})
	for _, k := range kinds {
		t.Columns = append(t.Columns, block.Column{Name: k.name})
	}
	t.Keys = len(t.Columns) + 1
	t.Columns = append(t.Columns, block.Column{Name: "metric"}, block.Column{Name: "interval", Right: true}, block.Column{Name: "trials"},
		block.Column{Name: "estimate", Right: true})
	scales := scalesOf(cells)
	for i, c := range cells {
		var row []block.Cell
		if several {
			row = append(row, block.Cell{Text: c.Machine})
		}
		row = append(row, split.cells(c.Params)...)
		row = append(row, block.Cell{Text: loadText(c.Load)})
		for _, k := range kinds {
			row = append(row, block.Cell{Text: k.texts[i]})
		}
		for _, figures := range append([][]block.Cell{figureCells(c, scales.of(c))}, derived(c)...) {
			t.Rows = append(t.Rows, slices.Concat(row, figures))
		}
	}
	return t
}

// figureCells are the columns from the metric on.
func figureCells(c finding.Cell, u figure.Scale) []block.Cell {
	look := block.Strong
	if !c.Primary {
		look = block.Plain
	}
	s := spanOf(c)
	interval, estimate := block.Cell{Text: s.Interval(u), Tone: look}, block.Cell{Text: s.Estimate(u), Tone: block.Plain}
	switch {
	case c.N == 0:
		interval, estimate = block.Cell{Text: "no valid trial", Tone: block.Bad}, block.Cell{Text: figure.NoNumber, Tone: block.Dim}
	case !s.Bounded() && c.N < figure.MinReplicates:
		interval = block.Cell{Text: fmt.Sprintf("no interval, %d needed", figure.MinReplicates), Tone: block.Dim}
	case !s.Bounded():
		interval = block.Cell{Text: "no interval", Tone: block.Dim}
	}
	return []block.Cell{{Text: c.Metric}, interval, {Text: fmt.Sprintf("(n %d)", c.N), Tone: block.Dim}, estimate}
}

// scales holds one prefix for each metric of a table, so that its figures can
// be read against each other; none for a metric whose figures lie too far
// apart for that.
type scales map[string]figure.Scale

// tooFar is the ratio of two figures from which on each has its own prefix.
const tooFar = 100

func (s scales) of(c finding.Cell) figure.Scale {
	if common, ok := s[c.Metric]; ok {
		return common
	}
	return figure.ScaleFor(c.Unit, spanOf(c).Values()...)
}

func scalesOf(cells []finding.Cell) scales {
	values, units := map[string][]float64{}, map[string]string{}
	for _, c := range cells {
		if c.N > 0 {
			values[c.Metric] = append(values[c.Metric], spanOf(c).Values()...)
		}
		units[c.Metric] = c.Unit
	}
	out := scales{}
	for metric, unit := range units {
		v := values[metric]
		if len(v) > 0 && slices.Min(v) > 0 && slices.Max(v)/slices.Min(v) > tooFar {
			continue
		}
		out[metric] = figure.ScaleFor(unit, v...)
	}
	return out
}

// effectNotes puts factors' effects on the primary metrics into sentences.
func effectNotes(cells []finding.Cell, split paramSplit, several bool) []block.Sentence {
	var out []block.Sentence
	for _, c := range cells {
		if !c.Primary {
			continue
		}
		for _, e := range judge.KindEffect.All(c) {
			text := effectSentence(c, e)
			if len(cells) > 1 {
				text = place(without(c, e.Factor), split, several) + ": " + text
			}
			out = append(out, block.Sentence{Lead: "effect", Tone: block.Dim, Text: text})
		}
	}
	return out
}

func effectSentence(c finding.Cell, e judge.Effect) string {
	said := figure.Claim{
		Subject: e.Factor + "=" + e.To, Object: e.Factor + "=" + e.From, Verb: "does",
		Metric: c.Metric, Per: e.Per, Direction: c.Better,
		Ratio: figure.Span{Value: e.Ratio, Lo: e.Lo, Hi: e.Hi}, Within: e.Verdict == trialset.Equivalent, N: e.N, Each: "replicate",
	}
	text := said.Sentence()
	if said.Ratio.Bounded() {
		text += fmt.Sprintf(" (n %d)", e.N)
	}
	if e.Verdict != "" {
		text += ": " + string(e.Verdict)
	}
	return text
}

// without is the cell as it is named where a factor's level says the rest.
func without(c finding.Cell, factor string) finding.Cell {
	c.Params = maps.Clone(c.Params)
	delete(c.Params, strings.TrimPrefix(factor, c.Workload+"."))
	return c
}

// qualityNotes says which trials are left out, and what is doubtful about the
// rest: of the primary metric, by which the trials are judged. A trial that
// several metrics share is named once.
func qualityNotes(cells []finding.Cell, split paramSplit, several bool) []block.Sentence {
	var out []block.Sentence
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
				out = append(out, block.Sentence{Lead: "void", Tone: block.Bad, Text: fmt.Sprintf("%s, replicate %d is left out: %s", where, t.Replicate, t.Void)})
				continue
			}
			ofTrials = append(ofTrials, t.Doubts...)
		}
		for _, d := range counted(append(doubts, coded.Fold(ofTrials)...)) {
			out = append(out, hinted("doubt", block.Warn, where+": "+d)...)
		}
	}
	return unique(out)
}

// place names a cell among those of its workload.
func place(c finding.Cell, split paramSplit, several bool) string {
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

func unique(notes []block.Sentence) []block.Sentence {
	seen := map[block.Sentence]bool{}
	return slices.DeleteFunc(notes, func(n block.Sentence) bool {
		dup := seen[n]
		seen[n] = true
		return dup
	})
}
