package term

import (
	"cmp"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// columnGap is the space between columns, as wide as it is long.
const columnGap = "  "

// Table writes t, a line for each row. If the terminal is too narrow, it leaves out spare columns, then wraps columns
// of words, the widest first, and at last makes each row a paragraph; figures are never cut.
func (p *Printer) Table(indent int, t block.Table) {
	if t.Groups != nil {
		p.groups(indent, t)
		return
	}
	t, ok := p.fitting(indent, t)
	if !ok {
		p.paragraphs(indent, t)
		return
	}
	widths := p.header(indent, t)
	for i, row := range t.Rows {
		p.rows(indent, t, unrepeated(t, i, row), widths)
	}
}

// groups writes a table by groups: a heading for what each shares, below it a line for each figure. Single figures
// stand beside their headings if there is room.
func (p *Printer) groups(indent int, g block.Table) {
	if len(g.Groups) == 0 {
		return
	}
	if flat := g.Flat(); g.Single() && sum(columnWidths(flat)) <= p.Style.Width-indent {
		p.Table(indent, flat)
		return
	}
	t, ok := p.fitting(indent, g.Ungrouped())
	var widths []int
	if ok {
		widths = p.header(indent, t)
	}
	next := 0
	for _, group := range g.Groups {
		p.head(max(indent-textIndent, 0), group)
		rows := t
		rows.Rows = t.Rows[next : next+len(group.Rows)]
		next += len(group.Rows)
		if !ok {
			p.paragraphs(indent, rows)
			continue
		}
		for _, row := range rows.Rows {
			p.rows(indent, t, row, widths)
		}
	}
}

// paragraphs writes a row as its key, and beside it its figures with the names of their columns.
func (p *Printer) paragraphs(indent int, t block.Table) {
	keys := max(t.Keys, 1)
	for _, row := range t.Rows {
		var key, figures []string
		for i, c := range row {
			switch {
			case c.Text == "":
			case i < keys:
				key = append(key, c.Text)
			default:
				figures = append(figures, t.Columns[i].Name+" "+c.Text)
			}
		}
		p.paragraph(indent, figure.Joined(key...))
		if len(figures) > 0 {
			p.paragraph(indent+textIndent, figure.Joined(figures...))
		}
	}
}

// head writes the heading of a group and its verdict.
func (p *Printer) head(indent int, g block.Group) {
	head, said := block.Clean(g.Head), block.Clean(g.Said.Text)
	if indent+block.DisplayWidth(head)+len(columnGap)+block.DisplayWidth(said) > p.Style.Width {
		p.paragraph(indent, figure.Joined(head, said))
		return
	}
	p.Line(strings.Repeat(" ", indent) + head + columnGap + p.Style.Paint(g.Said.Tone, said))
}

// fitting returns a table with the short names of its columns, and without its spare columns, if there is no room;
// false if there is still none.
func (p *Printer) fitting(indent int, t block.Table) (out block.Table, ok bool) {
	out = t
	if sum(columnWidths(t)) > p.Style.Width-indent {
		out.Columns = list.Map(t.Columns, func(c block.Column) block.Column {
			c.Name = cmp.Or(c.Short, c.Name)
			return c
		})
		t = out
	}
	for i := 0; i < len(t.Spare) && sum(leastWidths(out)) > p.Style.Width-indent; i++ {
		out = lessColumns(t, t.Spare[:i+1])
	}
	return out, sum(leastWidths(out)) <= p.Style.Width-indent
}

// header writes the names of the columns, and returns their widths.
func (p *Printer) header(indent int, t block.Table) []int {
	widths := shrunk(t, p.Style.Width-indent)
	p.rows(indent, t, header(t), widths)
	return widths
}

func header(t block.Table) []block.Cell {
	return list.Map(t.Columns, func(c block.Column) block.Cell { return block.Cell{Text: c.Name, Tone: block.Dim} })
}

// rows writes a row, in several lines if its words are wrapped.
func (p *Printer) rows(indent int, t block.Table, row []block.Cell, widths []int) {
	for _, line := range folded(row, widths) {
		p.Line(strings.Repeat(" ", indent) + p.row(t, line, widths))
	}
}

// shrunk returns the widths of columns, those of words wrapped to fit the room, the widest first.
func shrunk(t block.Table, room int) []int {
	widths, least := columnWidths(t), leastWidths(t)
	for sum(widths) > room {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break // figures are never cut
		}
		widths[widest]--
	}
	return widths
}

// leastWidths returns the widths below which columns are not wrapped.
func leastWidths(t block.Table) []int {
	out := columnWidths(t)
	for i, c := range t.Columns {
		if c.Right {
			continue
		}
		least := minColumn
		if i == len(out)-1 {
			least = max(t.Wrap, minColumn)
		}
		out[i] = min(out[i], max(least, longestWord(t, i)))
	}
	return out
}

// minColumn is the width below which words are not wrapped.
const minColumn = 12

// longestWord returns the width of a column's longest word.
func longestWord(t block.Table, column int) int {
	longest := 0
	for _, row := range append(t.Rows, header(t)) {
		for _, word := range words(block.Clean(row[column].Text)) {
			longest = max(longest, block.DisplayWidth(word))
		}
	}
	return longest
}

// sum returns the width of columns with the gaps between them.
func sum(widths []int) int {
	total := (len(widths) - 1) * len(columnGap)
	for _, w := range widths {
		total += w
	}
	return total
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

// folded splits a row with cells that are too wide into several.
func folded(row []block.Cell, widths []int) [][]block.Cell {
	out := [][]block.Cell{slices.Clone(row)}
	for i, c := range row {
		text := block.Clean(c.Text)
		if block.DisplayWidth(text) <= widths[i] {
			continue
		}
		for n, part := range Wrap(text, widths[i]) {
			if n == len(out) {
				out = append(out, make([]block.Cell, len(row)))
			}
			out[n][i] = block.Cell{Text: part, Tone: c.Tone}
		}
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
