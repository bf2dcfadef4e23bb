package html

import (
	"math"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
)

// plotData is the figures of a plot, for the CSV that a reader saves.
type plotData struct {
	ID   string    `json:"id"`
	Axis string    `json:"axis"` // its name and unit
	Rows []rowData `json:"rows"`
}

// rowData is a row in the axis' unit. A figure that is not known is null.
type rowData struct {
	Label    string         `json:"label"`
	Text     string         `json:"text"`
	Estimate block.Number   `json:"estimate"`
	Lo       block.Number   `json:"lo"`
	Hi       block.Number   `json:"hi"`
	Runs     []block.Number `json:"runs"` // valid ones
}

func newPlotData(p block.Plot) plotData {
	return plotData{ID: p.ID, Axis: p.Axis, Rows: list.Map(p.Rows, func(r block.Row) rowData {
		none := block.Number(math.NaN())
		out := rowData{Label: r.Label, Text: r.Figure, Estimate: none, Lo: none, Hi: none, Runs: []block.Number{}}
		if r.Span != nil {
			out.Estimate = block.Number(r.Span.Value / p.Unit.Factor)
			out.Lo, out.Hi = block.Numbers(p.Unit, r.Span.Lo)[0], block.Numbers(p.Unit, r.Span.Hi)[0]
		}
		for _, d := range r.Dots {
			if !d.Void {
				out.Runs = append(out.Runs, block.Number(d.Value/p.Unit.Factor))
			}
		}
		return out
	})}
}
