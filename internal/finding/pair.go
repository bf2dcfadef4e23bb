package finding

import (
	"plimsoll/internal/note"
)

// Compared is everything concluded about the sides of a comparison.
type Compared struct {
	Pairs []Pair
	Found []Finding
}

// Pair is everything concluded about side b against side a.
type Pair struct {
	A        string       `json:"a"` // the baseline machine or type, or the factor's first level
	B        string       `json:"b"`
	By       string       `json:"by"`                // "machine", "type" or the factor
	Machine  string       `json:"machine,omitempty"` // the one both sides ran on, where By is a factor
	Verdicts []Comparison `json:"verdicts"`
	Warnings []note.Note  `json:"notes"`
	BasisA   *Basis       `json:"basis_a,omitempty"` // what figures per vCPU, core, dollar and watt are put in relation to
	BasisB   *Basis       `json:"basis_b,omitempty"`

	Found []Finding `json:"-"`
}

// Findings returns the findings about both sides.
func (p Pair) Findings() []Finding { return p.Found }

// Findings returns the findings about all sides.
func (c Compared) Findings() []Finding { return c.Found }

// Findings returns the findings about a cell.
func (c Cell) Findings() []Finding { return c.Found }
