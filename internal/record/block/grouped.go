package block

import "plimsoll/internal/base/list"

// Grouped is the form of a table of figures for text: a line for each figure, below a heading that names what the
// figures of a group share, so that each fits a narrow screen.
type Grouped struct {
	Columns []Column
	Groups  []Group
	Spare   []string // columns to leave out, one after the other, if the screen is too narrow
}

// Group is the figures of one setting and load.
type Group struct {
	Head string
	Said Cell // the verdict on them; "" for none
	Rows []Figures
}

// Figures is one row of a group, and the screens that show it.
type Figures struct {
	Cells []Cell
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
func (g Grouped) Single() bool {
	for _, group := range g.Groups {
		if len(group.Rows) != 1 {
			return false
		}
	}
	return len(g.Groups) > 1
}

// Flat returns a table of single rows with their headings and verdicts in columns.
func (g Grouped) Flat() Table {
	out := Table{Keys: 1, Spare: g.Spare, Columns: append([]Column{{}}, g.Columns...)}
	said := g.said()
	if said {
		out.Columns = append(out.Columns, Column{Name: "verdict"})
	}
	for _, group := range g.Groups {
		row := append([]Cell{{Text: group.Head}}, group.Rows[0].Cells...)
		if said {
			row = append(row, group.Said)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func (g Grouped) said() bool {
	for _, group := range g.Groups {
		if group.Said.Text != "" {
			return true
		}
	}
	return false
}

// Table returns the rows of all groups without their headings.
func (g Grouped) Table() Table {
	out := Table{Columns: g.Columns, Spare: g.Spare}
	for _, group := range g.Groups {
		out.Rows = append(out.Rows, list.Map(group.Rows, func(f Figures) []Cell { return f.Cells })...)
	}
	return out
}
