package render

import (
	"io"
	"strconv"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/media/term"
	"plimsoll/internal/record"
)

// Listed is a workload and whether it can run here.
type Listed struct {
	record.Workload
	Problem string `json:"problem,omitempty"` // why it cannot, with the command that helps; "" if it can
}

// Workloads writes the workloads: their parameters, loads and metrics, and the reason if they cannot run here. The
// error is the writer's.
func Workloads(w io.Writer, style term.Style, list []Listed) error {
	p := term.NewPrinter(w, style)
	for _, l := range list {
		p.Gap()
		p.Note(0, block.Sentence{Lead: l.Name, Tone: block.Strong, Text: l.Doc}, 0)
		p.Notes(2, listedNotes(l))
		if len(l.Params) > 0 {
			p.Table(2, paramTable(l.Params))
		}
		if l.Free {
			p.Note(2, block.Sentence{Text: "also takes parameters of your own, named {NAME} in the value of another one"}, 0)
		}
	}
	return p.Err
}

func listedNotes(l Listed) []block.Sentence {
	var out []block.Sentence
	if l.Problem != "" {
		out = finding.Caveat("cannot run here", block.Bad, l.Problem)
	}
	out = append(out, block.Sentence{Lead: "loads", Tone: block.Dim, Text: loadKinds(l.Loads)})
	if len(l.Needs) > 0 {
		out = append(out, block.Sentence{Lead: "needs", Tone: block.Dim, Text: strings.Join(l.Needs, ", ")})
	}
	for i, m := range l.Metrics {
		lead := "metric"
		if i > 0 {
			lead = "also"
		}
		out = append(out, block.Sentence{Lead: lead, Tone: block.Dim, Text: metricText(l.Name, m)})
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
	t := block.Table{Keys: 1, Columns: []block.Column{
		{Name: "parameter"}, {Name: "kind"}, {Name: "default"}, {Name: "allowed"}, {Name: "about"},
	}}
	for _, p := range params {
		t.Rows = append(t.Rows, []block.Cell{
			{Text: p.Name, Tone: block.Strong}, {Text: string(p.Kind)}, {Text: p.Default}, {Text: allowed(p)}, {Text: p.Doc},
		})
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
