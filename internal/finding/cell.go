package finding

import (
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/estimate"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// Add gives a cell findings.
func (c *Cell) Add(all ...[]Finding) { c.Found = append(c.Found, slices.Concat(all...)...) }

// Replace gives a cell findings in the place of those of their kind.
func (c *Cell) Replace(with []Finding) {
	rest := slices.DeleteFunc(slices.Clone(c.Found), func(f Finding) bool { return f.Body != nil && f.Kind == with[0].Kind })
	c.Found = append(rest, with...)
}

// Add gives a pair findings.
func (p *Pair) Add(all ...[]Finding) { p.Found = append(p.Found, slices.Concat(all...)...) }

// Cell is one metric of one cell: its estimate over replicates and its trials.
type Cell struct {
	Machine           string
	Workload          string
	Params            map[string]string
	Minor             []string // parameters that tables leave out
	Load              string   // record.LoadPoint's text form
	Metric            string
	Primary           bool
	Unit              string
	Better            record.Better
	estimate.Estimate              // over valid trials; NaN without any
	N                 int          // valid trials
	Void              int          // trials left out
	Trials            []TrialValue // all of them, void ones too
	Doubts            []note.Note

	Path    string          // code path taken; "" if unknown or mixed
	Regime  string          // record.Regime* of the working set; "" if unknown or mixed
	CPUSets *record.CPUSets // nil if server and generator were not to be kept apart, or not always alike

	Found []Finding // about this cell, or about several of which this one stands for all in tables

	Unseen bool // the machine that did the work is not known
}

// Without returns a cell as it is named if the level of a factor is stated besides.
func (c Cell) Without(factor string) Cell {
	c.Params = maps.Clone(c.Params)
	delete(c.Params, strings.TrimPrefix(factor, c.Workload+"."))
	return c
}

// TrialValue is one trial's value of a cell's metric.
type TrialValue struct {
	ID        string      `json:"id"`
	Replicate int         `json:"replicate"`
	Start     string      `json:"start"`
	Value     *float64    `json:"value"`           // nil if the trial has none
	Void      note.Note   `json:"failed,omitzero"` // the reason if it failed
	Doubts    []note.Note `json:"notes,omitempty"`
}
