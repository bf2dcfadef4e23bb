package render

import (
	"fmt"
	"io"
	"strings"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Decidable writes the minimum detectable differences on a machine for some durations, as the ranges that the A/A's few
// pairs leave open, below the earlier output. The error is the writer's.
func Decidable(w io.Writer, style term.Style, found []sequential.Decidable) error {
	p := term.NewPrinter(w, style)
	p.Line("")
	p.Line(p.Style.Paint(block.Strong, "minimum detectable difference here"))
	p.Table(2, decidableTable(found))
	p.Gap()
	p.Notes(2, decidableNotes(found))
	return p.Err
}

func decidableTable(found []sequential.Decidable) block.Table {
	t := block.Table{Columns: []block.Column{{Name: "sides"}, {Name: "work"}, {Name: "load"}}, Keys: 3}
	ahead := aheadOf(found)
	for _, p := range ahead {
		t.Columns = append(t.Columns, block.Column{Name: fmt.Sprintf("in %d min", p.Minutes), Right: true})
	}
	t.Columns = append(t.Columns, block.Column{Name: "noise", Right: true}, block.Column{Name: "pairs", Right: true})
	for _, sliced := range []bool{true, false} {
		for _, d := range found {
			if d.Sliced == sliced {
				t.Rows = append(t.Rows, decidableRow(d, len(ahead)))
			}
		}
	}
	return t
}

// aheadOf returns the first projections.
func aheadOf(found []sequential.Decidable) []sequential.Projection {
	for _, d := range found {
		if len(d.In) > 0 {
			return d.In
		}
	}
	return nil
}

func decidableRow(d sequential.Decidable, ahead int) []block.Cell {
	row := []block.Cell{{Text: sidesText(d), Tone: block.Plain}, {Text: d.What, Tone: block.Plain},
		{Text: figure.Count(d.CPUs, "cpu"), Tone: block.Plain}}
	for i := range ahead {
		text := ""
		if i < len(d.In) {
			text = difference(d.In[i])
		}
		row = append(row, block.Cell{Text: text, Tone: block.Strong})
	}
	noise := ""
	if d.SD != nil {
		noise = figure.Quantity(100**d.SD, "%")
	}
	return append(row, block.Cell{Text: noise, Tone: block.Plain},
		block.Cell{Text: fmt.Sprint(d.Pairs), Tone: block.Plain})
}

func sidesText(d sequential.Decidable) string {
	if d.Sliced {
		return "sliced"
	}
	return "two runs"
}

// difference writes "0.41 to 1.6%".
func difference(p sequential.Projection) string {
	if !p.Bounded() {
		return "too short"
	}
	return twoDigits(100**p.Lo) + " to " + twoDigits(100**p.Hi) + "%"
}

// twoDigits formats a share in % with the precision of a range of differences.
func twoDigits(v float64) string { return figure.Fixed(v, figure.Decimals(v, 2)) }

// decidableNotes explains the table, with its caveats.
func decidableNotes(found []sequential.Decidable) []block.Sentence {
	out := []block.Sentence{}
	if aheadOf(found) != nil {
		out = decidableTerms(found[0])
	}
	for _, d := range found {
		for _, doubt := range d.Doubts {
			out = append(out, block.Sentence{Lead: "note", Tone: block.Warn,
				Text: strings.Join([]string{d.What, figure.Count(d.CPUs, "cpu"), sidesText(d)}, ", ") + ": " + doubt.Text()})
		}
	}
	return out
}

// decidableTerms explains the columns; all rows had trials like those of d.
func decidableTerms(d sequential.Decidable) []block.Sentence {
	length := record.FormatDuration(d.TrialS)
	return []block.Sentence{
		{Lead: "means", Tone: block.Dim, Text: "a true difference of that size is found in about 3 of 4 comparisons of " +
			"that length; the range reflects how few pairs estimate the noise, which is assumed constant"},
		{Lead: "runs", Tone: block.Dim,
			Text: fmt.Sprintf("of %s: --for %s --warmup %s and as many --replicates as fit; with longer ones there "+
				"are fewer pairs", length, length, record.FormatDuration(d.WarmupS))},
		{Lead: "noise", Tone: block.Dim, Text: "standard deviation of one pair's ratio, of the same work " +
			"compared with itself"},
	}
}
