package explore

import (
	"cmp"
	"slices"
	"strings"

	"plimsoll/internal/changepoint"
	"plimsoll/internal/list"
	"plimsoll/internal/record"
)

// Kept is a session of the directory: its file and summary.
type Kept struct {
	File    File
	Summary Summary
}

// Followed is a cell that several sessions measured.
type Followed struct {
	ID       string        `json:"id"` // with its machine, as in other documents
	Title    string        `json:"title"`
	Machine  string        `json:"machine"`
	Metric   string        `json:"metric"`
	Unit     string        `json:"unit"`
	Better   record.Better `json:"better"`
	Sessions int           `json:"sessions"`
	Last     string        `json:"last"` // UTC, start of the latest
}

// HistoryDocument is the answer of /api/history.
type HistoryDocument struct {
	Format  int         `json:"format"`
	Cells   []Followed  `json:"cells"` // without cell=: those that two sessions or more measured, most sessions first
	Cell    *Followed   `json:"cell"`  // with cell=
	Nights  []Night     `json:"nights"`
	Changes []Suspected `json:"changes"` // suspected changes of level
	Alpha   float64     `json:"alpha"`   // probability of a suspected change in a history without one, if nights are independent
	Pending int         `json:"pending"` // files that have not been read yet: ask again
}

// Suspected is a suspected change of level at a night.
type Suspected struct {
	changepoint.Change
	Began  string  `json:"began"`  // of the first night after it
	Ratio  float64 `json:"ratio"`  // of the medians after and before
	Better bool    `json:"better"` // the level after is the better one
}

// followedKey tells cells of one name apart by what was measured.
type followedKey struct{ id, metric, unit string }

// Followable returns the cells that two sessions or more measured.
func Followable(kept []Kept) []Followed {
	at, out := map[followedKey]int{}, []Followed{}
	eachCell(kept, func(_ Kept, m Machine, c Cell) {
		key := followedKey{c.ID, c.Metric, c.Unit}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, Followed{ID: c.ID, Title: c.Title, Machine: m.Name, Metric: c.Metric, Unit: c.Unit, Better: c.Better})
		}
		out[i].Sessions++
		out[i].Last = max(out[i].Last, m.Began)
	})
	out = list.Filter(out, func(f Followed) bool { return f.Sessions > 1 })
	slices.SortStableFunc(out, func(a, b Followed) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), strings.Compare(a.ID, b.ID))
	})
	return out
}

// eachCell calls do for each cell with a result.
func eachCell(kept []Kept, do func(Kept, Machine, Cell)) {
	for _, k := range kept {
		for _, m := range k.Summary.Machines {
			for _, c := range m.Cells {
				if c.N > 0 {
					do(k, m, c)
				}
			}
		}
	}
}

// History returns the history of a cell by its ID; false if no session measured it.
func History(kept []Kept, id string) (HistoryDocument, bool) {
	type night struct {
		Night
		cell    Cell
		machine Machine
	}
	var nights []night
	eachCell(kept, func(k Kept, m Machine, c Cell) {
		if c.ID == id {
			nights = append(nights, night{Night{File: k.File.Name, Began: m.Began, Value: c.Value, Lo: c.Lo, Hi: c.Hi, N: c.N, Failed: c.Failed,
				State: StateOf(k.File, k.Summary), ID: m.ID, Changed: []string{}}, c, m})
		}
	})
	out := HistoryDocument{Format: Format, Cells: []Followed{}, Nights: []Night{}, Changes: []Suspected{}, Alpha: changepoint.Alpha}
	if len(nights) == 0 {
		return out, false
	}
	slices.SortStableFunc(nights, func(a, b night) int {
		return cmp.Or(strings.Compare(a.Began, b.Began), strings.Compare(a.File, b.File))
	})
	last := nights[len(nights)-1]
	out.Cell = &Followed{ID: id, Title: last.cell.Title, Machine: last.machine.Name, Metric: last.cell.Metric, Unit: last.cell.Unit,
		Better: last.cell.Better, Last: last.Began}
	nights = list.Filter(nights, func(n night) bool { return n.cell.Metric == out.Cell.Metric && n.cell.Unit == out.Cell.Unit })
	var values []float64
	for i, n := range nights {
		if i > 0 {
			n.Changed = machineChanges(nights[i-1].machine, n.machine)
		}
		out.Nights = append(out.Nights, n.Night)
		values = append(values, n.Value)
	}
	out.Cell.Sessions = len(out.Nights)
	for _, c := range changepoint.Find(values) {
		ratio := c.After / c.Before
		out.Changes = append(out.Changes, Suspected{c, out.Nights[c.At].Began, ratio, (ratio-1)*float64(direction(out.Cell.Better)) > 0})
	}
	return out, true
}
