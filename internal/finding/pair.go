package finding

import (
	"plimsoll/internal/note"
)

// Compared is the comparison of all sides.
type Compared struct {
	Pairs []Pair
	Found []Finding
}

// Pair is the comparison of side b with side a.
type Pair struct {
	A        string       `json:"a"` // the baseline machine or type, or the factor's first level
	B        string       `json:"b"`
	By       string       `json:"by"`                // "machine", "type" or the factor
	Machine  string       `json:"machine,omitempty"` // of both sides, if By is a factor
	Verdicts []Comparison `json:"verdicts"`
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
