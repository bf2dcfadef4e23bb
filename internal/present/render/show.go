package render

import (
	"io"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/outcome"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/present/media/markdown"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	coded "plimsoll/internal/record/note"
)

// Show writes the results of machines' sessions for a terminal. The error is the writer's.
func Show(w io.Writer, style term.Style, s finding.Shown, depth block.Depth) error {
	return term.Write(w, style, showDocument(s).sections(depth, style.Last))
}

// ShowTables is Show without the answer, if that comes last: answer writes it. The errors are the writer's.
func ShowTables(w io.Writer, style term.Style, s finding.Shown, depth block.Depth) (answer func() error, err error) {
	doc := showDocument(s)
	lines := doc.answer.Lines()
	if !style.Last || len(lines) == 0 {
		return func() error { return nil }, term.Write(w, style, doc.sections(depth, style.Last))
	}
	return func() error {
		p := term.NewPrinter(w, style)
		p.Line("")
		p.Notes(0, lines)
		return p.Err
	}, term.Write(w, style, doc.tables(depth))
}

// document is an answer and the parts with its evidence.
type document struct {
	answer finding.Answer
	parts  []block.Section
}

// sections returns a document at a depth: the answer first or, on a terminal, last.
func (d document) sections(depth block.Depth, last bool) []block.Section {
	if last {
		return append(d.tables(depth), d.answer.Lead()...)
	}
	return reduced(append(d.answer.Opening(), d.parts...), depth)
}

// tables returns all of a document but the lines of its answer. The tables that a reader asked for are the last.
func (d document) tables(depth block.Depth) []block.Section {
	return reduced(append(slices.Clone(d.parts), d.answer.Below...), depth)
}

// ShowMarkdown writes the results of machines' sessions as Markdown. The error is the writer's.
func ShowMarkdown(w io.Writer, s finding.Shown, depth block.Depth) error {
	return markdown.Write(w, showDocument(s).sections(depth, false))
}

// reduced returns a document at a depth; its last line says what is hidden.
func reduced(sections []block.Section, depth block.Depth) []block.Section {
	out, hidden := depth.Reduced(sections)
	var said []string
	if hidden.Rows > 0 {
		said = append(said, figure.Count(hidden.Rows, "row")+" hidden: --all")
	}
	if hidden.Details > 0 {
		said = append(said, "details: -v")
	}
	if len(said) == 0 {
		return out
	}
	return append(out, remark(block.Sentence{Text: strings.Join(said, "; ")})...)
}

// showDocument returns the answer, a part for each machine, in it a section for each table of a workload, and the
// warnings last.
func showDocument(s finding.Shown) document {
	var out []block.Section
	of := map[string][]finding.Cell{}
	for _, c := range s.Workloads {
		of[c.Machine] = append(of[c.Machine], c)
	}
	for _, name := range machineNames(s) {
		out = append(out, machinePart(name, of[name], s))
	}
	if len(s.Workloads) == 0 {
		out = append(out, remark(block.Sentence{Text: "no results: no run has finished"})...)
	}
	return document{shownAnswer(s), append(out, remark(finding.Warnings(coded.Texts(s.Warnings))...)...)}
}

// shownAnswer returns the answer of a document about cells.
func shownAnswer(s finding.Shown) finding.Answer { return outcome.Of(s, judge.Analyzers()) }

func machinePart(name string, of []finding.Cell, s finding.Shown) block.Section {
	out := block.Section{Title: name, Fixed: summaryOf(name, s), Level: block.PartLevel}
	for _, cells := range finding.GroupBy(of, func(c finding.Cell) string { return c.Workload }) {
		for _, sub := range finding.Subdivided(cells, func(c finding.Cell) map[string]string { return c.Shown() }) {
			out.Blocks = append(out.Blocks, results(finding.NewView(sub)))
		}
	}
	return out
}

// remark returns the part without a title of sentences beside the parts of a document; none without sentences.
func remark(said ...block.Sentence) []block.Section {
	if len(said) == 0 {
		return nil
	}
	return []block.Section{{Blocks: finding.Blocks(said)}}
}
