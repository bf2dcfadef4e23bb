package render

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding/bottleneck"
)

// Overlaid is what several machines carried of the same load, second by second, in one trial of each.
type Overlaid struct {
	Title string
	Unit  string
	Sides []OverlaidSide
}

// OverlaidSide is one machine's trial.
type OverlaidSide struct {
	Machine string
	bottleneck.Track
}

// overlaidChart draws them over one axis of time, with a word where a checkpoint began. The second result is false without a value.
func overlaidChart(id string, o Overlaid, machines []string) (block.Chart, bool) {
	top, end := 0.0, 0.0
	for _, s := range o.Sides {
		end = math.Max(end, s.Step*float64(len(s.Ops)))
		for _, v := range s.Ops {
			top = math.Max(top, v/s.Step)
		}
	}
	if top == 0 {
		return block.Chart{}, false
	}
	ch := block.Chart{ID: id, Title: o.Title + ": throughput in each second", X: block.Axis{Name: "time", Unit: "s", Hi: block.Number(end)}, Hint: "one trial of each machine"}
	var u figure.Scale
	ch.Y, u = block.FromZero("", o.Unit, top)
	style := block.NewStyler(machines, true)
	var said []string
	for i, s := range o.Sides {
		look := style.Next(s.Machine)
		look.Name, look.Group, look.Joined, look.Step, look.Shape = s.Machine, i, true, block.Number(s.Step), ""
		for _, v := range s.Ops {
			look.Y = append(look.Y, block.Number(v/s.Step/u.Factor))
		}
		look.Notes = checkpointNotes(s.Track, look)
		ch.Lines = append(ch.Lines, look)
		said = append(said, fmt.Sprintf("%s: %s in %s, %s", s.Machine, u.Text(meanRate(s.Track), figure.Digits), figure.Seconds(s.Step*float64(len(s.Ops))), figure.Count(len(look.Notes), "checkpoint")))
	}
	ch.Legend, ch.Desc = block.LegendOf(ch.Lines), strings.Join(said, "; ")
	return ch, true
}

func meanRate(t bottleneck.Track) float64 {
	sum := 0.0
	for _, v := range t.Ops {
		sum += v
	}
	return sum / t.Step / float64(len(t.Ops))
}

// checkpointNotes are words at a line where checkpoints began, with what brought them about.
func checkpointNotes(t bottleneck.Track, line block.Line) []block.Word {
	var out []block.Word
	for _, m := range t.Marks {
		i := int(m.From / t.Step)
		if m.What == bottleneck.BesideCheckpoint && m.From >= 0 && i < len(line.Y) && len(out) < mostNames {
			out = append(out, block.Word{X: block.Number(m.From), Y: line.Y[i], Text: m.What + " (" + m.Detail + ")"})
		}
	}
	return out
}
