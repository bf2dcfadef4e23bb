package compare

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

// countText states the number of pairs or replicates of all figures of a table; "" if it varies.
func countText(cs []finding.Comparison) string {
	unlike := func(c finding.Comparison) bool { return c.N != cs[0].N || c.Paired != cs[0].Paired }
	switch {
	case slices.ContainsFunc(cs, unlike):
		return ""
	case cs[0].Claim == "type" && cs[0].Paired:
		return figure.Count(cs[0].N, "pair") + " of instances"
	case cs[0].Claim == "type":
		return figure.Count(cs[0].N, "instance") + " a side"
	case cs[0].Paired:
		return figure.Count(cs[0].N, "pair")
	}
	return figure.Count(cs[0].N, "run") + " a side"
}

func comparisonTable(cs []finding.Comparison, split finding.Split, a, b string) block.Table {
	const verdictWrap = 12
	t := block.Table{Columns: append(split.Columns(), block.Column{Name: "load"}, block.Column{Name: "metric"}), Wrap: verdictWrap, Spare: []string{"estimate", "n"}}
	t.Keys = len(t.Columns)
	t.Columns = append(t.Columns, block.Column{Name: "per"}, block.Column{Name: "change", Right: true})
	if countText(cs) == "" {
		t.Columns = append(t.Columns, block.Column{Name: "n", Right: true})
	}
	t.Columns = append(t.Columns, block.Column{Name: "estimate", Right: true},
		block.Column{Name: a, Right: true}, block.Column{Name: b, Right: true}, block.Column{Name: "verdict"})
	scales := comparedScales(cs)
	for _, c := range cs {
		row := append(split.Cells(c.Params), block.Cell{Text: finding.LoadText(c.Load)}, block.Cell{Text: c.Metric}, block.Cell{Text: c.Per}, changeCell(c))
		if countText(cs) == "" {
			row = append(row, block.Cell{Text: fmt.Sprint(c.N)})
		}
		u := scales[c.Metric+"\x00"+c.Per]
		u.Unit = strings.TrimSuffix(strings.TrimSuffix(u.Unit, "/core"), "/vCPU") // column "per" has it
		t.Rows = append(t.Rows, append(row, ratioCell(c),
			sideCell(c.A, c.AtLeastA, u), sideCell(c.B, c.AtLeastB, u), verdictCell(c, a, b)))
	}
	return t
}

// sideCell formats a side's value, or its lower bound if that is all there is.
func sideCell(value float64, least *float64, u figure.Scale) block.Cell {
	if least != nil {
		return block.Cell{Text: "at least " + u.Text(*least, figure.FineDigits)}
	}
	return block.Cell{Text: u.Text(value, figure.FineDigits)}
}

// noFigure marks a figure that cannot exist; the reason is stated beside it.
const noFigure = "–"

// ratioCell formats a ratio's estimate. A figure that is not positive has no ratio, and 0 would be read as -100 %.
func ratioCell(c finding.Comparison) block.Cell {
	if !rated(c) {
		return block.Cell{Text: noFigure, Tone: block.Dim}
	}
	return block.Cell{Text: figure.Percent(c.Ratio)}
}

// rated reports whether a comparison has a ratio.
func rated(c finding.Comparison) bool { return figure.IsFinite(c.Ratio) && c.Ratio > 0 }

func changeCell(c finding.Comparison) block.Cell {
	if !rated(c) {
		return block.Cell{Text: "no ratio", Tone: block.Dim}
	}
	if s := (figure.Span{Value: c.Ratio, Lo: c.Lo, Hi: c.Hi}); !s.Bounded() {
		return block.Cell{Text: "no interval", Tone: block.Dim}
	}
	look := block.Plain
	if c.Primary {
		look = block.Strong
	}
	return block.Cell{Text: figure.Percent(*c.Lo) + " to " + figure.Percent(*c.Hi), Tone: look}
}

func verdictCell(c finding.Comparison, a, b string) block.Cell {
	text, look := string(c.Verdict), verdictInk(c.Verdict)
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
		out[group[0].Metric+"\x00"+group[0].Per] = figure.ScaleFor(figure.UnitOf(group[0].Workload, group[0].Unit), values...)
	}
	return out
}
