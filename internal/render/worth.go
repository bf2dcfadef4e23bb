package render

import (
	"slices"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// worthSaying leaves out comparisons that repeat another: memory traffic, which is
// throughput times a constant, and figures per vCPU or core of machines that
// have as many of them.
func worthSaying(p judge.Pair) []judge.Comparison {
	return slices.DeleteFunc(slices.Clone(p.Verdicts), func(c judge.Comparison) bool {
		return c.Metric == record.MemoryTraffic && !c.Primary || repeats(c, p.BasisA, p.BasisB)
	})
}

func repeats(c judge.Comparison, a, b *judge.Basis) bool {
	if a == nil || b == nil {
		return false
	}
	return c.Per == "vcpu" && a.VCPUs == b.VCPUs || c.Per == "core" && a.Cores == b.Cores
}

// idle says that a figure per vCPU, core, dollar or watt has no verdict, since the
// load left a part of the machine idle: its table has it, no sentence.
func idle(c judge.Comparison) bool {
	return c.Per != "machine" && c.Verdict == "" && !c.Estimate && len(c.Flags) > 0
}

// comparedKinds are the code paths and regimes of both sides.
func comparedKinds(cs []judge.Comparison) []kind {
	path, regime := kind{name: "code path"}, kind{name: "working set"}
	for _, c := range cs {
		path.texts = append(path.texts, sides(c.PathA, c.PathB))
		regime.texts = append(regime.texts, sides(setText(c.RegimeA), setText(c.RegimeB)))
	}
	if regime.varies() {
		return []kind{path} // a flag names those that differ between the sides; `show` has the others
	}
	return []kind{path, regime}
}
