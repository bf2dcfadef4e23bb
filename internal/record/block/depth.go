package block

// Depth is how much of a document a screen shows. The zero Depth shows the answer, the figures and the notes that
// weaken them.
type Depth struct {
	Verbose bool // details too
	All     bool // rows that say nothing by themselves too
}

// Whole returns the depth that shows everything.
func Whole() Depth { return Depth{Verbose: true, All: true} }

// Hidden is what a document leaves out at a depth.
type Hidden struct {
	Rows    int // shown with All
	Details int // sentences, sections and rows shown with Verbose
}

// Reduced returns a document at a depth, and what it leaves out.
func (d Depth) Reduced(sections []Section) ([]Section, Hidden) {
	var out []Section
	var hidden Hidden
	for _, s := range sections {
		if s.Blocks = d.blocks(s.Blocks, &hidden); len(s.Blocks) > 0 || s.Title != "" {
			out = append(out, s)
		}
	}
	return out, hidden
}

func (d Depth) blocks(all []Block, hidden *Hidden) []Block {
	var out []Block
	for _, b := range all {
		switch b := b.(type) {
		case Sentence:
			if d.hides(b.Detail, hidden) {
				continue
			}
			if b.Brief != "" && d.hides(true, hidden) {
				b.Text = b.Brief
			}
			out = append(out, b)
			continue
		case Table:
			if d.hides(b.Detail, hidden) {
				continue
			}
			out = append(out, d.rows(b, hidden))
			continue
		case Section:
			if d.hides(b.Detail, hidden) {
				continue
			}
			had := len(b.Blocks)
			if b.Blocks = d.blocks(b.Blocks, hidden); len(b.Blocks) > 0 || had == 0 {
				out = append(out, b)
			}
			continue
		}
		out = append(out, b)
	}
	return out
}

func (d Depth) hides(detail bool, hidden *Hidden) bool {
	if !detail || d.Verbose {
		return false
	}
	hidden.Details++
	return true
}

// Shown returns a table with the rows of the depth.
func (d Depth) Shown(t Table) Table { return d.rows(t, new(Hidden)) }

// rows returns a table with the rows of the depth. A group without any keeps its heading for its verdict alone.
func (d Depth) rows(t Table, hidden *Hidden) Table {
	groups := t.Groups
	if groups == nil {
		return t
	}
	t.Groups = []Group{}
	for _, group := range groups {
		rows := group.Rows
		group.Rows = nil
		for _, r := range rows {
			switch {
			case r.Level == Noise && !d.All:
				hidden.Rows++
			case r.Level == Detail && !d.Verbose && !d.All:
				hidden.Details++
			default:
				group.Rows = append(group.Rows, r)
			}
		}
		if len(group.Rows) > 0 || group.Said.Text != "" {
			t.Groups = append(t.Groups, group)
		}
	}
	return t
}

// Details returns blocks as details of their document.
func Details(all []Block) []Block {
	out := make([]Block, len(all))
	for i, b := range all {
		switch b := b.(type) {
		case Sentence:
			b.Detail = true
			out[i] = b
		case Table:
			b.Detail = true
			out[i] = b
		case Section:
			b.Detail = true
			out[i] = b
		default:
			out[i] = b
		}
	}
	return out
}
