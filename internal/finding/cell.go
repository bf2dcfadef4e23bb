package finding

import (
	"slices"

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
	Machine           string            `json:"machine"`
	Workload          string            `json:"workload"`
	Params            map[string]string `json:"params"`
	Minor             []string          `json:"-"`    // parameters that tables leave out
	Load              string            `json:"load"` // record.LoadPoint's text form
	Metric            string            `json:"metric"`
	Primary           bool              `json:"primary"`
	Unit              string            `json:"unit"`
	Better            record.Better     `json:"better"`
	estimate.Estimate                   // over valid trials; NaN (null) without any
	N                 int               `json:"n"`      // valid trials
	Void              int               `json:"void"`   // trials left out
	Trials            []TrialValue      `json:"trials"` // all of them, void ones too
	Doubts            []note.Note       `json:"doubts"`

	Path    string          `json:"path,omitempty"`     // code path taken; "" where unknown or mixed
	Regime  string          `json:"regime,omitempty"`   // where the working set lay: record.Regime*; "" where unknown or mixed
	CPUSets *record.CPUSets `json:"cpu_sets,omitempty"` // nil where server and generator were not to be kept apart, or not always alike

	Found []Finding `json:"-"` // about this cell, or about several of which this one stands for all in tables

	Unseen bool `json:"-"` // the machine that did the work is not known
}

// TrialValue is one trial's value of a cell's metric.
type TrialValue struct {
	ID        string      `json:"id"`
	Replicate int         `json:"replicate"`
	Start     string      `json:"start"`
	Value     *float64    `json:"value"` // nil where the trial has none
	Void      note.Note   `json:"void,omitzero"`
	Doubts    []note.Note `json:"doubts,omitempty"`
}
