package outcome

import (
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Board returns a row for each name, with the first figure of each kind that is of it alone.
func Board(names []string, all []block.Stat) block.Table {
	out := block.Table{Keys: 1, Columns: []block.Column{{}}}
	rows := make([][]block.Cell, len(names))
	for i, name := range names {
		rows[i] = []block.Cell{{Text: name, Tone: block.Strong}}
	}
	base := ""
	if at := slices.IndexFunc(all, func(s block.Stat) bool { return s.Kind == block.VerdictStat && s.Of != "" }); at >= 0 {
		base = strings.TrimPrefix(all[at].Column, "vs ")
	}
	for kind := block.VerdictStat; kind <= block.CostStat; kind++ {
		of := list.Filter(all, func(s block.Stat) bool { return s.Kind == kind && s.Of != "" })
		if len(of) == 0 {
			continue
		}
		out.Columns = append(out.Columns, block.Column{Name: of[0].Column, Right: true}, block.Column{})
		for i, name := range names {
			at := slices.IndexFunc(of, func(s block.Stat) bool { return s.Of == name && s.Column == of[0].Column })
			if at < 0 {
				text := figure.NoNumber
				if name == base && kind != block.CapacityStat && kind != block.CostStat {
					text = "baseline"
				}
				rows[i] = append(rows[i], block.Cell{Text: text, Tone: block.Dim}, block.Cell{})
				continue
			}
			rows[i] = append(rows[i], block.Cell{Text: of[at].Text, Tone: boardTone(of[at])},
				block.Cell{Text: figure.Joined(of[at].Tag, of[at].Short), Tone: block.Dim})
		}
	}
	out.Rows = rows
	return out
}

// boardTone returns that of a figure: what is better, what is worse, and what to take stands out.
func boardTone(s block.Stat) block.Tone {
	switch {
	case s.Best || s.Tag == finding.Better || s.Tag == finding.Faster:
		return block.Good
	case s.Tag == finding.Worse || s.Tag == finding.Slower:
		return block.Bad
	}
	return block.Strong
}
