package render

import (
	"plimsoll/internal/block"
)

// styler gives lines their looks: a machine has its colour and shape on all of
// the page, its further lines have other dashes. Where there is one machine, its
// lines tell themselves apart by colour.
type styler struct {
	machines []string
	several  bool
	drawn    map[string]int
}

func newStyler(machines []string, several bool) styler {
	return styler{machines, several, map[string]int{}}
}

// next is the look of a machine's next line.
func (s styler) next(machine string) block.Line {
	nth := s.drawn[machine]
	s.drawn[machine]++
	look, dash := indexOf(s.machines, machine), nth
	if !s.several {
		look, dash = look+nth, 0
	}
	list := block.Shapes()
	return block.Line{Colour: look % seriesColours, Shape: list[look%len(list)], Dash: (dash + look/seriesColours) % block.Dashes}
}

// legendOf lists a chart's groups of lines; a single one needs none.
func legendOf(lines []block.Line) []block.LegendEntry {
	var out []block.LegendEntry
	for _, l := range lines {
		if l.Group == len(out) {
			out = append(out, block.LegendEntry{Name: l.Name, Colour: l.Colour, Shape: l.Shape, Dash: l.Dash, Joined: l.Joined})
		}
	}
	return out
}
