package render

import (
	"io"

	"plimsoll/internal/judge"
)

// Compare writes what comparisons conclude: for each pair the verdicts in
// plain sentences, then the figures, then what limits them. The error is the
// writer's.
func Compare(w io.Writer, style Style, c judge.Compared) error {
	p := newPrinter(w, style)
	if len(c.Pairs) == 0 {
		p.note(0, note{Text: "nothing to compare: no workload has valid trials on two sides"}, 0)
	}
	for _, pair := range c.Pairs {
		p.gap()
		p.pairing(pairingOf(pair))
	}
	if notes := familyNotes(c.Families); len(notes) > 0 {
		p.gap()
		p.notes(0, notes)
	}
	return p.err
}

func (p *printer) pairing(pair pairing) {
	p.note(0, note{pair.Title, strong, ""}, 0)
	for _, text := range nonEmpty(pair.Claim, pair.Registered) {
		p.note(2, note{Text: text}, 0)
	}
	if len(pair.Said) > 0 {
		p.gap()
		p.notes(2, pair.Said)
	}
	if len(pair.Why.Notes) > 0 {
		p.gap()
		p.notes(2, pair.Why.Notes)
	}
	for _, t := range pair.Why.Tables {
		p.gap()
		p.results(t)
	}
	for _, t := range pair.Tables {
		p.gap()
		p.results(t)
	}
	if len(pair.Notes) > 0 {
		p.gap()
		p.notes(2, pair.Notes)
	}
}
