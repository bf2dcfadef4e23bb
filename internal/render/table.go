package render

import (
	"slices"
	"strings"
)

// table is rows of text for either medium; every row has a cell for each column.
type table struct {
	Columns []column
	Rows    [][]cell
	Keys    int      // leading columns that name a row: a terminal leaves repeats blank
	Wrap    int      // the narrowest that a last column of words may be; 0 for minWrap
	Spare   []string // columns to leave out, one after the other, where the terminal is too narrow
}

type column struct {
	Name  string
	Right bool // numbers, aligned at their right
}

type cell struct {
	Text string
	Ink  ink
}

// columnGap is the space between columns, as wide as it is long.
const columnGap = "  "

// table writes t. Where the terminal is too narrow, a last column of words is
// wrapped; where that does not help, spare columns go, and then each row becomes
// a short list.
func (p *printer) table(indent int, t table) {
	room := p.style.Width - indent
	widths, ok := t.fitted(room)
	for i := 0; !ok && i < len(t.Spare); i++ {
		slim := t.without(t.Spare[:i+1])
		if widths, ok = slim.fitted(room); ok {
			t = slim
		}
	}
	if !ok {
		p.stacked(indent, t)
		return
	}
	pad := strings.Repeat(" ", indent)
	header := make([]cell, len(t.Columns))
	for i, c := range t.Columns {
		header[i] = cell{c.Name, dim}
	}
	p.line(pad + p.row(t, header, widths))
	for i, row := range t.Rows {
		for _, line := range folded(t.unrepeated(i, row), widths[len(widths)-1]) {
			p.line(pad + p.row(t, line, widths))
		}
	}
}

// fitted are the columns' widths, the last one's cut to the room where it may
// wrap; it is false where the table is too wide for all that.
func (t table) fitted(room int) (widths []int, ok bool) {
	widths = t.widths()
	last := len(widths) - 1
	for _, w := range widths[:last] {
		room -= w + len(columnGap)
	}
	if room >= widths[last] {
		return widths, true
	}
	least := minWrap
	if t.Wrap > 0 {
		least = t.Wrap
	}
	if t.Columns[last].Right || room < least {
		return nil, false
	}
	widths[last] = room
	return widths, true
}

func (t table) without(spare []string) table {
	out := table{Keys: t.Keys, Wrap: t.Wrap, Rows: make([][]cell, len(t.Rows))}
	for i, c := range t.Columns {
		if slices.Contains(spare, c.Name) {
			continue
		}
		out.Columns = append(out.Columns, c)
		for r, row := range t.Rows {
			out.Rows[r] = append(out.Rows[r], row[i])
		}
	}
	return out
}

// folded splits a row whose last cell is too wide into several rows.
func folded(row []cell, width int) [][]cell {
	last := len(row) - 1
	var out [][]cell
	for i, text := range wrap(clean(row[last].Text), width) {
		line := make([]cell, len(row))
		if i == 0 {
			copy(line, row)
		}
		line[last] = cell{text, row[last].Ink}
		out = append(out, line)
	}
	return out
}

func (p *printer) row(t table, row []cell, widths []int) string {
	parts := make([]string, len(row))
	for i, c := range row {
		text := clean(c.Text)
		space := strings.Repeat(" ", max(0, widths[i]-displayWidth(text)))
		switch {
		case t.Columns[i].Right:
			parts[i] = space + p.style.paint(c.Ink, text)
		case i == len(row)-1:
			parts[i] = p.style.paint(c.Ink, text)
		default:
			parts[i] = p.style.paint(c.Ink, text) + space
		}
	}
	return strings.Join(parts, columnGap)
}

// stacked writes a row as its key and then a line for each further column.
func (p *printer) stacked(indent int, t table) {
	for _, row := range t.Rows {
		var key []string
		for _, c := range row[:min(t.Keys, len(row))] {
			if c.Text != "" {
				key = append(key, c.Text)
			}
		}
		p.note(indent, note{Text: strings.Join(key, ", ")}, 0)
		var lines []note
		for i := t.Keys; i < len(row); i++ {
			if row[i].Text != "" {
				lines = append(lines, note{t.Columns[i].Name, dim, row[i].Text})
			}
		}
		p.notes(indent+2, lines)
	}
}

func (t table) widths() []int {
	out := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = displayWidth(clean(c.Name))
	}
	for _, row := range t.Rows {
		for i, c := range row {
			out[i] = max(out[i], displayWidth(clean(c.Text)))
		}
	}
	return out
}

// unrepeated blanks the leading key columns in which a row equals the one above.
func (t table) unrepeated(i int, row []cell) []cell {
	if i == 0 {
		return row
	}
	out := append([]cell(nil), row...)
	for k := 0; k < t.Keys && row[k].Text == t.Rows[i-1][k].Text; k++ {
		out[k].Text = ""
	}
	return out
}

// Class is the HTML class of a column.
func (t table) Class(i int) string {
	if t.Columns[i].Right {
		return "num"
	}
	return "txt"
}
