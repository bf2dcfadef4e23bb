package record

import (
	"fmt"
	"slices"
	"strings"
)

// The kinds of Design.
const (
	DesignFull  = "full factorial"   // every combination of up to three factors of two levels
	DesignHalf  = "half fraction"    // half of the combinations of four factors of two levels
	DesignMixed = "all combinations" // factors that are not a factorial: more levels, or more of them
)

// Design is how the levels of several factors are combined in the groups of one workload.
type Design struct {
	Workload string   `json:"workload"`
	Kind     string   `json:"kind"` // one of Design*
	Factors  []string `json:"factors"`
	Relation string   `json:"relation,omitempty"` // of a half: its defining relation, with the factors A to D in order
	Why      string   `json:"why,omitempty"`      // of all combinations: the reason why it is not a factorial
}

// HalfRelation is the defining relation of the half fraction of four factors A to D: an even number of them is at the
// second level, so that D = ABC.
const HalfRelation = "I = ABCD"

// Apart reports whether cells of the plan differ in a factor alone, so that its levels can be compared.
func (p Plan) Apart(factor string) bool {
	varied := false
	for _, d := range p.Designs {
		if slices.Contains(d.Factors, factor) {
			if d.Kind != DesignHalf {
				return true
			}
			varied = true
		}
	}
	return !varied
}

// String returns a description of the design.
func (d Design) String() string {
	names := strings.Join(d.Factors, ", ")
	switch d.Kind {
	case DesignFull:
		return fmt.Sprintf("%s: %s of %s: each replicate is a block of all %d combinations in random order", d.Workload,
			d.Kind, names, 1<<len(d.Factors))
	case DesignHalf:
		var lettered []string
		for i, f := range d.Factors {
			lettered = append(lettered, fmt.Sprintf("%c %s", 'A'+i, f))
		}
		return fmt.Sprintf("%s: %s 2^(4-1) of %s, defining relation %s (D = ABC): each replicate is a block of 8 of the 16 "+
			"combinations in random order; "+
			"a factor's share is valid if no three factors interact; two-factor interactions are known in sums only: AB + CD, "+
			"AC + BD, AD + BC",
			d.Workload, d.Kind, strings.Join(lettered, ", "), d.Relation)
	}
	return fmt.Sprintf("%s: %s of %s: not a factorial, since %s, so there are no shares: each effect is that of one "+
		"factor, all else being equal", d.Workload, d.Kind, names, d.Why)
}
