package render

import (
	"fmt"

	"plimsoll/internal/judge"
)

// profiled is where the time of one cell went, ready for either medium.
type profiled struct {
	Title string
	CPU   table
	Waits table // without rows where no waits were sampled
	Notes []note
}

func profilesOf(cells []judge.Cell, split paramSplit, several bool) []profiled {
	var out []profiled
	for _, c := range cells {
		if p := c.Profile; p != nil {
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
		s := span{p.PerOp.Value, p.PerOp.Lo, p.PerOp.Hi}
		u := scaleFor("s", s.values()...)
		text := s.estimate(u)
		if s.bounded() {
			text = s.interval(u) + ", by estimate " + text
		}
		out.Notes = append(out.Notes, note{"an op", dim, text + " of CPU while it was profiled"})
	}
	for _, d := range p.Doubts {
		out.Notes = append(out.Notes, note{"doubt", warn, d.Text()})
	}
	return out
}

// spentTable has a row for each category. What an operation takes is left out where it is not known.
func spentTable(of, what string, spent []judge.Spent) table {
	t := table{Keys: 1, Columns: []column{{Name: of}, {"share, interval", true}, {"share", true}}, Spare: []string{what + " an op"}}
	known := len(spent) > 0 && spent[0].PerOp != nil
	if known {
		t.Columns = append(t.Columns, column{what + " an op, interval", true}, column{what + " an op", true})
	}
	hundredth := scale{1e-2, "%"}
	for _, s := range spent {
		share := span{s.Share.Value, s.Share.Lo, s.Share.Hi}
		row := []cell{{string(s.Category), strong}, boundedCell(share, hundredth), {Text: hundredth.text(s.Share.Value, digits)}}
		if known {
			perOp := span{s.PerOp.Value, s.PerOp.Lo, s.PerOp.Hi}
			u := scaleFor("s", perOp.values()...)
			row = append(row, boundedCell(perOp, u), cell{Text: perOp.estimate(u)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// periodText is the time that a sample stands for.
func periodText(s float64) string { return exact(roundTo(s*1e3, digits)) + " ms" }
