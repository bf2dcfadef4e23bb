package category

import "plimsoll/internal/record"

// OfCPU returns the category of CPU time of each stack of a profile.
func OfCPU(p record.Profile) []Name {
	return eachStack(p, newSorter(cpuRules()).cpu)
}

// OfWaits returns the category of waits of each stack of a profile.
func OfWaits(p record.Profile) []Name {
	return eachStack(p, newSorter(waitRules()).wait)
}

func eachStack(p record.Profile, of func(record.Stack) Name) []Name {
	out := make([]Name, len(p.Stacks))
	for i, s := range p.Stacks {
		out[i] = of(s)
	}
	return out
}
