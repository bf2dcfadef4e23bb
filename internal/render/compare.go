package render

import (
	"io"

	"plimsoll/internal/block"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/compare"
	"plimsoll/internal/judge"
	"plimsoll/internal/media/term"
)

// Compare writes what comparisons conclude: for each pair the verdicts in
// plain sentences, then the figures, then what limits them. The error is the
// writer's.
func Compare(w io.Writer, style term.Style, c finding.Compared) error {
	p := term.NewPrinter(w, style)
	if len(c.Pairs) == 0 {
		p.Note(0, block.Sentence{Text: "nothing to compare: no workload has valid trials on two sides"}, 0)
	}
	for _, pair := range c.Pairs {
		p.Gap()
		p.Document(compare.Section(compare.View("", pair, 0), pairAnalyzers()))
	}
	if notes := aboutAll(c); len(notes) > 0 {
		p.Gap()
		p.Notes(0, notes)
	}
	return p.Err
}

// aboutAll returns the wording of the findings about all sides.
func aboutAll(c finding.Compared) []block.Sentence {
	var out []block.Sentence
	for _, a := range judge.Analyzers() {
		if a.SaysAll != nil {
			out = append(out, block.Of[block.Sentence](a.SaysAll(c))...)
		}
	}
	return out
}
