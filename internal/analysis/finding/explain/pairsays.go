package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/block"
)

func pairSays(v *finding.PairView) []block.Block {
	return []block.Block{explainedSection(v.ID+"-why", KindExplain.All(v.Pair))}
}

// answer returns the largest cause of the first difference between two sides, with its remedy as the next step. Without
// a cause, it is the CPU time per operation if that differs. A cost of the better side explains nothing.
func answer(c finding.Compared) finding.Answer {
	var out finding.Answer
	for _, p := range c.Pairs {
		all := slices.DeleteFunc(KindExplain.All(p), func(x Explanation) bool { return loser(p, x) == "" })
		for _, x := range all {
			if x.waits != "" {
				out.Why(x.waits, "")
				return out
			}
			causes := slices.DeleteFunc(x.named(), func(c CostPart) bool { return (c.Diff > 0) != (loser(p, x) == "b") })
			if len(causes) > 0 {
				first := causes[0]
				out.Why(x.partText(first), strings.TrimPrefix(x.cure(first.Category, first.Diff, first.Source != ""), "; "))
				return out
			}
		}
		for _, x := range all {
			if cpu := x.CPU; cpu != nil && cpu.Excludes(0) && (cpu.Diff > 0) == (loser(p, x) == "b") {
				text := x.cpuText(p)
				if len(all) > 1 {
					text += fmt.Sprintf(" (%s)", finding.SplitOf(explainedParams(all)).Label(x.Wording.Of(x.Params), x.Load))
				}
				out.Why(text, "run again with --profile to see which functions use it")
				return out
			}
		}
	}
	return out
}

// loser returns the worse side in the benchmark of an explanation, by its verdict; "" without one.
func loser(p finding.Pair, x Explanation) string {
	for _, c := range p.Verdicts {
		if c.Verdict == trialset.Different && c.Per == finding.PerMachine && c.Workload == x.Workload &&
			c.Load == x.Load && maps.Equal(c.Params, x.Params) {
			return map[string]string{"a": "b", "b": "a"}[c.Better]
		}
	}
	return ""
}

// cpuText states which side uses more CPU time per operation.
func (x *Explanation) cpuText(p finding.Pair) string {
	a, b := axis.Subjects(p.By, p.A, p.B)
	lo, hi := x.CPU.Ends()
	if x.CPU.Diff < 0 {
		a, b, lo, hi = b, a, -hi, -lo
	}
	return b + " uses " + between(lo, hi) + " more CPU time per operation than " + a
}
