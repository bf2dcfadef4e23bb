package render

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/finding/outcome"
	"plimsoll/internal/base/list"
	"plimsoll/internal/present/media/html"
	"plimsoll/internal/present/media/markdown"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	coded "plimsoll/internal/record/note"
)

// Page is the content of one HTML report.
type Page struct {
	Title     string   // the author's own; "" for the answer
	Source    string   // names of the files
	Notes     []string // paragraphs of the author's own, below the title
	Generated string   // date and program, in words
	Margin    float64  // the equivalence margin as a fraction, for the band of a forest plot; 0 draws none
	Shown     finding.Shown
	Compared  []finding.Compared
	Bases     map[string]finding.Basis // of machines, by name; nil if unknown
	OverTime  []block.Block            // drawings of whole series

	Profiles block.Section // flame graphs
}

// Report writes the page as HTML: one self-contained file, which needs neither font nor network, nor scripts for
// reading. All text in it is escaped. The error is the writer's.
func Report(w io.Writer, page Page) error {
	title, sections := headed(page, pageDocument(page))
	v := pageView{Lead: block.Cell{Text: title.Lead, Tone: title.Tone}, Title: title.Text,
		Generated: subtitle(page, title.Text), Notes: page.Notes, Warnings: pageWarnings(page)}
	sections = anchored(sections)
	v.arrange(sections)
	names := machineNames(page.Shown)
	if slices.ContainsFunc(v.Opening, isBoard) {
		names = nil // it has them, too
	}
	for i, name := range names {
		v.Machines = append(v.Machines, machineView{Name: name, Summary: summaryOf(name, page.Shown),
			Series: i % block.SeriesColours})
	}
	return html.Write(w, v, sections)
}

// ReportMarkdown writes the page as Markdown. The error is the writer's.
func ReportMarkdown(w io.Writer, page Page) error {
	title, sections := headed(page, pageDocument(page))
	head := block.Section{Title: strings.Join(figure.NonEmpty(title.Lead, title.Text), ": "),
		Fixed: subtitle(page, title.Text), Level: block.PartLevel - 1}
	for _, text := range page.Notes {
		head.Blocks = append(head.Blocks, block.Sentence{Text: text})
	}
	for _, name := range machineNames(page.Shown) {
		head.Blocks = append(head.Blocks, block.Sentence{Lead: name, Text: summaryOf(name, page.Shown)})
	}
	head.Blocks = append(head.Blocks, finding.Blocks(pageWarnings(page))...)
	return markdown.Write(w, append([]block.Section{head}, sections...))
}

// headed returns the title of a page and its sections: the author's own title, else the answer, which its section then
// lacks. Results of several workloads have no common answer, so the title names the workloads.
func headed(page Page, sections []block.Section) (block.Sentence, []block.Section) {
	at := slices.IndexFunc(sections, func(s block.Section) bool { return s.Class == block.Verdicts })
	switch workloads := workloadNames(page.Shown); {
	case page.Title != "":
		return block.Sentence{Text: page.Title}, sections
	case at < 0:
		return block.Sentence{Text: page.Source}, sections
	case len(page.Compared) == 0 && len(workloads) > 1:
		text := figure.Listed(workloads)
		if machines := machineNames(page.Shown); len(machines) <= mostStats {
			text += " on " + figure.Listed(machines)
		}
		return block.Sentence{Text: text}, sections
	}
	lines := block.Of[block.Sentence](sections[at].Blocks)
	chief := max(0, slices.IndexFunc(lines, func(s block.Sentence) bool { return s.Tone == block.Strong }))
	rest := slices.Clone(sections)
	rest[at].Blocks = finding.Blocks(slices.Delete(slices.Clone(lines), chief, chief+1))
	if len(lines) == 1 {
		rest = slices.Delete(rest, at, at+1)
	}
	title := lines[chief]
	title.Text = finding.Uncounted(title.Text) // the results below are all of them
	return title, rest
}

// subtitle returns the line below the title: the files, unless they are the title, and the date.
func subtitle(page Page, title string) string {
	source := page.Source
	if source == title {
		source = ""
	}
	return figure.Joined(source, page.Generated)
}

// workloadNames returns the workloads of a page, in its order.
func workloadNames(s finding.Shown) []string {
	var out []string
	for _, of := range finding.GroupBy(s.Workloads, func(c finding.Cell) string { return c.Workload }) {
		out = append(out, of[0].Workload)
	}
	return out
}

func pageWarnings(page Page) []block.Sentence {
	return finding.Warnings(coded.Texts(page.Shown.Warnings))
}

// pageView is the input of the page's template.
type pageView struct {
	Lead             block.Cell // begins the title; empty for none
	Title, Generated string
	Notes            []string
	Contents         []part
	Machines         []machineView
	Warnings         []block.Sentence
	Opening, Parts   []block.Section
}

// arrange sets the sections before the first part, the parts, and their contents.
func (v *pageView) arrange(sections []block.Section) {
	first := max(0, slices.IndexFunc(sections, func(s block.Section) bool { return s.ID != "" }))
	v.Opening, v.Parts, v.Contents = sections[:first], sections[first:], contentsOf(sections)
}

// part is an entry of a page's contents.
type part struct{ ID, Title string }

// contentsOf returns the entries of the parts with an anchor.
func contentsOf(sections []block.Section) []part {
	var out []part
	for _, s := range sections {
		if s.ID != "" {
			out = append(out, part{s.ID, s.Title})
		}
	}
	return out
}

// mostPairs is the number of comparisons that a page shows at once; more are folded, in one part.
const mostPairs = 2

// machineView is a machine in the header of a page.
type machineView struct {
	Name, Summary string
	Series        int
}

// pageDocument returns the parts of a page: the answer with its drawing, a matrix of all machines, comparisons,
// results, flame graphs, the course of time, and the machines.
func pageDocument(page Page) []block.Section {
	var out []block.Section
	machines := machineNames(page.Shown)
	for _, c := range page.Compared {
		out = append(out, pairParts(c, page.Margin, len(out)+1)...)
	}
	pairs := len(out)
	if pairs > mostPairs {
		out = []block.Section{foldedPairs(out)}
	}
	for _, s := range []block.Section{
		resultSections(machines, page), page.Profiles, {Title: "Over time", Level: block.PartLevel, Blocks: page.OverTime},
		ownedSection(machines, page), machineCards(machines, page.Shown),
	} {
		if len(s.Blocks) > 0 {
			out = append(out, s)
		}
	}
	var drawing []block.Block
	if pairs > 0 || len(workloadNames(page.Shown)) == 1 {
		drawing, out = chiefDrawing(out, pairs)
	}
	matrix := outcome.Matrix(machines, page.Shown)
	if slices.ContainsFunc(page.Compared, func(c finding.Compared) bool { return headroom.KindOverview.Of(c) != nil }) {
		matrix = nil // the answer has one with verdicts
	}
	return slices.Concat(pageAnswer(page, drawing), matrix, out)
}

// foldedPairs returns one part of many comparisons.
func foldedPairs(pairs []block.Section) block.Section {
	out := block.Section{Title: figure.Count(len(pairs), "comparison"), Level: block.PartLevel}
	for _, s := range pairs {
		s.Fold = true
		out.Blocks = append(out.Blocks, s)
	}
	return out
}

// anchored returns sections with an anchor at each titled part.
func anchored(sections []block.Section) []block.Section {
	for i, s := range sections {
		if s.Title != "" && s.Level == block.PartLevel && !s.Detail && !s.Fold {
			sections[i].ID = fmt.Sprintf("part-%d", i+1)
		}
	}
	return sections
}

// pageAnswer returns the answer of the comparisons, else the answer of the results. Comparisons of other sides than
// machines recommend none: the results do. Its results are cards, with the drawing that shows them.
func pageAnswer(page Page, drawing []block.Block) []block.Section {
	out := shownAnswer(page.Shown)
	if len(page.Compared) > 0 {
		shown := out
		out = comparedAnswer(page.Compared...)
		own := len(out.Below) == 0
		if own {
			out.Below = shown.Below
		}
		out.Stats = append(out.Stats, list.Filter(shown.Stats,
			func(s block.Stat) bool { return own || s.Kind != block.CostStat })...)
	}
	var first []block.Section
	first = append(first, out.Lead()...)
	if cards := firstResults(out.Stats); len(cards) > 0 {
		first = append(first, block.Section{Class: block.Stats, Blocks: cards})
	}
	if len(drawing) > 0 {
		first = append(first, block.Section{Blocks: drawing})
	}
	return append(first, out.Below...)
}

// resultSections returns the results of each workload.
func resultSections(machines []string, page Page) block.Section {
	var views []*finding.View
	for i, cells := range finding.GroupBy(page.Shown.Workloads, func(c finding.Cell) string { return c.Workload }) {
		v := finding.NewView(cells)
		v.ID, v.Machines, v.Bases, v.Compared = fmt.Sprintf("trials-%d", i+1), machines, page.Bases, page.Compared
		views = append(views, v)
	}
	return block.Section{Title: "Results", Level: block.PartLevel,
		Blocks: list.Concurrently(views, func(v *finding.View) block.Block { return results(v) })}
}

// machineCards returns a section for each machine with a table of its facts.
func machineCards(machines []string, s finding.Shown) block.Section {
	out := block.Section{Title: "Each machine", Level: block.PartLevel, Class: block.Cards}
	for i, name := range machines {
		card := block.Section{Title: name, Level: block.PartLevel + 1, Class: block.Card(i)}
		if m, ok := s.Machines[name]; ok {
			card.Blocks = append([]block.Block{factsTable(m)}, finding.Blocks(machineNotes(m))...)
		} else {
			card.Blocks = append(card.Blocks, block.Sentence{Text: notDescribed})
		}
		out.Blocks = append(out.Blocks, card)
	}
	return out
}

// factsTable returns the known facts about a machine.
func factsTable(m record.Machine) block.Table {
	t := block.Table{Columns: []block.Column{{Name: "fact"}, {Name: "value"}}}
	for _, f := range slices.Concat(machineGroups(m)...) {
		t.Rows = append(t.Rows, []block.Cell{{Text: f.Lead, Tone: block.Dim}, {Text: f.Text}})
	}
	return t
}

// ownedSection returns the table of machines; empty if nothing is known.
func ownedSection(machines []string, page Page) block.Section {
	known := slices.DeleteFunc(slices.Clone(machines), func(name string) bool {
		_, described := page.Shown.Machines[name]
		_, priced := page.Bases[name]
		return !described && !priced
	})
	out := block.Section{Title: "Machines", Level: block.PartLevel}
	t, unknown := machinesTable(known, page.Shown.Machines, page.Bases)
	if len(t.Rows) == 0 {
		return out
	}
	out.Blocks = append(out.Blocks, t)
	if len(unknown) > 0 {
		out.Blocks = append(out.Blocks, block.Sentence{Lead: "unknown", Tone: block.Dim, Text: strings.Join(unknown, ", ")})
	}
	if slices.ContainsFunc(t.Rows, func(row []block.Cell) bool {
		return slices.Contains(row, block.Cell{Text: notKnown, Tone: block.Dim})
	}) {
		out.Blocks = append(out.Blocks, block.Sentence{Lead: notKnown, Tone: block.Dim, Text: "not known"})
	}
	for _, name := range slices.Sorted(maps.Keys(page.Bases)) {
		for _, d := range page.Bases[name].Doubts {
			out.Blocks = append(out.Blocks, block.Sentence{Lead: "note", Tone: block.Warn, Text: name + ": " + d.Text()})
		}
	}
	return out
}
