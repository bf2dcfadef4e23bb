package profile

import (
	"fmt"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

func profilesOf(v *finding.View) []block.Section {
	var out []block.Section
	for _, c := range v.Cells {
		if p := KindProfile.Of(c); p != nil {
			out = append(out, newProfiled(*p, v.Place(c)))
		}
	}
	return out
}

func newProfiled(p Profile, where string) block.Section {
	out := block.Section{Title: "profile",
		Fixed: fmt.Sprintf("%s: %s of CPU time, by %s every %s (%s)", where, samplesText(p.Samples), p.Clock,
			periodText(p.PeriodS), figure.N(p.N))}
	out.Blocks = append(out.Blocks, spentTable("CPU time", "CPU", p.CPU))
	if waits := spentTable("waiting threads", "waiting", p.Waits); len(waits.Rows) > 0 {
		out.Blocks = append(out.Blocks, waits)
	}
	if p.PerOp != nil {
		s := p.PerOp
		u := figure.ScaleFor("s", s.Values()...)
		text := s.Estimate(u)
		if s.Bounded() {
			text = s.Interval(u) + ", by estimate " + text
		}
		out.Blocks = append(out.Blocks, block.Sentence{Lead: "per operation", Tone: block.Dim,
			Text: text + " of CPU while it was profiled"})
	}
	for _, d := range p.Doubts {
		out.Blocks = append(out.Blocks, block.Sentence{Lead: "note", Tone: block.Warn, Text: d.Text()})
	}
	return out
}

// spentTable returns a row for each category. The cost per operation is omitted if unknown.
func spentTable(of, what string, spent []Spent) block.Table {
	t := block.Table{Keys: 1, Columns: []block.Column{
		{Name: of}, {Name: "share, interval", Right: true}, {Name: "share", Right: true}}, Spare: []string{what + " an op"}}
	known := len(spent) > 0 && spent[0].PerOp != nil
	if known {
		t.Columns = append(t.Columns, block.Column{Name: what + " an op, interval", Right: true},
			block.Column{Name: what + " an op", Right: true})
	}
	hundredth := figure.Scale{Factor: 1e-2, Unit: "%"}
	for _, s := range spent {
		row := []block.Cell{{Text: string(s.Category), Tone: block.Strong}, finding.IntervalCell(s.Share, hundredth),
			{Text: hundredth.Text(s.Share.Value, figure.Digits)}}
		if known {
			perOp := *s.PerOp
			u := figure.ScaleFor("s", perOp.Values()...)
			row = append(row, finding.IntervalCell(perOp, u), block.Cell{Text: perOp.Estimate(u)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// periodText formats the time per sample.
func periodText(s float64) string { return figure.Exact(figure.RoundTo(s*1e3, figure.Digits)) + " ms" }
