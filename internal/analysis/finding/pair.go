package finding

import (
	"plimsoll/internal/record/note"
)

// Compared is the comparison of all sides.
type Compared struct {
	Pairs   []Pair
	Found   []Finding
	Missing []Missing // sides without a pair
}

// Missing is something in which two sides were not compared.
type Missing struct {
	Cell     string    `json:"cell,omitempty"`   // left out for a whole side
	Metric   string    `json:"metric,omitempty"` // left out for all of the benchmark
	Why      note.Note `json:"why"`
	Absent   bool      `json:"absent"` // one side has none, as after a deletion; else all runs failed, or are unlike
	Deciding bool      `json:"-"`      // no other metric of the cell decides
}

// Text states what is missing, and where.
func (m Missing) Text() string {
	if m.Metric == "" {
		return m.Why.Text()
	}
	return m.Cell + ": " + m.Why.Text()
}

// AllMissing returns what is missing in each pair, and the sides without one.
func (c Compared) AllMissing() []Missing {
	var out []Missing
	for _, p := range c.Pairs {
		out = append(out, p.Missing...)
	}
	return append(out, c.Missing...)
}

// Pair is the comparison of side b with side a.
type Pair struct {
	A        string       `json:"a"` // the baseline machine or type, or the factor's first level
	B        string       `json:"b"`
	By       string       `json:"by"`                // "machine", "type" or the factor
	Machine  string       `json:"machine,omitempty"` // of both sides, if By is a factor
	Verdicts []Comparison `json:"verdicts"`
	Missing  []Missing    `json:"missing,omitempty"`
	Warnings []note.Note  `json:"notes"`
	BasisA   *Basis       `json:"basis_a,omitempty"` // the basis of figures per vCPU, core, dollar and watt
	BasisB   *Basis       `json:"basis_b,omitempty"`

	Found []Finding `json:"-"`
}

// Findings returns the findings about both sides.
func (p Pair) Findings() []Finding { return p.Found }

// Findings returns the findings about all sides.
func (c Compared) Findings() []Finding { return c.Found }

// Findings returns the findings about a cell.
func (c Cell) Findings() []Finding { return c.Found }
