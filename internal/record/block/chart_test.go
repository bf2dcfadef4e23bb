package block

import "testing"

// TestTold: three points of a timeline are marks, what has marks of its own and what is longer stays.
func TestTold(t *testing.T) {
	line := func(n int, shape string) Line {
		return Line{Joined: true, Shape: shape, Step: 1, Y: make([]Number, n), Group: 0, Colour: 1}
	}
	for name, c := range map[string]struct {
		line   Line
		joined bool
	}{
		"three seconds": {line(3, ""), false}, "four seconds": {line(4, ""), true}, "three loads": {line(3, "circle"), true},
		"a limit":     {Line{Joined: true, Faint: true, Y: make([]Number, 2), Group: -1}, true},
		"an interval": {Line{Joined: true, Wide: true, Y: make([]Number, 2)}, true},
	} {
		given := Chart{Lines: []Line{c.line}, Legend: []LegendEntry{{Joined: true}}}
		got := given.Told()
		if got.Lines[0].Joined != c.joined || got.Lines[0].Joined == (got.Lines[0].Shape != c.line.Shape) {
			t.Errorf("%s: %+v", name, got.Lines[0])
		}
		if c.line.Group == 0 && got.Legend[0].Joined != c.joined || !given.Lines[0].Joined || !given.Legend[0].Joined {
			t.Errorf("%s: legend %+v of %+v", name, got.Legend[0], given)
		}
	}
}
