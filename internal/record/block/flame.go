package block

import (
	"fmt"

	"plimsoll/internal/record/figure"
)

// Flame is a flame graph in the form that the page's template and its script use.
type Flame struct {
	ID     string
	Title  string
	Hint   string // the total, and instructions for reading it
	Whole  string // the whole that shares refer to
	What   string // the cost of an operation: "CPU"
	Sides  []string
	Per    []float64 // s of an operation per sample of each side; 0 if unknown
	Tree   *Frame
	Legend []Key
}

// Key is a category of a legend.
type Key struct {
	Class string
	Name  string
	Share float64
}

// Frame is a function called from one particular stack.
type Frame struct {
	Name, Module string
	Category     string   // of nearly all of its samples; "" if several share them
	Tone         int      // its category's colour or, in a difference, up to FullTone more or less on the other side
	N            [2]int64 // samples on either side
	Weight       float64  // determines its drawn width
	Depth        int
	Children     []*Frame
}

// FullTone is the tone of a frame whose cost doubles or halves.
const FullTone = 10

// Walk visits a frame before its callees, each with its place from 0 to 1.
func (n *Frame) Walk(visit func(n *Frame, x, width float64)) {
	n.walkFrom(0, n.Weight, visit)
}

func (n *Frame) walkFrom(x, whole float64, visit func(n *Frame, x, width float64)) {
	visit(n, x/whole, n.Weight/whole)
	for _, child := range n.Children {
		child.walkFrom(x, whole, visit)
		x += child.Weight
	}
}

// Text returns a key's line in the legend.
func (k Key) Text() string {
	if k.Share == 0 {
		return k.Name
	}
	return fmt.Sprintf("%s %s%%", k.Name, figure.PercentOf(k.Share, 1))
}

// Differs reports whether the flame shows a difference.
func (f Flame) Differs() bool { return len(f.Sides) > 1 }
