package cost

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

const sizesLead = "sizes"

// sizesSay states how each family's throughput grows with its size. Those of several cells are details.
func sizesSay(c finding.Compared) []block.Block {
	var out []block.Sentence
	all := KindSizes.All(c)
	cells := map[string]bool{}
	for _, f := range all {
		cells[finding.Placed(f.Workload, f.Params, f.Load, f.Metric)] = true
	}
	for _, f := range all {
		said := []string{f.growthText()}
		if f.PerDollar != nil {
			said = append(said, f.PerDollar.text(f))
		}
		where := finding.Placed(f.Workload, f.Params, f.Load, f.Metric)
		for _, text := range said {
			out = append(out, block.Sentence{Lead: sizesLead, Text: text + ": " + where, Detail: len(cells) > 1})
		}
	}
	return finding.Blocks(append(out, machinesAlone(c, all)...))
}

// machinesAlone states once what limits a claim about families, unless their multiples said so.
func machinesAlone(c finding.Compared, all []FamilySizes) []block.Sentence {
	for _, f := range KindFamily.All(c) {
		if len(f.Doubts) > 0 {
			return nil
		}
	}
	for _, f := range all {
		if len(f.Doubts) > 0 {
			return finding.Doubts("", f.Doubts)
		}
	}
	return nil
}

// growthText states the steps of a family, and whether each grows as its vCPUs do.
func (f FamilySizes) growthText() string {
	steps := list.Map(f.Steps, func(s SizeStep) string {
		return fmt.Sprintf("%s %s as much as %s with %s the vCPUs", sizeOrType(s.To), timesOf(s.Rate), sizeOrType(s.From),
			plainTimes(s.VCPUs))
	})
	text := f.Family + " by size: " + strings.Join(steps, ", ")
	switch f.Proportional {
	case trialset.Equivalent:
		return text + fmt.Sprintf("; throughput grows as the vCPUs do, within %s", figure.PercentText(estimate.Margin))
	case trialset.Different:
		var off []string
		for _, s := range f.Steps {
			if s.Proportional == trialset.Different {
				off = append(off, fmt.Sprintf("%s handles %s for %s more vCPUs", sizeOrType(s.To),
					percentsOf(s.Rate, "more", "less"), figure.PercentText(s.VCPUs-1)))
			}
		}
		return text + "; not in proportion: " + strings.Join(off, ", ")
	}
	return text
}

// text states the largest difference per dollar.
func (s SizeSpread) text(f FamilySizes) string {
	of := figure.Count(len(f.Sizes), "size")
	between := fmt.Sprintf("%s against %s %s", sizeOrType(s.Most), sizeOrType(s.Least), changeOf(s.Ratio))
	switch s.Verdict {
	case trialset.Equivalent:
		return fmt.Sprintf("per dollar the %s of %s are equal within %s; the widest is %s", of, f.Family,
			figure.PercentText(estimate.Margin), between)
	case trialset.Different:
		return fmt.Sprintf("per dollar the %s of %s differ: %s", of, f.Family, between)
	}
	return fmt.Sprintf("per dollar it is undecided whether the %s of %s are equal: the widest is %s", of, f.Family,
		between)
}

// sameSizesSay compares families size by size, by throughput and per dollar.
func sameSizesSay(c finding.Compared) []block.Block {
	var out []block.Sentence
	all := KindSameSizes.All(c)
	for _, s := range all {
		where := finding.Placed(s.Workload, s.Params, s.Load, s.Metric)
		rates := list.Map(s.Sizes, func(at SameSize) string { return at.Size + " " + changeOf(at.Rate) })
		out = append(out, block.Sentence{Lead: sizesLead, Detail: len(all) > 1,
			Text: fmt.Sprintf("%s against %s, size by size: %s: %s", s.B, s.A, strings.Join(rates, ", "), where)})
		var perDollar []string
		for _, at := range s.Sizes {
			if at.PerDollar != nil {
				perDollar = append(perDollar, at.Size+" "+changeOf(*at.PerDollar))
			}
		}
		if len(perDollar) > 0 {
			out = append(out, block.Sentence{Lead: sizesLead, Detail: len(all) > 1,
				Text: fmt.Sprintf("%s against %s per dollar: %s: %s", s.B, s.A, strings.Join(perDollar, ", "), where)})
		}
	}
	return finding.Blocks(out)
}

// sizeOrType names a type among those of its family.
func sizeOrType(of string) string {
	if size := sizeName(of); size != "" {
		return size
	}
	return of
}

// plainTimes states an exact ratio: "2x", "1.33x".
func plainTimes(ratio float64) string {
	return figure.Exact(figure.RoundTo(ratio, figure.Digits)) + "x"
}

// timesOf states a ratio as what one size handles of another.
func timesOf(r estimate.Estimate) string {
	if !r.Bounded() {
		return "handles by estimate " + figure.Factors(r.Value, r.Value)
	}
	return "handles " + figure.Factors(r.Ends())
}

func percentsOf(r estimate.Estimate, more, less string) string {
	if !r.Bounded() {
		return figure.Percents(r.Value, r.Value, more, less)
	}
	return figure.Percents(*r.Lo, *r.Hi, more, less)
}

// changeOf states a ratio as a change with its interval.
func changeOf(r estimate.Estimate) string {
	if !r.Bounded() {
		return figure.Percent(r.Value) + " (no interval)"
	}
	return fmt.Sprintf("%s (%s)", figure.Percent(r.Value), figure.PercentSpan(r.Ends()))
}
