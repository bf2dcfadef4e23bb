package plan

import (
	"cmp"

	"plimsoll/internal/record"
)

// generatorCores returns the number of whole cores of a load generator with CPUs of its own: the same on every machine,
// because sides loaded by unequal generators are not comparable. It is a quarter of the smallest machine's cores, at
// least one; 0 if nothing is split.
func generatorCores(p record.Plan, targets map[string]Target) int {
	fewest := 0
	for _, c := range p.Cells {
		if c.Remote || c.Params[record.ParamCPUSets] != record.CPUsSplit {
			continue
		}
		t := targets[c.Host]
		if n := cmp.Or(t.Cores, t.CPUs); fewest == 0 || n < fewest {
			fewest = n
		}
	}
	if fewest == 0 {
		return 0
	}
	return max(1, fewest/4)
}
