package sweep

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

// showMemory states the memory bandwidth, if cells are related to it, and draws their shares.
func showMemory(v *finding.View) []block.Block {
	var out []block.Sentence
	for _, c := range v.Cells {
		if m := KindMemoryBandwidth.Of(c); m != nil {
			text := fmt.Sprintf("100%% of memory bandwidth is that of %s: %s", m.Of, figure.Quantity(m.Ceiling, "B/s"))
			if v.Several {
				text = c.Machine + ": " + text
			}
			out = append(out, block.Sentence{Lead: "ceiling", Tone: block.Dim, Text: text})
		}
	}
	return append(finding.Blocks(block.Unique(out)), finding.Blocks(ceilingPlot(v))...)
}

// ceilingPlot draws the share of its machine's memory bandwidth of each cell.
func ceilingPlot(v *finding.View) []block.Plot {
	return finding.SharePlot{
		Suffix: "ceiling", Title: "share of the memory's bandwidth", Axis: "memory traffic, % of the highest measured at " +
			"the same load; dashed: 100%",
		Of: ceilingShare,
	}.Draw(v)
}

func ceilingShare(c finding.Cell) (share estimate.Estimate, text, tip string, ok bool) {
	m := KindMemoryBandwidth.Of(c)
	if m == nil || !figure.IsFinite(m.Share) {
		return share, "", "", false
	}
	share, text = m.Estimate(), figure.PercentOf(m.Share, 1)+"%, no interval"
	if finding.SpanOf(share).Bounded() {
		text = figure.PercentRange(*m.Lo, *m.Hi)
	}
	u := figure.ScaleFor("B/s", m.Traffic, m.Ceiling)
	ceiling := u.Text(m.Ceiling, figure.Digits)
	tip = strings.Join(figure.NonEmpty(
		fmt.Sprintf("%s of traffic are %s of %s", u.Text(m.Traffic, figure.Digits), text, ceiling), m.Of), ", ")
	return share, text + " of " + ceiling, tip, true
}

func memoryRows(c finding.Cell) []finding.Row {
	m := KindMemoryBandwidth.Of(c)
	if m == nil {
		return nil
	}
	return []finding.Row{{Name: "of memory", Value: m.Estimate(), Scale: finding.Percents()}}
}
