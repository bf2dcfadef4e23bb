package block

import (
	"cmp"
	"slices"

	"plimsoll/internal/base/list"
)

// Group is the figures of one setting and load, below a heading that names what they share, so that each row fits a
// narrow screen.
type Group struct {
	Head string
	Said Cell // the verdict on them; "" for none
	Rows []Figures
}

// Figures is one row of a group, and the screens that show it.
type Figures struct {
	Cells []Cell
	Said  Cell // the verdict on it, if its group's is on another; "" for none
	Level Level
}

// Level is how much a screen must show for a row to be on it.
type Level int

// The levels of rows.
const (
	Summary Level = iota
	Detail        // with details
	Noise         // says nothing by itself: only with all rows
)

// Single reports whether each group is one row, so that a heading line would double them.
func (t Table) Single() bool {
	for _, group := range t.Groups {
		if len(group.Rows) != 1 {
			return false
		}
	}
	return len(t.Groups) > 1
}

// Flat returns a plain table of single rows with their headings and verdicts in columns.
func (t Table) Flat() Table {
	out := Table{Keys: 1, Spare: t.Spare, Columns: append([]Column{{}}, t.Columns...)}
	said := t.said()
	if said {
		out.Columns = append(out.Columns, Column{Name: verdictColumn})
	}
	for _, group := range t.Groups {
		row := append([]Cell{{Text: group.Head}}, group.Rows[0].Cells...)
		if said {
			row = append(row, cmp.Or(group.Said, group.Rows[0].Said))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

const verdictColumn = "verdict"

func (t Table) said() bool {
	return t.saidOfRows() || slices.ContainsFunc(t.Groups, func(g Group) bool { return g.Said.Text != "" })
}

func (t Table) saidOfRows() bool {
	return slices.ContainsFunc(t.Groups, func(g Group) bool {
		return slices.ContainsFunc(g.Rows, func(f Figures) bool { return f.Said.Text != "" })
	})
}

// WithVerdicts returns a table by groups with the verdicts of its rows, if they have any, in a last column. A terminal
// has no room for it.
func (t Table) WithVerdicts() Table {
	if !t.saidOfRows() {
		return t
	}
	t.Columns = append(slices.Clone(t.Columns), Column{Name: verdictColumn})
	t.Groups = list.Map(t.Groups, func(g Group) Group {
		g.Rows = list.Map(g.Rows, func(f Figures) Figures {
			f.Cells = append(slices.Clone(f.Cells), f.Said)
			return f
		})
		return g
	})
	return t
}

// Ungrouped returns a plain table of the rows of all groups, without their headings.
func (t Table) Ungrouped() Table {
	out := Table{Columns: t.Columns, Spare: t.Spare}
	for _, group := range t.Groups {
		out.Rows = append(out.Rows, list.Map(group.Rows, func(f Figures) []Cell { return f.Cells })...)
	}
	return out
}
