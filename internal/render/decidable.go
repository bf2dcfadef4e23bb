package render

import (
	"fmt"
	"io"
	"strings"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// Decidable writes the smallest differences that can be decided on a machine in
// some times, as the ranges that the A/A's few pairs leave open, below what was
// written before. The error is the writer's.
func Decidable(w io.Writer, style Style, found []judge.Decidable) error {
	p := newPrinter(w, style)
	p.line("")
	p.line(p.style.paint(strong, "smallest difference decidable here"))
	p.table(2, decidableTable(found))
	p.gap()
	p.notes(2, decidableNotes(found))
	return p.err
}

func decidableTable(found []judge.Decidable) table {
	t := table{Columns: []column{{Name: "sides"}, {Name: "work"}, {Name: "load"}}, Keys: 3}
	ahead := aheadOf(found)
	for _, p := range ahead {
		t.Columns = append(t.Columns, column{fmt.Sprintf("in %d min", p.Minutes), true})
	}
	t.Columns = append(t.Columns, column{"noise", true}, column{"pairs", true})
	for _, sliced := range []bool{true, false} {
		for _, d := range found {
			if d.Sliced == sliced {
				t.Rows = append(t.Rows, decidableRow(d, len(ahead)))
			}
		}
	}
	return t
}

// aheadOf is the projections of the first that has any.
func aheadOf(found []judge.Decidable) []judge.Projection {
	for _, d := range found {
		if len(d.In) > 0 {
			return d.In
		}
	}
	return nil
}

func decidableRow(d judge.Decidable, ahead int) []cell {
	row := []cell{{sidesText(d), plain}, {d.What, plain}, {count(d.CPUs, "cpu"), plain}}
	for i := range ahead {
		text := ""
		if i < len(d.In) {
			text = difference(d.In[i])
		}
		row = append(row, cell{text, strong})
	}
	noise := ""
	if d.SD != nil {
		noise = Quantity(100**d.SD, "%")
	}
	return append(row, cell{noise, plain}, cell{fmt.Sprint(d.Pairs), plain})
}

func sidesText(d judge.Decidable) string {
	if d.Sliced {
		return "sliced"
	}
	return "two trials"
}

// difference writes "0.41 to 1.6 %".
func difference(p judge.Projection) string {
	if p.Lo == nil || p.Hi == nil {
		return "too short"
	}
	return twoDigits(100**p.Lo) + " to " + twoDigits(100**p.Hi) + " %"
}

// twoDigits writes a share in % with what the range of a difference can claim.
func twoDigits(v float64) string { return fixed(v, decimals(v, 2)) }

// decidableNotes say what the table means, and what is doubtful in it.
func decidableNotes(found []judge.Decidable) []note {
	out := []note{}
	if aheadOf(found) != nil {
		out = decidableTerms(found[0])
	}
	for _, d := range found {
		for _, doubt := range d.Doubts {
			out = append(out, note{"doubt", warn, strings.Join([]string{d.What, count(d.CPUs, "cpu"), sidesText(d)}, ", ") + ": " + doubt.Text()})
		}
	}
	return out
}

// decidableTerms say what the columns mean; all rows had trials like those of d.
func decidableTerms(d judge.Decidable) []note {
	length := record.FormatDuration(d.TrialS)
	return []note{
		{"means", dim, "a true difference of that size is found in about 3 of 4 comparisons that last so long; the range is what so few pairs leave open about the noise, which is taken to stay as it was"},
		{"trials", dim, fmt.Sprintf("of %s: --for %s --warmup %s and as many --replicates as fit; with longer ones there are fewer pairs", length, length, record.FormatDuration(d.WarmupS))},
		{"noise", dim, "standard deviation of one pair's ratio, of the same work compared with itself"},
	}
}
