package render

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/record"
)

// The measures of a drawn flame, in CSS pixels; places across it are percentages.
const (
	flameRow    = 17
	flameLevels = 24   // that are drawn for paper and readers without scripts
	flameLeast  = .01  // of the whole: narrower frames are left to the script
	flameNamed  = .035 // narrower ones bear no name
)

// flameView is a flame as the page's template draws it.
type flameView struct {
	flame
	Height int
	Frames []frameView
	Left   string // what the drawing leaves out; "" for nothing
}

type frameView struct {
	X, W  string
	Y     int
	Class string
	Pale  string // how much of its colour is seen, 0 to 1; "" for all
	Text  string // "" where there is no room
	Tip   string
}

func drawnFlame(f flame) flameView {
	v := flameView{flame: f}
	below, narrow := false, false
	f.Tree.walk(func(n *flameNode, x, width float64) {
		switch {
		case n.depth >= flameLevels:
			below = below || width >= flameLeast
			return
		case width < flameLeast:
			narrow = true
			return
		}
		frame := frameView{X: svgPercent(x), W: svgPercent(width), Y: n.depth * flameRow, Tip: f.tip(n)}
		frame.Class, frame.Pale = f.look(n)
		if width >= flameNamed {
			frame.Text = shortFrame(n)
		}
		v.Frames = append(v.Frames, frame)
		v.Height = max(v.Height, (n.depth+1)*flameRow)
	})
	var left []string
	if below {
		left = append(left, fmt.Sprintf("what lies over %d calls deep", flameLevels-1))
	}
	if narrow {
		left = append(left, fmt.Sprintf("what takes less than %s %%", percent(flameLeast, 0)))
	}
	v.Left = strings.Join(left, " and ")
	return v
}

// look is the class of a frame, and how much of its colour is seen.
func (f flame) look(n *flameNode) (class, pale string) {
	switch {
	case !f.differs():
		return categoryClass(n.category()), ""
	case n.tone > 0:
		class = "more"
	case n.tone < 0:
		class = "less"
	default:
		return "none", ""
	}
	return class, fixed(math.Abs(float64(n.tone))/fullTone, 1)
}

// tip says what a frame takes.
func (f flame) tip(n *flameNode) string {
	text := joined(n.frame.Name(), n.frame.Module)
	if f.differs() {
		for side, name := range f.Sides {
			text += fmt.Sprintf("; %s: %s", name, Quantity(float64(n.n[side])*f.Per[side], "s"))
		}
		return text
	}
	text += fmt.Sprintf("; %s %% %s", percent(float64(n.n[0])/float64(f.Tree.n[0]), 1), f.Whole)
	if f.Per[0] > 0 {
		text += fmt.Sprintf(", %s of %s an operation", Quantity(float64(n.n[0])*f.Per[0], "s"), f.What)
	}
	return text
}

// shortFrame is a function without its package.
func shortFrame(n *flameNode) string {
	name := n.frame.Name()
	if n.frame.Module != record.ModuleJava {
		return name[strings.LastIndexByte(name, '/')+1:]
	}
	parts := strings.Split(name, ".")
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}
