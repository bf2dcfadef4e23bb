package block

// Table is rows of text for either medium; every row has a cell for each column.
type Table struct {
	Columns []Column
	Rows    [][]Cell
	Groups  []Group  // its rows by groups, instead of Rows; nil: a plain table
	Keys    int      // leading columns that name a row: a terminal leaves repeats blank
	Prose   bool     // cells are sentences, which a page wraps
	Wrap    int      // minimum width of a last column of words; 0 for minWrap
	Spare   []string // columns to leave out, one after the other, if the terminal is too narrow
	Detail  bool     // left out of a screen without details
}

// Column is the head of a table's column.
type Column struct {
	Name  string
	Short string // the name if a screen is too narrow for the other; "" for none
	Right bool   // numbers, aligned at their right
}

// Cell is one field of a table's row.
type Cell struct {
	Text string
	Tone Tone
}

// NewTable returns a table without rows.
func NewTable(columns ...Column) Table { return Table{Columns: columns} }
