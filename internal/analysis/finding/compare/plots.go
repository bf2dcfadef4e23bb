package compare

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// forestPlot draws the ratios of whole machines in a pair's primary comparisons, with the band
// within which the sides count as equivalent: from 1/(1+margin) to 1+margin.
// A margin of 0 draws none. The second result is false without a ratio.
func forestPlot(id string, p finding.Pair, margin float64) []block.Plot {
	primary := slices.DeleteFunc(primaryComparisons(p.Verdicts),
		func(c finding.Comparison) bool { return figure.PerUnit(c.Per) != "" || carried(c) })
	if len(primary) == 0 {
		return nil
	}
	values := []float64{1 / (1 + margin), 1, 1 + margin}
	for _, c := range primary {
		values = append(values, c.Change().Values()...)
	}
	a, _ := figure.NewAxis(values)
	a1, b1 := axis.Labels(p.By, p.A, p.B)
	out := block.Plot{
		ID: id, Whiskers: true, Title: "ratio of " + b1 + " to " + a1, Scale: a, Unit: figure.Scale{Factor: 1},
		Axis: fmt.Sprintf("%s / %s", b1, a1), One: new(1.0),
	}
	if margin > 0 {
		out.Band = []float64{1 / (1 + margin), 1 + margin}
		out.Axis += ", band: equivalent within " + figure.PercentOf(margin, 1) + "%"
	}
	if a.Log {
		out.Axis += ", logarithmic"
	}
	labels, common := labelsOf(primary)
	for i, c := range primary {
		row := block.IntervalRow(c.Change())
		row.Label, row.Figure = labels[i], figure.Joined(changeText(c, figure.Scale{}), verdictOfB(c))
		out.Rows = append(out.Rows, row)
	}
	out.Title = strings.Join(figure.NonEmpty(out.Title, common), ": ")
	out.Desc = block.DescribeRows(out.Rows)
	return []block.Plot{out}
}

// carried reports whether both sides did as much as was asked: the throughput of an open loop that either carries is
// its rate.
func carried(c finding.Comparison) bool {
	return c.Open && c.Metric == record.Throughput && c.Verdict == trialset.Equivalent
}

func primaryComparisons(all []finding.Comparison) []finding.Comparison {
	return list.Filter(all, func(c finding.Comparison) bool { return (c.Primary || c.Verdict != "") && rated(c) })
}

// labelsOf returns the benchmark and metric of each comparison, without the words that all have in common, and these
// words. A load that ran once has no word.
func labelsOf(cs []finding.Comparison) (labels []string, common string) {
	splits := map[string]finding.Split{}
	for _, group := range finding.GroupBy(cs, func(c finding.Comparison) string { return c.Workload }) {
		splits[group[0].Workload] = finding.SplitOf(comparedParams(group))
	}
	all := list.Map(cs, func(c finding.Comparison) []string {
		load := finding.LoadText(c.Load)
		if c.Load == string(record.Once) {
			load = ""
		}
		return figure.NonEmpty(c.Workload, splits[c.Workload].Label(c.Shown(), ""), load, c.Metric)
	})
	everywhere := list.Filter(all[0], func(word string) bool {
		return len(cs) > 1 && !slices.ContainsFunc(all, func(words []string) bool { return !slices.Contains(words, word) })
	})
	for _, words := range all {
		labels = append(labels, strings.Join(list.Filter(words, func(s string) bool {
			return !slices.Contains(everywhere, s)
		}), ", "))
	}
	return labels, strings.Join(everywhere, ", ")
}

// verdictOfB returns the verdict on side b; "" without one.
func verdictOfB(c finding.Comparison) string {
	if c.Verdict == "" {
		return ""
	}
	return finding.VerdictWord(c.Verdict, c.Better)
}

// valuePlot draws the ratio of throughput per vCPU, core, dollar and joule, at loads that saturate both machines. The
// second result is false without a figure.
func valuePlot(id string, p finding.Pair) []block.Plot {
	var cs []finding.Comparison
	values := []float64{1}
	for _, c := range primaryComparisons(distinctComparisons(p)) {
		if figure.PerUnit(c.Per) != "" && !idle(c) && cost.Fills(c.Load, p.BasisA) && cost.Fills(c.Load, p.BasisB) {
			cs = append(cs, c)
			values = append(values, c.Change().Values()...)
		}
	}
	if len(cs) == 0 {
		return nil
	}
	a, _ := figure.NewAxis(values)
	a1, b1 := axis.Labels(p.By, p.A, p.B)
	out := block.Plot{
		ID: id, Title: fmt.Sprintf("ratio of %s to %s per vCPU, core, dollar and joule", b1, a1), Whiskers: true,
		Scale: a, Unit: figure.Scale{Factor: 1}, Axis: fmt.Sprintf("%s / %s, at loads that saturate both", b1, a1),
		One: new(1.0),
	}
	if slices.ContainsFunc(cs, func(c finding.Comparison) bool { return c.Estimate }) {
		out.Axis += "; pale: an estimate"
	}
	if a.Log {
		out.Axis += ", logarithmic"
	}
	slices.SortStableFunc(cs, func(x, y finding.Comparison) int { return basisOrder(x.Per) - basisOrder(y.Per) })
	labels, common := labelsOf(cs)
	out.Rows = valueRows(cs, labels, a1, b1)
	out.Title = strings.Join(figure.NonEmpty(out.Title, common), ": ")
	out.Desc = block.DescribeRows(out.Rows)
	return []block.Plot{out}
}

// changeText states the interval of a change in the row of its drawing.
func changeText(c finding.Comparison, u figure.Scale) string {
	if text := changeInterval(c, u).Text; text != noInterval {
		return text
	}
	return "no interval"
}

func valueRows(cs []finding.Comparison, labels []string, a1, b1 string) []block.Row {
	var rows []block.Row
	for i, c := range cs {
		row := block.IntervalRow(c.Change())
		row.Foot = new(1.0)
		row.Guess = c.Estimate
		row.Label = strings.Join(figure.NonEmpty(strings.TrimSpace(figure.PerUnit(c.Per)), labels[i]), ": ")
		u := figure.ScaleFor(figure.UnitOf(c.Counted(), c.Unit), c.A, c.B)
		verdict := verdictOfB(c)
		if c.Estimate {
			verdict = "estimate"
		}
		row.Figure = strings.Join(figure.NonEmpty(changeText(c, u), verdict), ", ")
		row.Tip = strings.Join(
			append(
				[]string{fmt.Sprintf("%s: %s, %s: %s", b1, u.Text(c.B, figure.FineDigits), a1, u.Text(c.A, figure.FineDigits))},
				note.Texts(c.Flags)...), "; ")
		rows = append(rows, row)
	}
	return rows
}

// basisOrder returns the rank of a basis in reports.
func basisOrder(per string) int { return slices.Index([]string{"vcpu", "core", "dollar", "watt"}, per) }
