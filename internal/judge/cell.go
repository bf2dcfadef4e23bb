package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"slices"
)

// amongTrials are the trials of a cell that are among these, by id.
func amongTrials(c Cell, byID map[string]record.Trial) []record.Trial {
	var out []record.Trial
	for _, v := range c.Trials {
		if t, ok := byID[v.ID]; ok {
			out = append(out, t)
		}
	}
	return out
}

// add gives a cell findings.
func (c *Cell) add(all ...[]finding.Finding) { c.Found = append(c.Found, slices.Concat(all...)...) }

// replace gives a cell findings in the place of those of their kind.
func (c *Cell) replace(with []finding.Finding) {
	rest := slices.DeleteFunc(slices.Clone(c.Found), func(f finding.Finding) bool { return f.Body != nil && f.Kind == with[0].Kind })
	c.Found = append(rest, with...)
}

// add gives a pair findings.
func (p *Pair) add(all ...[]finding.Finding) { p.Found = append(p.Found, slices.Concat(all...)...) }
