package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/integrity"
	"plimsoll/internal/trialset"
)

// flagSets states the CPUs of each side's server and generator, and flags generators that had not cores of their own, or not equally many on both sides: what
// they take from the server then depends on the side.
func flagSets(c *finding.Comparison, m trialset.Matched) {
	c.CPUSetsA, c.CPUSetsB = integrity.CPUSets(trialset.Valid(m.A)), integrity.CPUSets(trialset.Valid(m.B))
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
