package render

import (
	"cmp"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

// worthSaying leaves out comparisons that repeat another: memory traffic, which is
// throughput times a constant, and figures per vCPU or core of machines that
// have as many of them.
func worthSaying(p finding.Pair) []finding.Comparison {
	return slices.DeleteFunc(slices.Clone(p.Verdicts), func(c finding.Comparison) bool {
		return c.Metric == record.MemoryTraffic && !c.Primary || repeats(c, p.BasisA, p.BasisB)
	})
}

func repeats(c finding.Comparison, a, b *finding.Basis) bool {
	if a == nil || b == nil {
		return false
	}
	return c.Per == "vcpu" && a.VCPUs == b.VCPUs || c.Per == "core" && a.Cores == b.Cores
}

// idle says that a figure per vCPU or core has no verdict, since the load left a
// part of the machine idle: its table has it, no sentence.
func idle(c finding.Comparison) bool {
	return (c.Per == "vcpu" || c.Per == "core") && c.Verdict == "" && len(c.Flags) > 0
}

// kindNotes say of the kinds that vary which cells have which: a comparison's
// table has no room for them.
func kindNotes(cs []finding.Comparison, split finding.Split) []block.Sentence {
	cells := slices.DeleteFunc(slices.Clone(cs), func(c finding.Comparison) bool { return !c.Primary || c.Per != "machine" })
	var out []block.Sentence
	for _, k := range finding.VaryingTraits(finding.ComparedTraits(cells)) {
		var at block.Gathered
		for i, c := range cells {
			at.Add(k.Texts[i], split.Label(c.Params, c.Load))
		}
		out = append(out, at.Sentences(k.Name, block.Dim, func(text string) string { return cmp.Or(text, "not known") })...)
	}
	return out
}
