package term

import "plimsoll/internal/record/block"

// indents of a document, in columns.
const (
	textIndent  = 2 // sentences beside sections
	tableIndent = 4 // what stands in a section
)

// Documents prints the parts of a document with an empty line between them. A part without a title keeps to the margin.
func (p *Printer) Documents(parts []block.Section) {
	for _, s := range parts {
		p.Gap()
		if s.Title == "" {
			p.Blocks(s.Blocks, 0)
			continue
		}
		p.Document(s)
	}
}

// Document prints a part of a document: its title, and its blocks with an empty line between its groups.
func (p *Printer) Document(s block.Section) {
	if s.Title != "" {
		p.Note(0, block.Sentence{Lead: s.Title, Tone: block.Strong, Text: s.Fixed}, 0)
	}
	var notes []block.Block
	flush := func() {
		p.Blocks(notes, textIndent)
		notes = nil
	}
	for _, b := range s.Blocks {
		sub, ok := b.(block.Section)
		if !ok {
			notes = append(notes, b)
			continue
		}
		flush()
		p.group(sub)
	}
	flush()
}

// group prints a section of a part: one with a title like a table of results, others as sentences.
func (p *Printer) group(s block.Section) {
	if !printable(s) {
		return
	}
	p.Gap()
	if s.Title != "" && len(block.Of[block.Table](s.Blocks)) > 0 {
		p.Section(s, tableIndent)
		return
	}
	p.Document(block.Section{Title: s.Title, Fixed: s.Fixed, Blocks: s.Blocks})
}

// printable reports whether a terminal can show anything of a section.
func printable(s block.Section) bool {
	for _, b := range s.Blocks {
		switch b := b.(type) {
		case block.Sentence, block.Table:
			return true
		case block.Section:
			if printable(b) {
				return true
			}
		}
	}
	return false
}

// Section prints a section: its heading, its tables and its sentences. Drawings have no place on a terminal, nor has
// what goes with them.
func (p *Printer) Section(s block.Section, indent int) {
	switch {
	case s.Level > 0:
		p.Heading(s.Title, s.Fixed)
	case s.Title != "":
		p.Note(indent-textIndent, block.Sentence{Lead: s.Title, Tone: block.Strong, Text: s.Fixed}, 0)
	}
	p.Blocks(s.Blocks, indent)
}

// Blocks prints blocks. Sentences that follow one another share a column for their lead words.
func (p *Printer) Blocks(all []block.Block, indent int) {
	var notes []block.Sentence
	flush := func() {
		p.Notes(indent, notes)
		notes = nil
	}
	for _, b := range all {
		switch b := b.(type) {
		case block.Sentence:
			notes = append(notes, b)
		case block.Table:
			flush()
			p.Table(indent, b)
		case block.Section:
			if b.Class == block.Panels || b.Fold || !printable(b) {
				continue
			}
			flush()
			p.Section(b, indent+textIndent)
		}
	}
	flush()
}
