package render

import (
	"io"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Listed is a workload and whether it can run here.
type Listed struct {
	record.Workload
	Usage    string    `json:"usage"` // the command line that runs it
	Examples []Example `json:"examples,omitempty"`
	Problem  string    `json:"problem,omitempty"` // why it cannot, with the command that helps; "" if it can
	Groups   []Group   `json:"-"`                 // of its parameters; none: the common ones, then the others
}

// Group is a title with the parameters below it.
type Group struct {
	Title  string
	Params []string
}

// Example is a command line and its purpose.
type Example struct {
	Command string `json:"command"`
	Doc     string `json:"doc"`
}

// Listing is everything that can be measured, and with what.
type Listing struct {
	Workloads []Listed       `json:"workloads"`
	Engines   []ListedEngine `json:"engines"`
	Suites    []ListedSuite  `json:"suites"`
}

// Overview writes a line for each workload, engine and suite. The error is the writer's.
func Overview(w io.Writer, style term.Style, l Listing) error {
	p := term.NewPrinter(w, style)
	section := func(title string, rows [][]block.Cell) {
		if title != "workloads" {
			p.Gap()
		}
		p.Note(0, titled(title, ""), 0)
		p.Table(2, block.Table{Keys: 1, Columns: []block.Column{{Name: "name"}, {Name: "about"}}, Rows: rows})
	}
	var workloads, engines, suites [][]block.Cell
	for _, x := range l.Workloads {
		workloads = append(workloads, overviewRow(x.Name, x.Doc, x.Problem))
	}
	for _, x := range l.Engines {
		engines = append(engines, overviewRow(x.Name, x.Doc, x.Problem))
	}
	for _, x := range l.Suites {
		suites = append(suites, overviewRow(x.Name, x.Doc, ""))
	}
	section("workloads", workloads)
	section("engines, which workloads need, and profilers", engines)
	section("suites", suites)
	p.Gap()
	p.Note(0, labelled("", "plimsoll list NAME shows examples and parameters."), 0)
	return p.Err
}

func titled(lead, text string) block.Sentence {
	return block.Sentence{Lead: lead, Tone: block.Strong, Text: text}
}

func labelled(lead, text string) block.Sentence {
	return block.Sentence{Lead: lead, Tone: block.Dim, Text: text}
}

// overviewRow returns a name with the first clause of its description.
func overviewRow(name, doc, problem string) []block.Cell {
	for _, end := range []string{"; ", ": ", ". ", " ("} {
		doc, _, _ = strings.Cut(doc, end)
	}
	c := block.Cell{Text: strings.TrimSuffix(doc, ".")}
	if problem != "" {
		c = block.Cell{Text: c.Text + " (cannot run here)", Tone: block.Dim}
	}
	return []block.Cell{{Text: name, Tone: block.Strong}, c}
}

// Workload writes one workload: how to type it, its parameters, the common ones first, loads and metrics, and the
// reason if it cannot run here. The error is the writer's.
func Workload(w io.Writer, style term.Style, l Listed) error {
	p := term.NewPrinter(w, style)
	p.Note(0, titled(l.Name, l.Doc), 0)
	p.Note(2, labelled("usage", l.Usage), 0)
	for _, e := range l.Examples {
		p.Note(2, labelled("example", e.Doc+":"), 0)
		p.Note(6, labelled("", "plimsoll "+e.Command), 0)
	}
	p.Notes(2, listedNotes(l))
	p.Gap()
	p.Note(2, labelled("", "Parameters (--set NAME=VALUE or --NAME VALUE)"), 0)
	for _, g := range grouped(l) {
		paramTables(p, 2, g.title, g.params)
	}
	if l.Free {
		p.Note(2, labelled("", "also takes parameters of your own, named {NAME} in the value of another one"), 0)
	}
	return p.Err
}

// paramGroup is a title with its parameters.
type paramGroup struct {
	title  string
	params []record.Param
}

// grouped returns the parameters of a workload by its groups, then those in no group, and the machine's settings.
func grouped(l Listed) []paramGroup {
	var out []paramGroup
	taken := map[string]bool{}
	for _, g := range l.Groups {
		group := paramGroup{title: g.Title}
		for _, name := range g.Params {
			if p, ok := l.Param(name); ok {
				group.params, taken[name] = append(group.params, p), true
			}
		}
		out = append(out, group)
	}
	common, minor, tunes := paramGroup{title: "common"}, paramGroup{title: "other"},
		paramGroup{title: "settings of the machine, with --tune; " + record.AsFound + " leaves one as it is"}
	for _, p := range l.Params {
		switch {
		case taken[p.Name]:
		case p.Tunes:
			tunes.params = append(tunes.params, p)
		case p.Minor || len(l.Groups) > 0:
			minor.params = append(minor.params, p)
		default:
			common.params = append(common.params, p)
		}
	}
	return append(out, common, minor, tunes)
}

func paramTables(p *term.Printer, indent int, title string, params []record.Param) {
	if len(params) == 0 {
		return
	}
	p.Gap()
	p.Note(indent, labelled(title, ""), 0)
	p.Table(indent, paramTable(params))
}

func listedNotes(l Listed) []block.Sentence {
	var out []block.Sentence
	if l.Problem != "" {
		out = finding.Caveat("cannot run here", block.Bad, l.Problem)
	}
	out = append(out, labelled("loads", loadKinds(l.Loads)))
	if len(l.Needs) > 0 {
		out = append(out, labelled("needs", strings.Join(l.Needs, ", ")))
	}
	for i, m := range l.Metrics {
		lead := "metric"
		if i > 0 {
			lead = "also"
		}
		out = append(out, labelled(lead, metricText(l.Name, m)))
	}
	return out
}

func loadKinds(kinds []record.LoadKind) string {
	var parts []string
	for _, k := range kinds {
		parts = append(parts, string(k))
	}
	return strings.Join(parts, ", ")
}

func metricText(workload string, m record.Metric) string {
	text := strings.Join(figure.NonEmpty(m.Name, figure.UnitOf(workload, m.Unit), figure.DirectionText(m.Better)), ", ")
	if m.Doc != "" {
		text += ": " + m.Doc
	}
	return text
}

func paramTable(params []record.Param) block.Table {
	t := block.Table{Keys: 1, Columns: []block.Column{{Name: "parameter"}, {Name: "default"}, {Name: "about"}}}
	for _, p := range params {
		about := p.Doc
		if values := allowed(p); values != "" {
			about += " (" + values + ")"
		}
		t.Rows = append(t.Rows, []block.Cell{{Text: p.Name, Tone: block.Strong}, {Text: p.Default}, {Text: about}})
	}
	return t
}

// allowed lists the values of a parameter.
func allowed(p record.Param) string {
	switch {
	case len(p.Choices) > 0:
		return strings.Join(p.Choices, ", ")
	case p.Kind == record.Bool:
		return "true, false"
	case p.Min == p.Max && p.Kind == record.CPUs:
		return "a number, or " + record.AllCPUs
	case p.Min == p.Max:
		return ""
	}
	text := bound(p, p.Min) + " to " + bound(p, p.Max)
	if p.Kind == record.CPUs {
		text += ", or " + record.AllCPUs
	}
	return text
}

func bound(p record.Param, v float64) string {
	switch p.Kind {
	case record.Size:
		return record.FormatSize(int64(v))
	case record.Duration:
		return figure.Quantity(v, "s")
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
