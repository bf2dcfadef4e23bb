package finding

import (
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record/note"
)

// Basis is the size, price and power of a machine, to which its figures are related. 0 is unknown.
type Basis struct {
	Type         string      `json:"type,omitempty"` // instance type
	Family       string      `json:"family,omitempty"`
	Size         string      `json:"-"` // of the type within its family, as its provider names it
	Sockets      int         `json:"-"` // that its CPUs are on; of a type, as its power is known by
	VCPUs        float64     `json:"vcpus,omitempty"`
	Cores        float64     `json:"cores,omitempty"` // physical
	PricePerHour float64     `json:"usd_per_hour,omitempty"`
	Free         bool        `json:"free,omitempty"` // its price is stated to be 0
	PriceSource  string      `json:"price_source,omitempty"`
	Watts        *Watts      `json:"watts,omitempty"`
	Doubts       []note.Note `json:"notes,omitempty"`
	Hosts        int         `json:"hosts,omitempty"` // that all of this is of: those of a cluster; 0: one machine

	each float64 // the price of one of Hosts
}

// Of returns the basis of a cluster of so many hosts like this one; 0 and 1: of itself.
func (b Basis) Of(hosts int) Basis {
	if hosts < 2 {
		return b
	}
	n := float64(hosts)
	b.each = b.PricePerHour
	b.Hosts, b.VCPUs, b.Cores, b.PricePerHour = hosts, n*b.VCPUs, n*b.Cores, n*b.PricePerHour
	if b.Watts != nil {
		w := *b.Watts
		w.Value *= n
		b.Watts = &w
	}
	return b
}

// EachPerHour returns the price of one host.
func (b Basis) EachPerHour() float64 {
	if b.Hosts > 1 {
		return b.each
	}
	return b.PricePerHour
}

// SetPrice sets the price in USD per hour, 0 for a machine that costs nothing.
func (b *Basis) SetPrice(perHour float64, source string) {
	b.PricePerHour, b.Free, b.PriceSource = perHour, perHour == 0, source
}

// Priced reports whether the price is known.
func (b Basis) Priced() bool { return b.PricePerHour > 0 || b.Free }

// Watts is the power of a machine, with its source.
type Watts struct {
	Value  float64      `json:"value"` // W
	Kind   catalog.Kind `json:"kind"`
	Source string       `json:"source,omitempty"`
	Of     string       `json:"of,omitempty"` // such as "2 sockets of 240 W"
}

// Power returns a machine's power in W; 0 if it is unknown.
func (b Basis) Power() float64 {
	if b.Watts == nil {
		return 0
	}
	return b.Watts.Value
}
