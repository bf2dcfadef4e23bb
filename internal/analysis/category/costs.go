package category

import (
	"cmp"
	"slices"

	"plimsoll/internal/record"
)

// Cost is the cost of a category.
type Cost struct {
	Category Name
	Samples  int64
	Share    float64 // of all samples, 0 to 1
	PerOp    float64 // CPU seconds per operation (for waits: thread seconds); 0 if the trial's CPU time is unknown
}

// Costs is the distribution of the time of one profiled trial.
type Costs struct {
	Trial   string // ID
	Samples int64
	PerOp   float64 // metered CPU seconds per operation, over all categories
	Each    []Cost  // categories with samples, largest first

	Functions map[Name]map[string]float64 // seconds per operation by innermost function
}

// CPUCosts divides the CPU time charged to a profiled trial among the categories of its profile, record.ProfileCPU;
// false if that has no samples. A share of n samples has a standard error of at least √(share·(1−share)/n).
func (m *Memory) CPUCosts(t record.Trial, p record.Profile) (Costs, bool) {
	perOp := 0.0
	if v, ok := t.Value(record.CPUPerOp); ok {
		perOp = v.Value
	}
	return divided(t, p, perOp, m.OfCPU(p))
}

// WaitCosts divides the waiting time of a profiled trial's threads, record.ProfileWait, among its causes: PerOp is
// thread seconds per operation, 0 if the number of operations is unknown.
func (m *Memory) WaitCosts(t record.Trial, p record.Profile) (Costs, bool) {
	return divided(t, p, WaitPerOp(t, p), m.OfWaits(p))
}

// WaitPerOp returns the waiting time of a profiled trial's threads in seconds per operation, 0 if the number of
// operations is unknown.
func WaitPerOp(t record.Trial, p record.Profile) float64 {
	n := t.Operations()
	if n <= 0 {
		return 0
	}
	return float64(p.Samples()) * float64(p.PeriodNs) * 1e-9 / n
}

func divided(t record.Trial, p record.Profile, perOp float64, of []Name) (Costs, bool) {
	c := Costs{Trial: t.ID, Samples: p.Samples(), PerOp: perOp, Functions: map[Name]map[string]float64{}}
	if c.Samples <= 0 {
		return Costs{}, false
	}
	samples := map[Name]int64{}
	for i, s := range p.Stacks {
		name := of[i]
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

// byCost orders costs, largest first.
func byCost(a, b Cost) int {
	return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.Category, b.Category))
}

// innermost returns the innermost function of a stack that has a name.
func innermost(s record.Stack) string {
	for _, f := range s.Frames {
		if named(f) {
			return plainName(f)
		}
	}
	return ""
}

// Of returns the cost of a category per operation.
func (c Costs) Of(name Name) Cost {
	for _, cost := range c.Each {
		if cost.Category == name {
			return cost
		}
	}
	return Cost{Category: name}
}

// OfFunctions returns the cost of matching innermost functions per operation, in seconds; * in a pattern matches any
// text.
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
