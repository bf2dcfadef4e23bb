package term

import (
	"slices"
	"strings"

	"plimsoll/internal/block"
)

// columnGap is the space between columns, as wide as it is long.
const columnGap = "  "

// Table writes t. If the terminal is too narrow, it wraps a last column of words; if that does not suffice, it omits
// spare columns, and finally turns each row into a short list.
func (p *Printer) Table(indent int, t block.Table) {
	room := p.Style.Width - indent
	widths, ok := fitted(t, room)
	for i := 0; !ok && i < len(t.Spare); i++ {
		slim := lessColumns(t, t.Spare[:i+1])
		if widths, ok = fitted(slim, room); ok {
			t = slim
		}
	}
	if !ok {
		p.stacked(indent, t)
		return
	}
	pad := strings.Repeat(" ", indent)
	header := make([]block.Cell, len(t.Columns))
	for i, c := range t.Columns {
		header[i] = block.Cell{Text: c.Name, Tone: block.Dim}
	}
	p.Line(pad + p.row(t, header, widths))
	for i, row := range t.Rows {
		for _, line := range folded(unrepeated(t, i, row), widths[len(widths)-1]) {
			p.Line(pad + p.row(t, line, widths))
		}
	}
}

// fitted returns the columns' widths, the last one's cut to the room if it may wrap, and false if the table is still
// too wide.
func fitted(t block.Table, room int) (widths []int, ok bool) {
	widths = columnWidths(t)
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

// lessColumns returns the table without the spare columns.
func lessColumns(t block.Table, spare []string) block.Table {
	out := block.Table{Keys: t.Keys, Wrap: t.Wrap, Rows: make([][]block.Cell, len(t.Rows))}
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
func folded(row []block.Cell, width int) [][]block.Cell {
	last := len(row) - 1
	var out [][]block.Cell
	for i, text := range Wrap(block.Clean(row[last].Text), width) {
		line := make([]block.Cell, len(row))
		if i == 0 {
			copy(line, row)
		}
		line[last] = block.Cell{Text: text, Tone: row[last].Tone}
		out = append(out, line)
	}
	return out
}

func (p *Printer) row(t block.Table, row []block.Cell, widths []int) string {
	parts := make([]string, len(row))
	for i, c := range row {
		text := block.Clean(c.Text)
		space := strings.Repeat(" ", max(0, widths[i]-block.DisplayWidth(text)))
		switch {
		case t.Columns[i].Right:
			parts[i] = space + p.Style.Paint(c.Tone, text)
		case i == len(row)-1:
			parts[i] = p.Style.Paint(c.Tone, text)
		default:
			parts[i] = p.Style.Paint(c.Tone, text) + space
		}
	}
	return strings.Join(parts, columnGap)
}

// stacked writes a row as its key and then a line for each further column.
func (p *Printer) stacked(indent int, t block.Table) {
	for _, row := range t.Rows {
		var key []string
		for _, c := range row[:min(t.Keys, len(row))] {
			if c.Text != "" {
				key = append(key, c.Text)
			}
		}
		p.Note(indent, block.Sentence{Text: strings.Join(key, ", ")}, 0)
		var lines []block.Sentence
		for i := t.Keys; i < len(row); i++ {
			if row[i].Text != "" {
				lines = append(lines, block.Sentence{Lead: t.Columns[i].Name, Tone: block.Dim, Text: row[i].Text})
			}
		}
		p.Notes(indent+2, lines)
	}
}

func columnWidths(t block.Table) []int {
	out := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = block.DisplayWidth(block.Clean(c.Name))
	}
	for _, row := range t.Rows {
		for i, c := range row {
			out[i] = max(out[i], block.DisplayWidth(block.Clean(c.Text)))
		}
	}
	return out
}

// unrepeated blanks the leading key columns in which a row equals the one above.
func unrepeated(t block.Table, i int, row []block.Cell) []block.Cell {
	if i == 0 {
		return row
	}
	out := append([]block.Cell(nil), row...)
	for k := 0; k < t.Keys && row[k].Text == t.Rows[i-1][k].Text; k++ {
		out[k].Text = ""
	}
	return out
}
