package plan

import (
	"cmp"

	"plimsoll/internal/record"
)

// generatorCores is how many whole cores the load generator has where it has CPUs of its own: the same number on every machine, since sides
// that are loaded by unequal generators are not compared alike. It is a quarter of the smallest machine's, at least one; 0 where nothing is divided.
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
