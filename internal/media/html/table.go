package html

import (
	"plimsoll/internal/block"
)

// columnClass returns the HTML class of a column.
func columnClass(t block.Table, i int) string {
	if t.Columns[i].Right {
		return "num"
	}
	return "txt"
}
