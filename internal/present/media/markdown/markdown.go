// Package markdown writes blocks as GitHub-flavoured Markdown, for issues, pull requests and wikis.
package markdown

import (
	"fmt"
	"io"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Write writes a document. Drawings stand in words. The error is the writer's.
func Write(w io.Writer, sections []block.Section) error {
	var out writer
	for _, s := range sections {
		out.section(s)
	}
	if _, err := io.WriteString(w, strings.Join(out.parts, "\n")); err != nil {
		return fmt.Errorf("writing the Markdown: %w", err)
	}
	return nil
}

// writer holds the parts of a document that an empty line separates, each with its line ends.
type writer struct{ parts []string }

func (w *writer) add(format string, args ...any) {
	w.parts = append(w.parts, fmt.Sprintf(format, args...)+"\n")
}

func (w *writer) section(s block.Section) {
	switch {
	case s.Fold:
		w.folded(figure.Joined(s.Title, s.Fixed), func() { w.blocks(s.Blocks) })
		return
	case s.Title != "" && s.Level > 0:
		w.add("%s %s", strings.Repeat("#", min(s.Level, deepest)), escape(s.Title))
		if s.Fixed != "" {
			w.add("%s", escape(s.Fixed))
		}
	case s.Title != "":
		w.add("%s", sentence(block.Sentence{Lead: s.Title, Text: s.Fixed}))
	}
	w.blocks(s.Blocks)
}

// deepest is the level of Markdown's smallest heading.
const deepest = 6

func (w *writer) blocks(all []block.Block) {
	var list []string
	flush := func() {
		if len(list) > 0 {
			w.add("%s", strings.Join(list, "\n"))
		}
		list = nil
	}
	for _, b := range all {
		if s, ok := b.(block.Sentence); ok {
			list = append(list, "- "+sentence(s))
			continue
		}
		flush()
		w.block(b)
	}
	flush()
}

func (w *writer) block(b block.Block) {
	switch b := b.(type) {
	case block.Section:
		w.section(b)
	case block.Table:
		w.table(b)
	case block.Chart:
		w.drawing(b.Title, b.Hint, b.Desc)
	case block.Plot:
		w.drawing(b.Title, b.Desc)
	case block.Flame:
		w.drawing(b.Title, b.Hint, largest(b))
	}
}

// folded adds blocks that a reader opens.
func (w *writer) folded(title string, blocks func()) {
	w.add("<details><summary>%s</summary>", escapeHTML(title))
	blocks()
	w.add("</details>")
}

// drawing adds the words for a chart, a plot or a flame graph.
func (w *writer) drawing(title string, words ...string) {
	w.folded(title, func() {
		for _, text := range figure.NonEmpty(words...) {
			w.add("%s", escape(text))
		}
	})
}

// largest returns the first categories of a flame graph's legend with their shares.
func largest(f block.Flame) string {
	const few = 5
	return strings.Join(list.Map(f.Legend[:min(few, len(f.Legend))], func(k block.Key) string { return k.Text() }), ", ")
}

func sentence(s block.Sentence) string {
	return strings.Join(figure.NonEmpty(bold(s.Lead), escape(s.Text)), " ")
}

func bold(text string) string {
	if text = escape(text); text == "" {
		return ""
	}
	return "**" + text + "**"
}

// grouped adds a table by groups, whose headings are rows in bold. Single figures stand beside their headings.
func (w *writer) grouped(g block.Table) {
	if len(g.Groups) == 0 {
		return
	}
	if g.Single() {
		w.table(g.Flat())
		return
	}
	g = g.WithVerdicts()
	t := block.Table{Columns: g.Columns}
	for _, group := range g.Groups {
		head := make([]block.Cell, len(t.Columns))
		head[0] = block.Cell{Text: figure.Joined(group.Head, group.Said.Text), Tone: block.Strong}
		t.Rows = append(t.Rows, head)
		for _, f := range group.Rows {
			t.Rows = append(t.Rows, f.Cells)
		}
	}
	w.table(t)
}

func (w *writer) table(t block.Table) {
	if t.Groups != nil {
		w.grouped(t)
		return
	}
	var head, rule []string
	for _, c := range t.Columns {
		head, rule = append(head, escape(c.Name)), append(rule, ruleOf(c))
	}
	lines := []string{line(head), line(rule)}
	for _, row := range t.Rows {
		cells := list.Map(row, cell)
		lines = append(lines, line(cells))
	}
	w.add("%s", strings.Join(lines, "\n"))
}

func line(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

func ruleOf(c block.Column) string {
	if c.Right {
		return "---:"
	}
	return "---"
}

func cell(c block.Cell) string {
	if c.Tone == block.Strong {
		return bold(c.Text)
	}
	return escape(c.Text)
}
