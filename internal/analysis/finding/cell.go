package finding

import (
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// Replace replaces the findings of a kind.
func (c *Cell) Replace(with []Finding) {
	rest := slices.DeleteFunc(slices.Clone(c.Found), func(f Finding) bool {
		return f.Body != nil && f.Kind == with[0].Kind
	})
	c.Found = append(rest, with...)
}

// Add adds findings to a pair.
func (p *Pair) Add(found []Finding) { p.Found = append(p.Found, found...) }

// Cell is one metric of one cell: its estimate over replicates and its trials.
type Cell struct {
	Machine           string
	Workload          string
	Params            map[string]string
	Wording           Wording
	Load              string // record.LoadPoint's text form
	Metric            string
	Primary           bool
	Unit              string
	Better            record.Better
	estimate.Estimate              // over valid trials; NaN without any
	N                 int          // valid trials
	Void              int          // trials left out
	AtLeast           bool         // a lower bound, without an interval: so is the value of some trial
	Trials            []TrialValue // all of them, failed ones too
	Doubts            []note.Note

	Path    string          // code path taken; "" if unknown or mixed
	Regime  string          // record.Regime* of the working set; "" if unknown or mixed
	CPUSets *record.CPUSets // nil if server and generator were not pinned apart, or not always alike

	Found []Finding // about this cell, or about several that this one represents in tables

	Unseen   bool // the machine that did the work is unknown
	Imported bool // some runs are another tool's
}

// Without returns a cell without the level of a factor, for text that states the level itself.
func (c Cell) Without(factor string) Cell {
	c.Params = trialset.Without(c.Params, strings.TrimPrefix(factor, c.Workload+"."))
	c.Wording = c.Wording.Without(factor)
	return c
}

// Shown returns the parameters as texts show them.
func (c Cell) Shown() map[string]string { return c.Wording.Of(c.Params) }

// TrialValue is one run's value of a benchmark's metric.
type TrialValue struct {
	*TrialOutcome          // which all metrics of the trial share
	Value         *float64 `json:"value"`              // nil if the run has none
	AtLeast       bool     `json:"at_least,omitempty"` // Value is a lower bound
}

// TrialOutcome is how one trial went.
type TrialOutcome struct {
	ID        string      `json:"id"`
	Replicate int         `json:"replicate"`
	Start     string      `json:"start"`
	Void      note.Note   `json:"failed,omitzero"` // the reason if it failed
	Doubts    []note.Note `json:"notes,omitempty"`
}

// Counted returns what names an operation of the cell: figure.Counted.
func (c Cell) Counted() string { return figure.Counted(c.Workload, c.Params) }

// FigureScale returns the scale of a cell's figure and its interval.
func (c Cell) FigureScale() figure.Scale {
	return figure.ScaleFor(figure.UnitOf(c.Counted(), c.Unit), c.Estimate.Values()...)
}

// EstimateText returns a cell's figure with its unit.
func (c Cell) EstimateText() string { return c.Estimate.Estimate(c.FigureScale()) }
