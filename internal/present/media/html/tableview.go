package html

import (
	"html/template"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
)

// tableView is a table as the page's template draws it: its groups, and on demand all rows and columns.
type tableView struct {
	Head   []block.Column
	Groups []groupView
	Whole  *tableView // nil if these are all rows
	Rows   int
	Prose  bool
}

// groupView is the rows below a heading; "" for none.
type groupView struct {
	Head string
	Said block.Cell
	Rows [][]block.Cell
}

// tableOf returns the rows of a table that its document shows at first, and all of them if there are more.
func tableOf(t block.Table) tableView {
	whole, shown := viewOf(t), viewOf(block.Depth{}.Shown(t))
	if shown.Rows == 0 || shown.Rows == whole.Rows {
		return whole
	}
	shown.Whole = &whole
	return shown
}

func viewOf(t block.Table) tableView {
	if t.Single() {
		t = t.Flat()
	}
	if t = t.WithVerdicts(); t.Groups == nil {
		return tableView{Head: t.Columns, Groups: []groupView{{Rows: t.Rows}}, Rows: len(t.Rows), Prose: t.Prose}
	}
	out := tableView{Head: t.Columns}
	for _, g := range t.Groups {
		rows := list.Map(g.Rows, func(f block.Figures) []block.Cell { return f.Cells })
		out.Groups = append(out.Groups, groupView{Head: g.Head, Said: g.Said, Rows: rows})
		out.Rows += len(rows)
	}
	return out
}

// Class returns the HTML class of a column.
func (v tableView) Class(i int) string {
	if v.Head[i].Right {
		return "num"
	}
	if v.Prose {
		return "txt prose"
	}
	return "txt"
}

// Row returns the HTML of a row's cells. The page's template would take several times as long for the figures of a
// large page.
func (v tableView) Row(cells []block.Cell) template.HTML {
	var out strings.Builder
	for i, c := range cells {
		out.WriteString(`<td class="`)
		out.WriteString(v.Class(i))
		out.WriteString(" ")
		out.WriteString(string(c.Tone))
		out.WriteString(`" data-name="`)
		out.WriteString(template.HTMLEscapeString(v.Head[i].Name))
		out.WriteString(`">`)
		out.WriteString(template.HTMLEscapeString(c.Text))
		out.WriteString("</td>")
	}
	return template.HTML(out.String())
}
