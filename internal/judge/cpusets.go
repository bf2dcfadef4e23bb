package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// setsOf is which CPUs server and generator had; nil where trials do not say or are not alike in it.
func setsOf(trials []record.Trial) *record.CPUSets {
	var found *record.CPUSets
	for i := range trials {
		s := trials[i].CPUSets
		if s == nil || found != nil && *s != *found {
			return nil
		}
		found = s
	}
	return found
}

// doubtSets states the CPUs of each side's server and generator, and flags generators that had not cores of their own, or not equally many on both sides: what
// they take from the server then depends on the side.
func doubtSets(c *finding.Comparison, m trialset.Matched) {
	c.CPUSetsA, c.CPUSetsB = setsOf(trialset.Valid(m.A)), setsOf(trialset.Valid(m.B))
	if !c.Primary || c.CPUSetsA == nil || c.CPUSetsB == nil {
		return
	}
	switch x, y := c.CPUSetsA.GeneratorCores, c.CPUSetsB.GeneratorCores; {
	case x == 0 && y == 0:
		c.Flag("generators-without-cores")
	case x == 0:
		c.Flag("generator-without-cores-a")
	case y == 0:
		c.Flag("generator-without-cores-b")
	case x != y:
		c.Flag("unequal-generators", x, y)
	}
}
