package block

import (
	"strings"
)

// SeriesColours is how many colours the page has for machines.
const SeriesColours = 8

// IndexOf returns the place of a name, 0 if it is not among them.
func IndexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return 0
}

// DescribeLines says in words what a chart's points are.
func DescribeLines(lines []Line) string {
	var out []string
	for _, l := range lines {
		if len(l.Tips) > 0 {
			out = append(out, l.Name+": "+strings.Join(l.Tips, "; "))
		}
	}
	return strings.Join(out, ". ")
}

// Styler gives lines their looks: a machine has its colour and shape on all of
// the page, its further lines have other dashes. Where there is one machine, its
// lines tell themselves apart by colour.
type Styler struct {
	machines []string
	several  bool
	drawn    map[string]int
}

// NewStyler returns the looks of the lines of machines.
func NewStyler(machines []string, several bool) Styler {
	return Styler{machines, several, map[string]int{}}
}

// Next is the look of a machine's next line.
func (s Styler) Next(machine string) Line {
	nth := s.drawn[machine]
	s.drawn[machine]++
	look, dash := IndexOf(s.machines, machine), nth
	if !s.several {
		look, dash = look+nth, 0
	}
	list := Shapes()
	return Line{Colour: look % SeriesColours, Shape: list[look%len(list)], Dash: (dash + look/len(list)) % Dashes}
}

// LegendOf lists a chart's groups of lines; a single one needs none.
func LegendOf(lines []Line) []LegendEntry {
	var out []LegendEntry
	for _, l := range lines {
		if l.Group == len(out) {
			out = append(out, LegendEntry{Name: l.Name, Colour: l.Colour, Shape: l.Shape, Dash: l.Dash, Joined: l.Joined})
		}
	}
	return out
}
