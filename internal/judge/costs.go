package judge

import (
	"cmp"
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
}

// CostsOf divides the CPU time that a profiled trial was charged among the categories of its profile, record.ProfileCPU; false where it holds no samples.
// A share of n samples has a standard error of √(share·(1−share)/n) at least.
func CostsOf(t record.Trial, p record.Profile) (Costs, bool) {
	c := Costs{Trial: t.ID, Samples: p.Samples()}
	if c.Samples <= 0 {
		return Costs{}, false
	}
	if v, ok := t.Value("cpu_per_op"); ok {
		c.PerOp = v.Value
	}
	of := map[Category]int64{}
	for _, s := range p.Stacks {
		of[CategoryOf(s)] += s.N
	}
	for category, n := range of {
		share := float64(n) / float64(c.Samples)
		c.Of = append(c.Of, Cost{Category: category, Samples: n, Share: share, PerOp: share * c.PerOp})
	}
	slices.SortFunc(c.Of, func(a, b Cost) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.Category, b.Category))
	})
	return c, true
}
