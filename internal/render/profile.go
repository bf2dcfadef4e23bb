package render

import (
	"fmt"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/judge"
)

// profiled is where the time of one cell went, ready for either medium.
type profiled struct {
	Title string
	CPU   block.Table
	Waits block.Table // without rows where no waits were sampled
	Notes []block.Sentence
}

func profilesOf(cells []finding.Cell, split paramSplit, several bool) []profiled {
	var out []profiled
	for _, c := range cells {
		if p := judge.KindProfile.Of(c); p != nil {
			out = append(out, newProfiled(*p, place(c, split, several)))
		}
	}
	return out
}

func newProfiled(p judge.Profile, where string) profiled {
	out := profiled{
		Title: fmt.Sprintf("%s: %s of CPU time, by %s every %s (n %d)", where, samplesText(p.Samples), p.Clock, periodText(p.PeriodS), p.N),
		CPU:   spentTable("CPU time", "CPU", p.CPU), Waits: spentTable("waiting threads", "waiting", p.Waits),
	}
	if p.PerOp != nil {
		s := figure.Span{Value: p.PerOp.Value, Lo: p.PerOp.Lo, Hi: p.PerOp.Hi}
		u := figure.ScaleFor("s", s.Values()...)
		text := s.Estimate(u)
		if s.Bounded() {
			text = s.Interval(u) + ", by estimate " + text
		}
		out.Notes = append(out.Notes, block.Sentence{Lead: "an op", Tone: block.Dim, Text: text + " of CPU while it was profiled"})
	}
	for _, d := range p.Doubts {
		out.Notes = append(out.Notes, block.Sentence{Lead: "doubt", Tone: block.Warn, Text: d.Text()})
	}
	return out
}

// spentTable has a row for each category. What an operation takes is left out where it is not known.
func spentTable(of, what string, spent []judge.Spent) block.Table {
	t := block.Table{Keys: 1, Columns: []block.Column{{Name: of}, {Name: "share, interval", Right: true}, {Name: "share", Right: true}}, Spare: []string{what + " an op"}}
	known := len(spent) > 0 && spent[0].PerOp != nil
	if known {
		t.Columns = append(t.Columns, block.Column{Name: what + " an op, interval", Right: true}, block.Column{Name: what + " an op", Right: true})
	}
	hundredth := figure.Scale{Factor: 1e-2, Unit: "%"}
	for _, s := range spent {
		share := figure.Span{Value: s.Share.Value, Lo: s.Share.Lo, Hi: s.Share.Hi}
		row := []block.Cell{{Text: string(s.Category), Tone: block.Strong}, boundedCell(share, hundredth), {Text: hundredth.Text(s.Share.Value, figure.Digits)}}
		if known {
			perOp := figure.Span{Value: s.PerOp.Value, Lo: s.PerOp.Lo, Hi: s.PerOp.Hi}
			u := figure.ScaleFor("s", perOp.Values()...)
			row = append(row, boundedCell(perOp, u), block.Cell{Text: perOp.Estimate(u)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// periodText is the time that a sample stands for.
func periodText(s float64) string { return exact(figure.RoundTo(s*1e3, figure.Digits)) + " ms" }
