package render

import (
	"fmt"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/outcome"
	"plimsoll/internal/judge"
	"plimsoll/internal/list"
	coded "plimsoll/internal/note"
	"plimsoll/internal/record"
)

// results returns the table of one workload, and the sections of its findings.
func results(v *finding.View) block.Section {
	s := block.Section{Title: v.Cells[0].Workload,
		Fixed: figure.Joined(v.Split.Fixed, finding.FixedTraits(finding.TraitsOf(v.Cells))), Level: block.ResultLevel}
	analyzers := judge.Analyzers()
	s.Blocks = append(s.Blocks, resultsTable(v, analyzers))
	said := finding.Settings(v.Cells)
	for _, a := range analyzers {
		if a.Show != nil {
			said = append(said, a.Worded(a.Show(v))...)
		}
	}
	said = append(said, finding.Blocks(qualityNotes(v))...)
	s.Blocks = slices.Concat(s.Blocks, block.Arranged(said), trialPlot(v))
	return s
}

func resultsTable(v *finding.View, analyzers []finding.Analyzer) block.Table {
	v.Cells = tabled(v.Cells)
	kinds := finding.VaryingTraits(finding.TraitsOf(v.Cells))
	var t block.Table
	if v.Several {
		t.Columns = append(t.Columns, block.Column{Name: "machine"})
	}
	t.Columns = append(t.Columns, v.Split.Columns()...)
	t.Columns = append(t.Columns, block.Column{Name: "load"})
	for _, k := range kinds {
		t.Columns = append(t.Columns, block.Column{Name: k.Name})
	}
	t.Keys = len(t.Columns) + 1
	t.Columns = append(t.Columns, block.Column{Name: "metric"}, block.Column{Name: "interval", Right: true},
		block.Column{Name: "runs"},
		block.Column{Name: "estimate", Right: true})
	scales := scalesOf(v.Cells)
	t.Text = resultsText(v, analyzers, scales)
	for i, c := range v.Cells {
		var row []block.Cell
		if v.Several {
			row = append(row, block.Cell{Text: c.Machine})
		}
		row = append(row, v.Split.Cells(c.Shown())...)
		row = append(row, block.Cell{Text: finding.LoadText(c.Load)})
		for _, k := range kinds {
			row = append(row, block.Cell{Text: k.Texts[i]})
		}
		for _, figures := range append([][]block.Cell{figureCells(c, scales.of(c))}, derivedRows(c, analyzers)...) {
			t.Rows = append(t.Rows, slices.Concat(row, figures))
		}
	}
	return t
}

// figureCells returns the columns from the metric on.
func figureCells(c finding.Cell, u figure.Scale) []block.Cell {
	look := block.Strong
	if !c.Primary {
		look = block.Plain
	}
	s := finding.SpanOf(c.Estimate)
	interval, estimate := block.Cell{Text: s.Interval(u), Tone: look}, block.Cell{Text: s.Estimate(u), Tone: block.Plain}
	switch {
	case c.N == 0:
		interval, estimate = block.Cell{Text: "no valid run", Tone: block.Bad}, block.Cell{Text: figure.NoNumber,
			Tone: block.Dim}
	case c.AtLeast:
		interval, estimate = block.Cell{Text: "at least " + s.Estimate(u), Tone: look}, block.Cell{}
	case !s.Bounded() && c.N < figure.MinReplicates:
		interval = block.Cell{Text: fmt.Sprintf("no interval, %d runs needed", figure.MinReplicates), Tone: block.Dim}
	case !s.Bounded():
		interval = block.Cell{Text: "no interval", Tone: block.Dim}
	}
	return []block.Cell{{Text: c.Metric}, interval, {Text: fmt.Sprintf("(n %d)", c.N), Tone: block.Dim}, estimate}
}

// scales holds one prefix for each metric of a table, which makes its figures comparable; none for a metric whose
// figures are too far apart.
type scales map[string]figure.Scale

// tooFar is the ratio of two figures from which on each has its own prefix.
const tooFar = 100

func (s scales) of(c finding.Cell) figure.Scale {
	if common, ok := s[c.Metric]; ok {
		return common
	}
	return figure.ScaleFor(figure.UnitOf(c.Counted(), c.Unit), finding.SpanOf(c.Estimate).Values()...)
}

func scalesOf(cells []finding.Cell) scales {
	values, units := map[string][]float64{}, map[string]string{}
	for _, c := range cells {
		if c.N > 0 {
			values[c.Metric] = append(values[c.Metric], finding.SpanOf(c.Estimate).Values()...)
		}
		units[c.Metric] = figure.UnitOf(c.Counted(), c.Unit)
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

// failures lists failed trials, those of one reason together. What the programs printed that failed is a detail.
func failures(where string, trials []finding.TrialValue) []block.Sentence {
	var whys []string
	of := map[string][]finding.TrialValue{}
	for _, t := range trials {
		why := figure.Brief(t.Void.String())
		if len(of[why]) == 0 {
			whys = append(whys, why)
		}
		of[why] = append(of[why], t)
	}
	var out []block.Sentence
	for _, why := range whys {
		first, which := of[why][0], fmt.Sprintf("%d runs are left out", len(of[why]))
		if len(of[why]) == 1 {
			which = fmt.Sprintf("run %d is left out", record.RunNumber(first.Replicate))
		}
		out = append(out, block.Sentence{Lead: "failed", Tone: block.Bad, Text: fmt.Sprintf("%s, %s: %s", where, which, why)})
		if whole := first.Void.String(); whole != why {
			out = append(out, block.Sentence{Lead: "failed", Tone: block.Bad, Detail: true,
				Text: fmt.Sprintf("%s, run %d: %s", where, record.RunNumber(first.Replicate), whole)})
		}
	}
	return out
}

// mostAlike bounds the cells with the same note that are named one by one.
const mostAlike = 3

// alikeNotes returns in how many cells a note on the primary metric stands.
func alikeNotes(v *finding.View) map[string]int {
	out := map[string]int{}
	for _, c := range v.Cells {
		if c.Primary || c.Metric == "" {
			for _, d := range coded.Texts(c.Doubts) {
				out[d]++
			}
		}
	}
	return out
}

// qualityNotes lists failed trials and the notes on the primary metric, by which the trials are judged. A trial that
// several metrics share is named once.
func qualityNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	alike, told := alikeNotes(v), map[string]bool{}
	seen := map[string]bool{}
	for _, c := range v.Cells {
		where := v.Place(c)
		var doubts, chief []string
		ofTrials := make([]coded.Note, 0, len(c.Trials))
		if c.Primary || c.Metric == "" {
			doubts, chief = coded.Texts(c.Doubts), coded.Texts(list.Filter(c.Doubts, outcome.Weakens))
		}
		var failed []finding.TrialValue
		for _, t := range c.Trials {
			if seen[t.ID] {
				continue
			}
			seen[t.ID] = true
			if !t.Void.IsZero() {
				failed = append(failed, t)
				continue
			}
			ofTrials = append(ofTrials, t.Doubts...)
		}
		out = append(out, failures(where, failed)...)
		for _, d := range finding.Counted(append(doubts, coded.Fold(ofTrials)...)) {
			if n := alike[d]; n > mostAlike && slices.Contains(chief, d) {
				if !told[d] {
					out = append(out, finding.Caveat("note", block.Warn, fmt.Sprintf("%s and %d more: %s", where, n-1, d))...)
				}
				told[d] = true
				continue
			}
			for _, s := range finding.Caveat("note", block.Warn, where+": "+d) {
				s.Detail = !slices.Contains(chief, d)
				out = append(out, s)
			}
		}
	}
	return block.Unique(out)
}
