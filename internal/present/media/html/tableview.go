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
	Whole  *tableView // nil if the groups are all of it
	Rows   int
	Prose  bool
}

// groupView is the rows below a heading; "" for none.
type groupView struct {
	Head string
	Said block.Cell
	Rows [][]block.Cell
}

func tableOf(t block.Table) tableView {
	whole := plainTable(t)
	if t.Text == nil {
		return whole
	}
	shown := block.Depth{}.Shown(*t.Text)
	switch {
	case len(shown.Groups) == 0:
		return whole
	case shown.Single():
		out := plainTable(shown.Flat())
		out.Whole = &whole
		return out
	}
	out := tableView{Head: shown.Columns, Whole: &whole}
	for _, g := range shown.Groups {
		rows := list.Map(g.Rows, func(f block.Figures) []block.Cell { return f.Cells })
		out.Groups = append(out.Groups, groupView{Head: g.Head, Said: g.Said, Rows: rows})
		out.Rows += len(rows)
	}
	return out
}

func plainTable(t block.Table) tableView {
	return tableView{Head: t.Columns, Groups: []groupView{{Rows: t.Rows}}, Rows: len(t.Rows), Prose: t.Prose}
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
