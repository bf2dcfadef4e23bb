package compare

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// countText states the number of pairs or replicates of all figures of a table; "" if it varies.
func countText(cs []finding.Comparison) string {
	unlike := func(c finding.Comparison) bool { return c.N != cs[0].N || c.Paired != cs[0].Paired }
	if slices.ContainsFunc(cs, unlike) {
		return ""
	}
	return cs[0].Each().Count(cs[0].N)
}

// sideCell formats a side's value, or its lower bound if that is all there is.
func sideCell(value float64, least *float64, u figure.Scale) block.Cell {
	if least != nil {
		return block.Cell{Text: "at least " + u.Number(*least, figure.FineDigits)}
	}
	return block.Cell{Text: u.Number(value, figure.FineDigits)}
}

// noFigure marks a figure that cannot exist; the reason is stated beside it.
const noFigure = "–"

// ratioCell formats a ratio's estimate. A figure that is not positive has no ratio, and 0 would be read as -100%.
func ratioCell(c finding.Comparison, u figure.Scale) block.Cell {
	if appeared(c) {
		return block.Cell{Text: signed(c.Difference.Value, u)}
	}
	if !rated(c) {
		return block.Cell{Text: noFigure, Tone: block.Dim}
	}
	return block.Cell{Text: figure.Percent(c.Ratio)}
}

// rated reports whether a comparison has a ratio.
func rated(c finding.Comparison) bool { return figure.IsFinite(c.Ratio) && c.Ratio > 0 }

func verdictCell(c finding.Comparison, a, b string) block.Cell {
	text, look := string(c.Verdict), finding.VerdictInk(c.Verdict)
	switch c.Better {
	case "a":
		text += ", " + a + " better"
	case "b":
		text += ", " + b + " better"
	}
	return block.Cell{Text: text, Tone: look}
}

// comparedScales chooses one prefix for each metric and basis of a table.
func comparedScales(cs []finding.Comparison) map[string]figure.Scale {
	out := map[string]figure.Scale{}
	for _, group := range finding.GroupBy(cs, func(c finding.Comparison) string { return c.Metric + "\x00" + c.Per }) {
		var values []float64
		for _, c := range group {
			values = append(values, c.A, c.B)
			for _, least := range []*float64{c.AtLeastA, c.AtLeastB} {
				if least != nil {
					values = append(values, *least)
				}
			}
		}
		out[group[0].Metric+"\x00"+group[0].Per] = figure.ScaleFor(figure.UnitOf(group[0].Counted(), group[0].Unit),
			values...)
	}
	return out
}

// The heads of columns for sides whose names are too long.
const (
	shortA = "base"
	shortB = "other"
)

// comparisonTable returns the table of comparisons: the metrics of each setting and load.
func comparisonTable(cs []finding.Comparison, split finding.Split, a, b string) block.Table {
	scales := comparedScales(cs)
	out := block.Table{Groups: []block.Group{}, Spare: []string{"n", shortA, shortB, "unit"},
		Columns: []block.Column{{Name: "metric"}, {Name: "change", Right: true}, {Name: intervalsText(cs), Right: true},
			{Name: a, Short: shortA, Right: true}, {Name: b, Short: shortB, Right: true}, {Name: "unit"},
		}}
	counted := countText(cs) == ""
	if counted {
		out.Columns = append(out.Columns, block.Column{Name: "n", Right: true})
	}
	for _, group := range finding.GroupBy(cs, func(c finding.Comparison) string {
		return split.Label(c.Shown(), c.Load)
	}) {
		of := block.Group{Head: split.Label(group[0].Shown(), group[0].Load), Said: verdictsOf(group, a, b)}
		for _, c := range figuresFirst(group) {
			row := comparedFigures(c, scales[c.Metric+"\x00"+c.Per])
			if counted {
				row.Cells = append(row.Cells, block.Cell{Text: fmt.Sprint(c.N)})
			}
			if c.Per != finding.PerMachine && c.Verdict != "" {
				row.Said = verdictCell(c, a, b)
			}
			of.Rows = append(of.Rows, row)
		}
		out.Groups = append(out.Groups, of)
	}
	return out
}

// intervalsText heads the column of intervals: by their confidence if it is one.
func intervalsText(cs []finding.Comparison) string {
	for _, c := range cs {
		if c.Confidence != cs[0].Confidence {
			return "CI"
		}
	}
	return finding.SureLead(cs[0].Confidence)
}

// figuresFirst returns the comparisons of whole machines, then those per dollar, watt, core and vCPU.
func figuresFirst(cs []finding.Comparison) []finding.Comparison {
	out := slices.Clone(cs)
	slices.SortStableFunc(out, func(x, y finding.Comparison) int { return basisOrder(x.Per) - basisOrder(y.Per) })
	return out
}

// verdictsOf returns the verdicts on whole machines, with their metrics if there are several.
func verdictsOf(cs []finding.Comparison, a, b string) block.Cell {
	judged := list.Filter(cs, func(c finding.Comparison) bool { return c.Per == finding.PerMachine && c.Verdict != "" })
	if len(judged) == 0 {
		return block.Cell{}
	}
	if len(judged) == 1 {
		return verdictCell(judged[0], a, b)
	}
	return block.Cell{Tone: finding.VerdictInk(judged[0].Verdict),
		Text: figure.Joined(list.Map(judged, func(c finding.Comparison) string {
			return c.Metric + " " + strings.ReplaceAll(verdictCell(c, a, b).Text, ",", ":")
		})...)}
}

// comparedFigures returns the row of a comparison.
func comparedFigures(c finding.Comparison, u figure.Scale) block.Figures {
	unit := strings.TrimSuffix(strings.TrimSuffix(u.Unit, "/core"), "/vCPU") // the metric has it
	change := ratioCell(c, u)
	if c.Primary {
		change.Tone = block.Strong
	}
	return block.Figures{Level: levelOf(c), Cells: []block.Cell{
		{Text: c.Metric + figure.PerUnit(c.Per)}, change, changeInterval(c, u), sideCell(c.A, c.AtLeastA, u),
		sideCell(c.B, c.AtLeastB, u), {Text: unit, Tone: block.Dim},
	}}
}

// noInterval stands for an interval that does not exist.
const noInterval = "none"

// changeInterval formats the interval of a change, with one sign of percent.
func changeInterval(c finding.Comparison, u figure.Scale) block.Cell {
	if appeared(c) {
		return differenceInterval(c, u)
	}
	if s := c.Change(); !rated(c) || !s.Bounded() {
		return block.Cell{Text: noInterval, Tone: block.Dim}
	}
	return block.Cell{Text: figure.PercentSpan(c.Ends())}
}

// differenceInterval formats the interval of a difference, or states that there is none.
func differenceInterval(c finding.Comparison, u figure.Scale) block.Cell {
	if !c.Difference.Bounded() {
		return block.Cell{Text: noInterval, Tone: block.Dim}
	}
	return block.Cell{Text: signed(*c.Difference.Lo, u) + " to " + signed(*c.Difference.Hi, u)}
}

// levelOf returns the level of a comparison's row: what has a verdict is never hidden, of figures per unit those with a
// verdict per dollar or by measured watts are no details.
func levelOf(c finding.Comparison) block.Level {
	switch {
	case appeared(c) && (judged(c) || onOneSide(c) || c.Difference.P <= c.Ranked.Alpha):
		return block.Summary
	case !judged(c) && (!rated(c) || c.Change().TooWide()):
		return block.Noise
	case c.Per == finding.PerMachine:
		return block.Summary
	case c.Primary && !c.Estimate && (c.Per == "dollar" || c.Per == "watt") && (c.Verdict != "" || c.ByEstimate()):
		return block.Summary
	}
	return block.Detail
}
