package finding

import (
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// TimeChart completes a chart over time: it lays out the axes from 0 s to the end and from zero to somewhat above the
// highest value, and scales the lines, given in the unit, to them. It reports false if no value is above zero.
func TimeChart(ch block.Chart, unit string, end, room float64) (block.Chart, figure.Scale, bool) {
	top := 0.0
	for _, l := range ch.Lines {
		for _, y := range l.Y {
			if figure.IsFinite(float64(y)) {
				top = max(top, float64(y))
			}
		}
	}
	if !(end > 0) || top == 0 {
		return block.Chart{}, figure.Scale{}, false
	}
	var u figure.Scale
	ch.X = block.Axis{Name: "time", Unit: "s", Hi: block.Number(end)}
	ch.Y, u = block.FromZero("", unit, room*top)
	for _, l := range ch.Lines {
		for i := range l.Y {
			l.Y[i] /= block.Number(u.Factor)
		}
		for i := range l.Notes {
			l.Notes[i].Y /= block.Number(u.Factor)
		}
	}
	ch.Legend, ch.Desc = block.LegendOf(ch.Lines), fmt.Sprintf("over %s, at most %s", figure.Seconds(end),
		figure.Quantity(top, unit))
	return ch, u, true
}

// TimeLine returns a line in a given style with values in steps of time.
func TimeLine(look block.Line, step float64, values []float64) block.Line {
	look.Joined, look.Shape, look.Step = true, "", block.Number(step)
	for _, v := range values {
		look.Y = append(look.Y, block.Number(v))
	}
	return look
}

// LatestOfCells returns the last valid trial of each cell, among those that count and are wanted, in the order in which
// the cells came first.
func LatestOfCells(trials []record.Trial, wanted func(record.Trial) bool) []record.Trial {
	place := map[string]int{}
	var out []record.Trial
	for _, t := range trials {
		if !t.Measures() || !wanted(t) {
			continue
		}
		at := fmt.Sprint(t.Keys[record.KeyMachine], t.Plan, t.Cell)
		i, ok := place[at]
		if !ok {
			place[at] = len(out)
			out = append(out, t)
			continue
		}
		out[i] = t
	}
	return out
}

// AtMost returns the first of several items, and a note with the number of those left out if there are more.
func AtMost[T any](all []T, most int, code note.Code) ([]T, []note.Note) {
	if len(all) <= most {
		return all, nil
	}
	return all[:most], []note.Note{note.New(code, len(all)-most)}
}
