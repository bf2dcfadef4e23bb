package category

import (
	"cmp"
	"slices"

	"plimsoll/internal/record"
)

// Cost is what a category takes.
type Cost struct {
	Category Name
	Samples  int64
	Share    float64 // of all samples, 0 to 1
	PerOp    float64 // seconds of CPU for an operation (of a wait: of threads); 0 where the trial's CPU time is not known
}

// Costs is where the time of one profiled trial went.
type Costs struct {
	Trial   string // ID
	Samples int64
	PerOp   float64 // seconds of CPU for an operation, the work's as it was metered: of all categories
	Each    []Cost  // each category that has samples, the largest first

	Functions map[Name]map[string]float64 // seconds for an operation by innermost function
}

// CPUCosts divides the CPU time that a profiled trial was charged among the categories of its profile, record.ProfileCPU; false where it holds no samples.
// A share of n samples has a standard error of √(share·(1−share)/n) at least.
func CPUCosts(t record.Trial, p record.Profile) (Costs, bool) {
	perOp := 0.0
	if v, ok := t.Value(record.CPUPerOp); ok {
		perOp = v.Value
	}
	return divided(t, p, perOp, newSorter(cpuRules()).cpu)
}

// WaitCosts divides the time that the threads of a profiled trial waited, record.ProfileWait, among what they waited for: PerOp is seconds of threads for
// an operation, 0 where the trial does not say how many there were.
func WaitCosts(t record.Trial, p record.Profile) (Costs, bool) {
	perOp := 0.0
	if n := t.Operations(); n > 0 {
		perOp = float64(p.Samples()) * float64(p.PeriodNs) * 1e-9 / n
	}
	return divided(t, p, perOp, newSorter(waitRules()).wait)
}

func divided(t record.Trial, p record.Profile, perOp float64, of func(record.Stack) Name) (Costs, bool) {
	c := Costs{Trial: t.ID, Samples: p.Samples(), PerOp: perOp, Functions: map[Name]map[string]float64{}}
	if c.Samples <= 0 {
		return Costs{}, false
	}
	samples := map[Name]int64{}
	for _, s := range p.Stacks {
		name := of(s)
		samples[name] += s.N
		if c.Functions[name] == nil {
			c.Functions[name] = map[string]float64{}
		}
		c.Functions[name][innermost(s)] += float64(s.N) / float64(c.Samples) * perOp
	}
	for name, n := range samples {
		share := float64(n) / float64(c.Samples)
		c.Each = append(c.Each, Cost{Category: name, Samples: n, Share: share, PerOp: share * perOp})
	}
	slices.SortFunc(c.Each, byCost)
	return c, true
}

// byCost sorts costs, the largest first.
func byCost(a, b Cost) int {
	return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.Category, b.Category))
}

// innermost is a stack's innermost function that has a name.
func innermost(s record.Stack) string {
	for _, f := range s.Frames {
		if named(f) {
			return plainName(f)
		}
	}
	return ""
}

// Of is what a category takes for an operation.
func (c Costs) Of(name Name) Cost {
	for _, cost := range c.Each {
		if cost.Category == name {
			return cost
		}
	}
	return Cost{Category: name}
}

// OfFunctions is what innermost functions of such names take for an operation, in seconds; in a pattern a * stands for anything.
func (c Costs) OfFunctions(patterns ...string) float64 {
	sum := 0.0
	for _, functions := range c.Functions {
		for name, cost := range functions {
			if matchesAny(patterns, name) {
				sum += cost
			}
		}
	}
	return sum
}
