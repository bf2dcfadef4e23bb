package export

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"plimsoll/internal/analysis/history"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/secret"
	"plimsoll/internal/record"
)

// night is a row: one session of one machine.
type night struct {
	at              time.Time
	file, where, id string
	values          map[string]float64 // by column
}

// WriteOtava writes histories as Apache Otava reads CSV: a row for each night of a machine or type, a column for each
// cell, and one more for its ratio to its control. Several machines or types are branches, of which Otava takes one at
// a time. Otava takes no empty field of a branch: a cell that fewer than half of its nights have is left empty in all
// of them, and a night without another cell is left out and returned by its file.
func WriteOtava(w io.Writer, d history.Document) (left []string, err error) {
	rows, columns := nightsOf(d)
	var places []string
	for _, r := range rows {
		places = trialset.AppendNew(places, r.where)
	}
	head := []string{"time", "branch", "machine_id", "session"}
	if len(places) < 2 {
		head = []string{"time", "machine_id", "session"}
	}
	out := csv.NewWriter(w)
	if err := out.Write(append(head, columns...)); err != nil {
		return nil, err
	}
	kept := keptColumns(rows)
	for _, r := range rows {
		row := []string{r.at.UTC().Format(time.RFC3339), r.where, r.id, r.file}
		if len(places) < 2 {
			row = []string{row[0], r.id, r.file}
		}
		whole := true
		for _, c := range columns {
			v, ok := r.values[c]
			switch {
			case !kept[r.where][c]:
				row = append(row, "")
			case !ok:
				whole = false
			default:
				row = append(row, strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		if !whole {
			left = append(left, r.file)
			continue
		}
		if err := out.Write(row); err != nil {
			return nil, err
		}
	}
	out.Flush()
	return left, out.Error()
}

// nightsOf returns the nights of all histories in the order of their starts, and the columns in the order of cells.
func nightsOf(d history.Document) (rows []*night, columns []string) {
	type key struct{ file, where, id string }
	at, m := map[key]*night{}, secret.NewMasker()
	for _, h := range d.Histories {
		name := printable(m.Text(columnOf(h)))
		for _, n := range h.Nights {
			k := key{n.File, h.Machine, n.ID}
			row := at[k]
			if row == nil {
				row = &night{at: instant(n.Began), file: n.File, where: h.Machine, id: n.ID, values: map[string]float64{}}
				at[k] = row
				rows = append(rows, row)
			}
			if !n.AtLeast {
				row.values[name] = n.Value
				columns = trialset.AppendNew(columns, name)
			}
			if n.Ratio != nil && h.Control != nil {
				row.values[name+ratioColumn] = n.Ratio.Value
				columns = trialset.AppendNew(columns, name+ratioColumn)
			}
		}
	}
	slices.Sort(columns)
	slices.SortStableFunc(rows, func(a, b *night) int {
		return cmp.Or(a.at.Compare(b.at), strings.Compare(a.file, b.file))
	})
	return rows, columns
}

// instant returns an instant; the beginning of time if it is none.
func instant(text string) time.Time {
	at, _ := record.ParseTime(text)
	return at
}

// ratioColumn ends the name of a column of ratios.
const ratioColumn = " ratio"

// columnOf names a cell without its machine.
func columnOf(h history.History) string {
	return fmt.Sprintf("%s %s", strings.TrimPrefix(h.ID, h.Machine+": "), h.Metric)
}

// keptColumns returns the columns that half of the nights of each place have.
func keptColumns(rows []*night) map[string]map[string]bool {
	nights, have := map[string]int{}, map[string]map[string]int{}
	for _, r := range rows {
		nights[r.where]++
		if have[r.where] == nil {
			have[r.where] = map[string]int{}
		}
		for c := range r.values {
			have[r.where][c]++
		}
	}
	out := map[string]map[string]bool{}
	for where, columns := range have {
		out[where] = map[string]bool{}
		for c, n := range columns {
			out[where][c] = 2*n >= nights[where]
		}
	}
	return out
}
