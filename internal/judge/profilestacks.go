package judge

import "plimsoll/internal/record"

// CPUCategories are what CPU time went to, of each stack of a profile.
func CPUCategories(p record.Profile) []Category {
	return eachStack(p, newSorter(cpuRules()).cpu)
}

// WaitCategories are what threads wait for, of each stack of a profile of waits.
func WaitCategories(p record.Profile) []Category {
	return eachStack(p, newSorter(waitRules()).wait)
}

func eachStack(p record.Profile, categoryOf func(record.Stack) Category) []Category {
	out := make([]Category, len(p.Stacks))
	for i, s := range p.Stacks {
		out[i] = categoryOf(s)
	}
	return out
}
