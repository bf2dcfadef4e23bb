package render

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// resultsTable returns the table of results: the metrics of each setting and load.
func resultsTable(v *finding.View, with []finding.Analyzer) block.Table {
	v.Cells = tabled(v.Cells)
	scales := scalesOf(v.Cells)
	out := block.Table{Groups: []block.Group{}, Spare: []string{"runs"}, Columns: []block.Column{
		{Name: "metric"}, {Name: "estimate", Right: true}, {Name: "95% CI", Right: true}, {Name: "runs", Right: true}}}
	kinds := finding.VaryingTraits(finding.TraitsOf(v.Cells))
	for i, c := range v.Cells {
		head := v.Place(c)
		for _, k := range kinds {
			head = figure.Joined(head, figure.Joined(k.Texts[i]))
		}
		if last := len(out.Groups) - 1; last < 0 || out.Groups[last].Head != head {
			out.Groups = append(out.Groups, block.Group{Head: head})
		}
		group := &out.Groups[len(out.Groups)-1]
		group.Rows = append(group.Rows, figures(c, scales.of(c), zero(v.Cells, c.Metric)))
		group.Rows = append(group.Rows, derivedFigures(c, with)...)
	}
	return out
}

// figures returns the row of a metric.
func figures(c finding.Cell, u figure.Scale, zero bool) block.Figures {
	look := block.Plain
	if c.Primary {
		look = block.Strong
	}
	s := c.Estimate
	out := block.Figures{Cells: []block.Cell{
		{Text: c.Metric}, {Text: s.Estimate(u), Tone: look}, {Text: s.BareInterval(u)},
		{Text: fmt.Sprint(c.N), Tone: block.Dim}}}
	switch {
	case c.N == 0:
		out.Cells[1] = block.Cell{Text: "no valid run", Tone: block.Bad}
	case c.AtLeast:
		out.Cells[1].Text = "at least " + s.Estimate(u)
	case !s.Bounded():
		out.Cells[2] = noInterval(c.N)
	}
	if !c.Primary && (zero || s.TooWide() && !asked(c.Metric)) {
		out.Level = block.Noise
	}
	return out
}

// asked reports whether a metric is what a load is run for, a rate or a percentile, which its reader wants to see
// however wide its interval is.
func asked(metric string) bool {
	name := metric
	if at := strings.LastIndex(metric, "_p"); at >= 0 {
		name = metric[at+1:]
	}
	_, percentile := record.ParsePercentile(name)
	return percentile || strings.HasSuffix(metric, record.Throughput) || strings.HasSuffix(metric, record.IOPS)
}

func noInterval(n int) block.Cell {
	text := "none"
	if n < figure.MinReplicates {
		text = fmt.Sprintf("none, %s needed", figure.Run.Count(figure.MinReplicates))
	}
	return block.Cell{Text: text, Tone: block.Dim}
}

// zero reports whether a metric is 0 in all cells.
func zero(cells []finding.Cell, metric string) bool {
	return !slices.ContainsFunc(cells, func(c finding.Cell) bool {
		return c.Metric == metric && slices.ContainsFunc(c.Estimate.Values(),
			func(v float64) bool { return v != 0 })
	})
}

// derivedFigures returns the rows of a cell that depend on other cells.
func derivedFigures(c finding.Cell, with []finding.Analyzer) []block.Figures {
	var out []block.Figures
	for _, a := range with {
		if a.Rows == nil {
			continue
		}
		out = append(out, list.Map(a.Rows(c), func(r finding.Row) block.Figures {
			s := r.Value
			row := block.Figures{Cells: []block.Cell{
				{Text: r.Name}, {Text: s.Estimate(r.Scale)}, {Text: s.BareInterval(r.Scale)}, {}}}
			if !s.Bounded() {
				row.Cells[2] = noInterval(0)
			}
			if s.TooWide() {
				row.Level = block.Noise
			}
			return row
		})...)
	}
	return out
}

// tabled omits memory traffic: if a workload reports it, it is throughput times a constant, and its share of the memory
// bandwidth is more useful. It also omits the sampled states of a database's backends: a sentence on the bottleneck has
// them.
func tabled(cells []finding.Cell) []finding.Cell {
	watched := []string{record.WatchCPU}
	for _, class := range record.WaitClasses() {
		watched = append(watched, record.WaitShare(class))
	}
	rest := func(c finding.Cell) bool {
		return (c.Metric == record.MemoryTraffic || slices.Contains(watched, c.Metric)) && !c.Primary
	}
	return slices.DeleteFunc(slices.Clone(cells), rest)
}
