package outcome

import (
	"fmt"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/answers"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Matrix returns the primary figures of several machines side by side, a row for each setting and load; empty for
// one machine, or where no setting ran on two.
func Matrix(machines []string, s finding.Shown) []block.Section {
	if len(machines) < 2 {
		return nil
	}
	primary := list.Filter(s.Workloads, inMatrix(s.Workloads))
	t := block.Table{Keys: 1, Columns: []block.Column{{Name: "setting"}, {Name: "metric"}}}
	for _, m := range machines {
		t.Columns = append(t.Columns, block.Column{Name: m, Right: true})
	}
	t.Columns = append(t.Columns, block.Column{Name: "unit"})
	for _, of := range finding.GroupBy(primary, func(c finding.Cell) string { return c.Workload }) {
		split := finding.SplitOf(finding.ParamsOf(of))
		for _, row := range finding.GroupBy(of, func(c finding.Cell) string {
			return fmt.Sprint(c.Params, c.Load, c.Metric, c.Unit)
		}) {
			if len(row) > 1 {
				t.Rows = append(t.Rows, matrixRow(row, split, machines))
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []block.Section{
		{Title: "Overview", Fixed: "bold: better than all others, without overlap of the confidence intervals",
			Level: block.PartLevel, Blocks: []block.Block{t}}}
}

// inMatrix returns a test for the cells that a matrix shows: the primary metric. The throughput of an open loop is its
// target rate, so its cell shows the p99 of latency if that is known.
func inMatrix(all []finding.Cell) func(finding.Cell) bool {
	key := func(c finding.Cell) string { return fmt.Sprint(c.Workload, c.Params, c.Load) }
	timed := map[string]bool{}
	for _, c := range all {
		if c.Metric == record.LatencyP99 && c.N > 0 && finding.AtRate(c.Load, c.Counted()) != "" {
			timed[key(c)] = true
		}
	}
	return func(c finding.Cell) bool {
		if !timed[key(c)] {
			return c.Primary
		}
		return c.Metric == record.LatencyP99
	}
}

func matrixRow(cells []finding.Cell, split finding.Split, machines []string) []block.Cell {
	first := cells[0]
	values := make([]float64, 0, len(cells))
	for _, c := range cells {
		if c.N > 0 {
			values = append(values, c.Value)
		}
	}
	u := figure.ScaleFor(figure.UnitOf(first.Counted(), first.Unit), values...)
	out := []block.Cell{{Text: figure.Joined(first.Workload, split.Behind(first.Shown(), first.Load))},
		{Text: first.Metric, Tone: block.Dim}}
	of := map[string][]finding.Cell{}
	for _, c := range cells {
		of[c.Machine] = append(of[c.Machine], c)
	}
	for _, m := range machines {
		out = append(out, matrixCell(of[m], cells, u))
	}
	return append(out, block.Cell{Text: u.Unit, Tone: block.Dim})
}

func matrixCell(of, among []finding.Cell, u figure.Scale) block.Cell {
	switch {
	case len(of) == 0:
		return block.Cell{Text: figure.NoNumber, Tone: block.Dim}
	case of[0].N == 0:
		return block.Cell{Text: "no valid run", Tone: block.Bad}
	}
	text := u.Number(of[0].Value, figure.FineDigits)
	if of[0].AtLeast {
		text = "≥ " + text
	}
	if bestOfAll(of[0], among) {
		return block.Cell{Text: text, Tone: block.Strong}
	}
	return block.Cell{Text: text}
}

// bestOfAll reports whether a cell's interval lies beyond those of all others, which did the same work.
func bestOfAll(c finding.Cell, among []finding.Cell) bool {
	if !c.Bounded() {
		return false
	}
	for _, o := range among {
		if o.Machine == c.Machine {
			continue
		}
		switch {
		case !o.Bounded() || !answers.Alike(c, o):
			return false
		case c.Better == record.Higher && *c.Lo > *o.Hi, c.Better == record.Lower && *c.Hi < *o.Lo:
		default:
			return false
		}
	}
	return true
}
