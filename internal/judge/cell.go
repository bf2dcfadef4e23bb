package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

// amongTrials are the trials of a cell that are among these, by id.
func amongTrials(c finding.Cell, byID map[string]record.Trial) []record.Trial {
	var out []record.Trial
	for _, v := range c.Trials {
		if t, ok := byID[v.ID]; ok {
			out = append(out, t)
		}
	}
	return out
}
