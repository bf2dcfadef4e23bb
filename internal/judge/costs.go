package judge

import (
	"slices"

	"plimsoll/internal/record"
)

// Category is what time went to, such as encryption; the rules are those of CategoryOf.
type Category string

// Cost is what a category takes.
type Cost struct {
	Category Category
	Samples  int64
	Share    float64 // of all samples, 0 to 1
	PerOp    float64 // seconds of CPU for an operation (of a wait: of threads); 0 where the trial's CPU time is not known
}

// Costs is where the time of one profiled trial went.
type Costs struct {
	Trial   string // ID
	Samples int64
	PerOp   float64 // seconds of CPU for an operation, the work's as it was metered: of all categories
	Of      []Cost  // each category that has samples, the largest first

	functions map[Category]map[string]float64 // seconds for an operation by innermost function
}

// cpuPerOp is the value of a trial that says what CPU time an operation takes.
const cpuPerOp = "cpu_per_op"

// CostsOf divides the CPU time that a profiled trial was charged among the categories of its profile, record.ProfileCPU; false where it holds no samples.
// A share of n samples has a standard error of √(share·(1−share)/n) at least.
func CostsOf(t record.Trial, p record.Profile) (Costs, bool) {
	perOp := 0.0
	if v, ok := t.Value(cpuPerOp); ok {
		perOp = v.Value
	}
	return divided(t, p, perOp, newSorter(cpuRules()).cpu)
}

// WaitsOf divides the time that the threads of a profiled trial waited, record.ProfileWait, among what they waited for: PerOp is seconds of threads for
// an operation, 0 where the trial does not say how many there were.
func WaitsOf(t record.Trial, p record.Profile) (Costs, bool) {
	perOp := 0.0
	if n := operations(t); n > 0 {
		perOp = float64(p.Samples()) * float64(p.PeriodNs) * 1e-9 / n
	}
	return divided(t, p, perOp, newSorter(waitRules()).wait)
}

// operations is how many a trial did in its window; 0 where it does not say.
func operations(t record.Trial) float64 {
	if v, ok := t.Value(record.Throughput); ok && v.Unit == "op/s" {
		return v.Value * t.DurationS
	}
	if t.Generator != nil {
		return float64(t.Generator.Done)
	}
	return 0
}

func divided(t record.Trial, p record.Profile, perOp float64, categoryOf func(record.Stack) Category) (Costs, bool) {
	c := Costs{Trial: t.ID, Samples: p.Samples(), PerOp: perOp, functions: map[Category]map[string]float64{}}
	if c.Samples <= 0 {
		return Costs{}, false
	}
	of := map[Category]int64{}
	for _, s := range p.Stacks {
		category := categoryOf(s)
		of[category] += s.N
		if c.functions[category] == nil {
			c.functions[category] = map[string]float64{}
		}
		c.functions[category][innermost(s)] += float64(s.N) / float64(c.Samples) * perOp
	}
	for category, n := range of {
		share := float64(n) / float64(c.Samples)
		c.Of = append(c.Of, Cost{Category: category, Samples: n, Share: share, PerOp: share * perOp})
	}
	slices.SortFunc(c.Of, byCost)
	return c, true
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

// of is what a category takes for an operation.
func (c Costs) of(category Category) Cost {
	for _, cost := range c.Of {
		if cost.Category == category {
			return cost
		}
	}
	return Cost{Category: category}
}
