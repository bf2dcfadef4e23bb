package html

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// The dimensions of a drawn flame, in CSS pixels; horizontal places are percentages.
const (
	flameRow    = 17
	flameLevels = 24   // drawn for paper and readers without scripts
	flameLeast  = .01  // of the whole: narrower frames are left to the script
	flameNamed  = .035 // narrower ones have no name
)

// flameView is a flame as the page's template draws it.
type flameView struct {
	block.Flame
	Height int
	Frames []frameView
	Left   string // the part that the drawing omits; "" if it is complete
}

type frameView struct {
	X, W  string
	Y     int
	Class string
	Pale  string // opacity of its colour, 0 to 1; "" for full
	Text  string // "" if there is no room
	Tip   string
}

func drawnFlame(f block.Flame) flameView {
	v := flameView{Flame: f}
	below, narrow := false, false
	f.Tree.Walk(func(n *block.Frame, x, width float64) {
		switch {
		case n.Depth >= flameLevels:
			below = below || width >= flameLeast
			return
		case width < flameLeast:
			narrow = true
			return
		}
		frame := frameView{X: svgPercent(x), W: svgPercent(width), Y: n.Depth * flameRow, Tip: frameTip(f, n)}
		frame.Class, frame.Pale = frameLook(f, n)
		if width >= flameNamed {
			frame.Text = ShortFrame(n)
		}
		v.Frames = append(v.Frames, frame)
		v.Height = max(v.Height, (n.Depth+1)*flameRow)
	})
	var left []string
	if below {
		left = append(left, fmt.Sprintf("calls over %d deep", flameLevels-1))
	}
	if narrow {
		left = append(left, fmt.Sprintf("frames of less than %s%%", figure.PercentOf(flameLeast, 0)))
	}
	v.Left = strings.Join(left, " and ")
	return v
}

// frameLook returns the class of a frame and the opacity of its colour.
func frameLook(f block.Flame, n *block.Frame) (class, pale string) {
	switch {
	case !f.Differs():
		return fmt.Sprintf("k%d", n.Tone), ""
	case n.Tone > 0:
		class = "more"
	case n.Tone < 0:
		class = "less"
	default:
		return "none", ""
	}
	return class, figure.Fixed(math.Abs(float64(n.Tone))/block.FullTone, 1)
}

// frameTip returns a frame's tooltip with its cost.
func frameTip(f block.Flame, n *block.Frame) string {
	text := figure.Joined(n.Name, n.Module)
	if f.Differs() {
		for side, name := range f.Sides {
			text += fmt.Sprintf("; %s: %s", name, figure.Quantity(float64(n.N[side])*f.Per[side], "s"))
		}
		return text
	}
	text += fmt.Sprintf("; %s%% %s", figure.PercentOf(float64(n.N[0])/float64(f.Tree.N[0]), 1), f.Whole)
	if f.Per[0] > 0 {
		text += fmt.Sprintf(", %s of %s an operation", figure.Quantity(float64(n.N[0])*f.Per[0], "s"), f.What)
	}
	return text
}

// ShortFrame returns a function's name without its package.
func ShortFrame(n *block.Frame) string {
	name := n.Name
	if n.Module != record.ModuleJava {
		return name[strings.LastIndexByte(name, '/')+1:]
	}
	parts := strings.Split(name, ".")
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}
