package finding

import "plimsoll/internal/record/figure"

// Replicates are the runs that a comparison rests on, as all texts count them.
type Replicates struct {
	N      int
	Paired bool
	OfType bool // each machine of a type counts once
	Uneven bool // one side has more
}

// One returns the unit in the singular, as figure.Count takes it.
func (r Replicates) One() string {
	noun, rest := r.unit()
	return noun + rest
}

// Many returns the unit in the plural.
func (r Replicates) Many() string {
	noun, rest := r.unit()
	return noun + "s" + rest
}

// String returns the number with its unit, such as "5 pairs" and "1 run a side".
func (r Replicates) String() string { return figure.Count(r.N, r.One()) }

// unit returns the word that has a plural, and the rest.
func (r Replicates) unit() (noun, rest string) {
	switch {
	case r.OfType && r.Paired:
		return "pair", figure.OfInstances
	case r.OfType:
		return "instance", r.side()
	case r.Paired:
		return "pair", ""
	}
	return "run", r.side()
}

func (r Replicates) side() string {
	if r.Uneven {
		return figure.SmallerSide
	}
	return figure.ASide
}
