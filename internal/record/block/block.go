// Package block defines the contents of a document as plain values: sentences, tables, charts, plots and flame graphs.
// It does no input or output, and knows neither findings nor media.
package block

import (
	"fmt"
	"slices"
)

// Block is one piece of a document: a Sentence, a Table, a Chart, a Plot, a Flame, a Stat, or a Section of others.
type Block interface{ block() }

func (Sentence) block() {}
func (Table) block()    {}
func (Chart) block()    {}
func (Plot) block()     {}
func (Flame) block()    {}
func (Stat) block()     {}
func (Section) block()  {}

// Section is a part of a document with a title of its own.
type Section struct {
	ID     string // its anchor on a page; "" for none
	Title  string
	Fixed  string // what holds for all of it, such as parameters that do not vary; "" for nothing
	Level  int    // of the title: 2 for a document's parts; 0 for a lead within the text of its parent
	Fold   bool   // a page shows it on demand
	Detail bool   // left out of a screen without details
	Class  string // look of its blocks: Panels, Verdicts, Cards, a Card, or "" for a plain one
	Blocks []Block
}

// The levels of titles.
const (
	PartLevel   = 2 // a part of a document
	ResultLevel = 3 // one workload
)

// The classes of sections.
const (
	Panels   = "panels" // drawings side by side
	Verdicts = "said"   // sentences that answer the question of the document
	Cards    = "cards"  // sections side by side
	Stats    = "stats"  // cards with a result each
	Pair     = "pair"   // the comparison of two sides
)

// Card returns the class of a section about one machine, in the colour of its series.
func Card(series int) string { return fmt.Sprintf("card series%d", series%SeriesColours) }

// Of returns the blocks of one type, in their order, without those of sections.
func Of[T Block](all []Block) []T {
	var out []T
	for _, b := range all {
		if t, ok := b.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

// Arranged returns blocks of several origins in the order of a document, each rank in the order given: sentences,
// tables and sections, charts, and then the plots side by side.
func Arranged(all []Block) []Block {
	plots := Of[Plot](all)
	out := slices.DeleteFunc(slices.Clone(all), func(b Block) bool { _, ok := b.(Plot); return ok })
	slices.SortStableFunc(out, func(a, b Block) int { return rank(a) - rank(b) })
	if len(plots) > 0 {
		panel := Section{Class: Panels}
		for _, p := range plots {
			panel.Blocks = append(panel.Blocks, p)
		}
		out = append(out, panel)
	}
	return out
}

func rank(b Block) int {
	switch b := b.(type) {
	case Sentence:
		return 0
	case Table:
		return 1
	case Section:
		if b.Class != Panels {
			return 1
		}
	}
	return 2
}
