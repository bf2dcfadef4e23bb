package block

import "fmt"

// Block is one piece of a document: a Sentence, a Table, a Chart, a Plot, a Flame, or a Section of others.
type Block interface{ block() }

func (Sentence) block() {}
func (Table) block()    {}
func (Chart) block()    {}
func (Plot) block()     {}
func (Flame) block()    {}
func (Section) block()  {}

// Section is a part of a document with a title of its own.
type Section struct {
	Title  string
	Fixed  string // what holds for all of it, such as parameters that do not vary; "" for nothing
	Level  int    // of the title: 2 for a document's parts; 0 for a lead within the text of its parent
	Fold   bool   // a page shows it on demand
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
