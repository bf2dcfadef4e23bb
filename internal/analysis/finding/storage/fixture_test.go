package storage

import (
	"bytes"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

func ptr(v float64) *float64 { return &v }

// told returns notes of texts, as of a session.
func told(texts ...string) []note.Note { return note.FromRecords(texts) }

func termOf(v, lo, hi float64) estimate.Estimate {
	return figure.Between(lo, hi).Around(v)
}

// printed returns the text of a show of cells on a terminal, in one line.
func printed(show func(*finding.View) []block.Block, cells ...finding.Cell) string {
	var b bytes.Buffer
	term.NewPrinter(&b, term.Style{Width: 100}).Blocks(show(finding.NewView(cells)), 0)
	return strings.Join(strings.Fields(b.String()), " ")
}
