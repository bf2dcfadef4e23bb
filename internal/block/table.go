package block

// Table is rows of text for either medium; every row has a cell for each column.
type Table struct {
	Columns []Column
	Rows    [][]Cell
	Keys    int      // leading columns that name a row: a terminal leaves repeats blank
	Wrap    int      // minimum width of a last column of words; 0 for minWrap
	Spare   []string // columns to leave out, one after the other, if the terminal is too narrow
}

// Column is the head of a table's column.
type Column struct {
	Name  string
	Right bool // numbers, aligned at their right
}

// Cell is one field of a table's row.
type Cell struct {
	Text string
	Tone Tone
}
