package render

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/judge"
)

// countText says on how many pairs or replicates all figures of a table rest;
// "" where that varies.
func countText(cs []judge.Comparison) string {
	unlike := func(c judge.Comparison) bool { return c.N != cs[0].N || c.Paired != cs[0].Paired }
	switch {
	case slices.ContainsFunc(cs, unlike):
		return ""
	case cs[0].Claim == "type" && cs[0].Paired:
		return count(cs[0].N, "pair") + " of instances"
	case cs[0].Claim == "type":
		return count(cs[0].N, "instance") + " a side"
	case cs[0].Paired:
		return count(cs[0].N, "pair")
	}
	return count(cs[0].N, "trial") + " a side"
}

func comparisonTable(cs []judge.Comparison, split paramSplit, a, b string) table {
	const verdictWrap = 12
	t := table{Columns: append(split.columns(), column{Name: "load"}, column{Name: "metric"}), Wrap: verdictWrap, Spare: []string{"estimate", "n"}}
	t.Keys = len(t.Columns)
	t.Columns = append(t.Columns, column{Name: "per"}, column{Name: "change", Right: true})
	if countText(cs) == "" {
		t.Columns = append(t.Columns, column{Name: "n", Right: true})
	}
	t.Columns = append(t.Columns, column{Name: "estimate", Right: true},
		column{Name: a, Right: true}, column{Name: b, Right: true}, column{Name: "verdict"})
	scales := comparedScales(cs)
	for _, c := range cs {
		row := append(split.cells(c.Params), cell{Text: loadText(c.Load)}, cell{Text: c.Metric}, cell{Text: c.Per}, changeCell(c))
		if countText(cs) == "" {
			row = append(row, cell{Text: fmt.Sprint(c.N)})
		}
		u := scales[c.Metric+"\x00"+c.Per]
		u.Unit = strings.TrimSuffix(strings.TrimSuffix(u.Unit, "/core"), "/vCPU") // column "per" says it
		t.Rows = append(t.Rows, append(row, ratioCell(c),
			cell{Text: u.text(c.A, fineDigits)}, cell{Text: u.text(c.B, fineDigits)}, verdictCell(c, a, b)))
	}
	return t
}

// noFigure stands where there is no figure to be had; why is said beside it.
const noFigure = "–"

// ratioCell is a ratio's estimate. A figure that is not positive has no ratio to another one, and 0 would be read as -100 %.
func ratioCell(c judge.Comparison) cell {
	if !rated(c) {
		return cell{noFigure, dim}
	}
	return cell{Text: Percent(c.Ratio)}
}

// rated says whether a comparison has a ratio.
func rated(c judge.Comparison) bool { return isFinite(c.Ratio) && c.Ratio > 0 }

func changeCell(c judge.Comparison) cell {
	if !rated(c) {
		return cell{"no ratio", dim}
	}
	if s := (span{c.Ratio, c.Lo, c.Hi}); !s.bounded() {
		return cell{"no interval", dim}
	}
	look := plain
	if c.Primary {
		look = strong
	}
	return cell{Percent(*c.Lo) + " to " + Percent(*c.Hi), look}
}

func verdictCell(c judge.Comparison, a, b string) cell {
	text, look := string(c.Verdict), verdictInk(c.Verdict)
	switch c.Better {
	case "a":
		text += ", " + a + " better"
	case "b":
		text += ", " + b + " better"
	}
	return cell{text, look}
}

// comparedScales chooses one prefix for each metric and basis of a table.
func comparedScales(cs []judge.Comparison) map[string]scale {
	out := map[string]scale{}
	for _, group := range groupBy(cs, func(c judge.Comparison) string { return c.Metric + "\x00" + c.Per }) {
		var values []float64
		for _, c := range group {
			values = append(values, c.A, c.B)
		}
		out[group[0].Metric+"\x00"+group[0].Per] = scaleFor(group[0].Unit, values...)
	}
	return out
}
