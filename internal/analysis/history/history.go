package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/analysis/changepoint"
	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// Followed is a benchmark that several sessions measured.
type Followed struct {
	ID       string        `json:"id"` // with its machine or type, and varied parameters by the names of their levels
	Title    string        `json:"title"`
	Workload string        `json:"workload"`
	Machine  string        `json:"machine"` // or its instance type
	Metric   string        `json:"metric"`
	Unit     string        `json:"unit"`
	Better   record.Better `json:"better"`
	Sessions int           `json:"sessions"`
	Last     string        `json:"last"` // UTC, start of the latest
	// of the latest suspected change, such as "worse, +15.8%, night 22"; "" without one. Only in lists of benchmarks
	Marked string `json:"marked,omitempty"`
}

// History is a benchmark over its nights.
type History struct {
	Followed
	// the side of the same sessions that nights are compared with; null: the nights before
	Control  *Side       `json:"control"`
	Nights   []Night     `json:"nights"`   // in the order of their starts
	Changes  []Suspected `json:"changes"`  // suspected changes of level: of the ratio to the control, else of the value
	Searched int         `json:"searched"` // nights in which changes were sought
	// the last night against those before since the last suspected change, of the ratio to the control or the value
	Newest *Ratio `json:"newest"`
}

// Side is a side of a comparison.
type Side struct {
	ID    string `json:"id"` // of its benchmark
	Title string `json:"title"`
}

// Suspected is a suspected change of level at a night.
type Suspected struct {
	changepoint.Change        // At is an index of the nights
	Began              string `json:"began"` // of the first night after it
	File               string `json:"file"`  // likewise
	// of the medians after and before; null if one is not positive
	Ratio   float64  `json:"ratio"`
	Better  bool     `json:"better"`  // the level after is the better one
	Changed []string `json:"changed"` // of the machine at that night
}

// Document is that of `history --json`.
type Document struct {
	Format   int    `json:"format"`
	By       string `json:"by"` // "machine", or "type": instance types, each of whose nights may have another machine
	Sessions int    `json:"sessions"`
	From     string `json:"from"` // UTC, start of the first night
	To       string `json:"to"`   // likewise of the last
	// probability of a suspected change in a history without one, if its nights are independent
	Alpha     float64   `json:"alpha"`
	Histories []History `json:"histories"`
	Single    int       `json:"single"`  // benchmarks that a single session measured
	Failing   []Failing `json:"failing"` // benchmarks that fail or are missing in the latest nights
	LeftOut   []LeftOut `json:"left_out"`
}

// Of returns the histories of all cells that two sessions or more measured, by machine or instance type: those with
// suspected changes first, the largest change first.
func Of(kept []explore.Kept, byType bool) Document {
	used, failed, left := usable(kept)
	all := slices.Concat(used, failed)
	out := Document{Format: Format, By: record.KeyMachine, Sessions: len(used), Alpha: changepoint.Alpha,
		Histories: []History{}, Failing: failingIn(all, byType), LeftOut: left}
	if byType {
		out.By = byTypes
	}
	out.From, out.To = spanOf(all)
	var long []*series
	for _, s := range seriesOf(used, byType) {
		if len(s.nights) < 2 {
			out.Single++
			continue
		}
		long = append(long, s)
	}
	out.Histories = append(out.Histories, list.Concurrently(long, (*series).history)...)
	slices.SortStableFunc(out.Histories, func(a, b History) int {
		return cmp.Or(cmp.Compare(b.most(), a.most()), strings.Compare(a.Machine, b.Machine), strings.Compare(a.ID, b.ID))
	})
	return out
}

// most returns the largest suspected change as a factor of 1 or more; 1 without one.
func (h History) most() float64 {
	most := 1.0
	for _, c := range h.Changes {
		if math.IsNaN(c.Ratio) { // from nothing, or to the other side of it
			return math.Inf(1)
		}
		most = max(most, c.Ratio, 1/c.Ratio)
	}
	return most
}

// mark returns the latest suspected change in a few words; "" without one.
func (h History) mark() string {
	if len(h.Changes) == 0 {
		return ""
	}
	c, word := h.Changes[len(h.Changes)-1], "worse"
	switch {
	case h.Better != record.Higher && h.Better != record.Lower:
		word = "changed"
	case c.Better:
		word = "better"
	}
	if math.IsNaN(c.Ratio) {
		return fmt.Sprintf("%s, night %d", word, c.At+1)
	}
	return fmt.Sprintf("%s, %+.1f%%, night %d", word, 100*(c.Ratio-1), c.At+1)
}

// followable returns the cells that two sessions or more measured, by machine, most sessions first.
func followable(kept []explore.Kept) []Followed {
	long := list.Filter(seriesOf(kept, false), func(s *series) bool { return len(s.nights) > 1 })
	out := append([]Followed{}, list.Concurrently(long, func(s *series) Followed {
		of := s.followed()
		of.Marked = s.history().mark()
		return of
	})...)
	slices.SortStableFunc(out, func(a, b Followed) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), strings.Compare(a.ID, b.ID))
	})
	return out
}

// Cell returns the history of a cell of a machine by its ID, here or in other documents, of all sessions; false if no
// session measured it.
func Cell(kept []explore.Kept, id string) (History, bool) {
	var latest *series
	for _, s := range seriesOf(kept, false) {
		if s.has(id) && (latest == nil || s.last().at.After(latest.last().at)) {
			latest = s
		}
	}
	if latest == nil {
		return History{}, false
	}
	return latest.history(), true
}

// has reports whether an ID is that of a series or of one of its cells.
func (s *series) has(id string) bool {
	return s.ID == id || slices.ContainsFunc(s.nights, func(n night) bool { return n.cell.ID == id })
}

// series is a cell over its nights, as they were measured.
type series struct {
	Followed
	nights []night
}

// night is one session of a cell.
type night struct {
	Night
	at      time.Time
	cell    explore.Cell
	machine explore.Machine
	others  []explore.Machine // of the session
}

// MinNights is the shortest history in which a change can be found.
const MinNights = changepoint.MinValues

// byTypes is the axis of instance types.
const byTypes = "type"

// seriesOf returns the cells of sessions, in the order of their first session, each with its nights in the order of
// their starts.
func seriesOf(kept []explore.Kept, byType bool) []*series {
	type key struct{ id, metric, unit string } // cells of one name may measure other things
	var out []*series
	at := map[key]*series{}
	for _, k := range kept {
		for _, m := range k.Summary.Machines {
			for _, c := range m.Cells {
				if c.N == 0 {
					continue
				}
				id, where := placeOf(cmp.Or(c.Named, c.ID), m, byType)
				of := key{id, c.Metric, c.Unit}
				s := at[of]
				if s == nil {
					s = &series{Followed: Followed{ID: id, Title: c.Title, Workload: c.Workload, Machine: where, Metric: c.Metric,
						Unit: c.Unit, Better: c.Better}}
					at[of] = s
					out = append(out, s)
				}
				s.nights = append(s.nights, nightOf(k, m, c))
			}
		}
	}
	for _, s := range out {
		slices.SortStableFunc(s.nights, func(a, b night) int {
			return cmp.Or(a.at.Compare(b.at), strings.Compare(a.File, b.File))
		})
	}
	return out
}

// placeOf returns a cell's ID, and the machine or type that it is of.
func placeOf(id string, m explore.Machine, byType bool) (string, string) {
	if !byType || m.Type == "" {
		return id, m.Name
	}
	return m.Type + strings.TrimPrefix(id, m.Name), m.Type
}

func (s *series) last() night { return s.nights[len(s.nights)-1] }

func (s *series) followed() Followed {
	out := s.Followed
	out.Title, out.Sessions, out.Last = s.last().cell.Title, len(s.nights), s.last().Began
	return out
}

// spanOf returns the starts of the first and the last night.
func spanOf(sessions []explore.Kept) (from, to string) {
	var first, last time.Time
	for _, k := range sessions {
		for _, m := range k.Summary.Machines {
			began, at, _ := beganAt(k, m)
			if from == "" || at.Before(first) {
				from, first = began, at
			}
			if to == "" || at.After(last) {
				to, last = began, at
			}
		}
	}
	return from, to
}

// history judges the nights of a cell.
func (s *series) history() History {
	out := History{Followed: s.followed(), Control: s.control(), Nights: []Night{}, Changes: []Suspected{}}
	for i := range s.nights {
		s.nights[i].Changed = []string{}
		if i > 0 {
			s.nights[i].Changed = s.nights[i].changes(s.nights[i-1], s.machinesVary())
		}
		s.nights[i].against(out.Control)
	}
	at, values := s.searched(out.Control)
	out.Searched = len(values)
	found := changepoint.Find(values)
	earlier := againstEarlier(values, found)
	for i, n := range at {
		if out.Control == nil {
			s.nights[n].Ratio = earlier[i]
		}
		if n == len(s.nights)-1 {
			out.Newest = earlier[i]
		}
	}
	for _, n := range s.nights {
		out.Nights = append(out.Nights, n.Night)
	}
	for _, c := range found {
		c.At = at[c.At]
		n := s.nights[c.At]
		out.Changes = append(out.Changes, Suspected{c, n.Began, n.File, ratioOf(c), better(c, s.Better), n.Changed})
	}
	return out
}

// searched returns the nights in which changes are sought, by index, with their values: ratios to the control if there
// is one.
func (s *series) searched(control *Side) (at []int, values []float64) {
	for i, n := range s.nights {
		v := n.Value
		if control != nil {
			if n.Ratio == nil {
				continue
			}
			v = n.Ratio.Value
		}
		if !n.cell.AtLeast {
			at, values = append(at, i), append(values, v)
		}
	}
	return at, values
}

// control returns the side that most nights were held against, of several the latest; nil if most have none.
func (s *series) control() *Side {
	count := map[string]int{}
	for _, n := range s.nights {
		count[controlID(n.cell, n.machine)]++
	}
	var most *explore.Control
	chosen, times := "", 0
	for _, n := range s.nights {
		if id := controlID(n.cell, n.machine); count[id] >= times {
			chosen, times, most = id, count[id], n.cell.Control
		}
	}
	if most == nil {
		return nil
	}
	return &Side{ID: chosen, Title: most.Title}
}

// controlID identifies a control. That of the machine of the cell goes by no machine's name, which may be another one
// each night.
func controlID(c explore.Cell, m explore.Machine) string {
	if c.Control == nil {
		return ""
	}
	if c.Control.Machine == m.Name {
		return strings.TrimPrefix(c.Control.ID, m.Name+": ")
	}
	return c.Control.ID
}

// machinesVary reports whether the nights of an instance type are of several machines, so that another one is no news.
func (s *series) machinesVary() bool {
	return slices.ContainsFunc(s.nights, func(n night) bool { return n.machine.Name != s.nights[0].machine.Name })
}

// ratioOf returns the ratio of the levels after and before a change. It is NaN after 0, and if a level is negative: two
// negative levels that fall have a ratio above 1.
func ratioOf(c changepoint.Change) float64 {
	if !(c.Before > 0 && c.After >= 0) {
		return math.NaN()
	}
	return c.After / c.Before
}

// better reports whether a change is to the better.
func better(c changepoint.Change, b record.Better) bool {
	switch b {
	case record.Higher:
		return c.After > c.Before
	case record.Lower:
		return c.After < c.Before
	}
	return false
}
