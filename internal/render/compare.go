package render

import (
	"io"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
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
		printPairing(p, pairingOf(pair))
	}
	if notes := familyNotes(judge.KindFamily.All(c)); len(notes) > 0 {
		p.Gap()
		p.Notes(0, notes)
	}
	return p.Err
}

func printPairing(p *term.Printer, pair pairing) {
	p.Note(0, block.Sentence{Lead: pair.Title, Tone: block.Strong, Text: ""}, 0)
	for _, text := range figure.NonEmpty(pair.Claim, pair.Registered) {
		p.Note(2, block.Sentence{Text: text}, 0)
	}
	if len(pair.Said) > 0 {
		p.Gap()
		p.Notes(2, pair.Said)
	}
	if len(pair.Why.Notes) > 0 {
		p.Gap()
		p.Notes(2, pair.Why.Notes)
	}
	for _, t := range pair.Why.Tables {
		p.Gap()
		printResults(p, t)
	}
	for _, t := range pair.Tables {
		p.Gap()
		printResults(p, t)
	}
	if len(pair.Notes) > 0 {
		p.Gap()
		p.Notes(2, pair.Notes)
	}
}
