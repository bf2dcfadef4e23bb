package profile

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/category"
	"plimsoll/internal/record"
)

const (
	leastFrame = 1e-3 // of the whole: smaller siblings share one frame
	clearShare = 0.9  // of a frame's samples: the least share of the category that colours it
	noiseSEs   = 2    // standard errors of sampling within which two sides count as equal
)

// flameNode is a function at a position in a stack, with the samples of one side or two.
type flameNode struct {
	frame    record.Frame
	n        [2]int64
	weight   float64 // its width
	tone     int     // of a difference: up to FullTone more or less on the other side; 0 within the noise
	depth    int
	of       []categorized
	children []*flameNode
	index    map[record.Frame]*flameNode // of the children, if they are many
	kept     []*flameNode                // the children drawn
}

// categorized is the samples of a category.
type categorized struct {
	name category.Name
	n    int64
}

// The frames without a function.
const (
	frameAll      = "all"
	frameSmaller  = "(smaller ones)"
	frameNoThread = "(a thread without a name)"
	moduleThread  = "thread"
)

func newNode(f record.Frame, depth int) *flameNode {
	return &flameNode{frame: f, depth: depth}
}

// child returns the child of a frame. Most nodes have one or two, for which a map each takes longer than the rest.
func (n *flameNode) child(f record.Frame) *flameNode {
	const few = 8
	if n.index != nil {
		if c := n.index[f]; c != nil {
			return c
		}
	} else if at := slices.IndexFunc(n.children, func(c *flameNode) bool { return c.frame == f }); at >= 0 {
		return n.children[at]
	}
	c := newNode(f, n.depth+1)
	n.children = append(n.children, c)
	if n.index == nil && len(n.children) > few {
		n.index = map[record.Frame]*flameNode{}
		for _, c := range n.children {
			n.index[c.frame] = c
		}
	}
	if n.index != nil {
		n.index[f] = c
	}
	return c
}

// addStacks adds a profile's samples to a side, 0 or 1. The categories are those of its stacks.
func (n *flameNode) addStacks(p record.Profile, categories []category.Name, side int) {
	for i, s := range p.Stacks {
		c, at := categories[i], n
		at.count(c, side, s.N)
		for _, f := range slices.Backward(s.Shown()) {
			f.Code = "" // a method is one frame, interpreted or not
			at = at.child(f)
			at.count(c, side, s.N)
		}
	}
}

func (n *flameNode) count(c category.Name, side int, samples int64) {
	n.n[side] += samples
	n.categorize(c, samples)
}

func (n *flameNode) categorize(c category.Name, samples int64) {
	at := slices.IndexFunc(n.of, func(o categorized) bool { return o.name == c })
	if at < 0 {
		at = len(n.of)
		n.of = append(n.of, categorized{name: c})
	}
	n.of[at].n += samples
}

// weigh sets each node's width by the cost of a sample on either side, and keeps the children of at least that width.
func (n *flameNode) weigh(per [2]float64, least float64) {
	n.measure(per)
	rest := newNode(record.Frame{Function: frameSmaller}, n.depth+1)
	for _, child := range n.children {
		child.weigh(per, least)
		if child.weight >= least {
			n.kept = append(n.kept, child)
			continue
		}
		rest.take(child)
	}
	slices.SortFunc(n.kept, func(a, b *flameNode) int {
		return cmp.Or(cmp.Compare(a.frame.Function, b.frame.Function), cmp.Compare(a.frame.Module, b.frame.Module))
	})
	if rest.measure(per); rest.weight >= least {
		n.kept = append(n.kept, rest)
	}
}

func (n *flameNode) measure(per [2]float64) {
	n.weight = float64(n.n[0])*per[0] + float64(n.n[1])*per[1]
	n.tone = toneOf(float64(n.n[0]), float64(n.n[1]), per)
}

// take adds another node's samples.
func (n *flameNode) take(other *flameNode) {
	for side, samples := range other.n {
		n.n[side] += samples
	}
	for _, c := range other.of {
		n.categorize(c.name, c.n)
	}
}

// toneOf returns the excess cost of side 1 over side 0, from -FullTone to FullTone: the logarithm of the ratio per
// operation, 0 if the difference is within noiseSEs standard errors of the counts, assumed to be Poisson.
func toneOf(a, b float64, per [2]float64) int {
	if per[0] == 0 || per[1] == 0 {
		return 0
	}
	costA, costB := a*per[0], b*per[1]
	if math.Abs(costB-costA) <= noiseSEs*math.Sqrt(a*per[0]*per[0]+b*per[1]*per[1]) {
		return 0
	}
	ratio := math.Log2(costB / costA) // infinite if one side has no samples
	tone := math.Round(math.Abs(ratio) * block.FullTone)
	return int(math.Copysign(min(max(tone, 1), block.FullTone), ratio))
}

// Category returns the category of nearly all of a node's samples; "" if there is none.
func (n *flameNode) Category() category.Name {
	total := n.n[0] + n.n[1]
	for _, c := range n.of {
		if float64(c.n) >= clearShare*float64(total) {
			return c.name
		}
	}
	return ""
}

// Drawn returns the visible part of the tree, of one profile or of the difference of two.
func (n *flameNode) Drawn(differs bool) *block.Frame {
	f := &block.Frame{Name: n.frame.Name(), Module: n.frame.Module, Category: string(n.Category()), Tone: n.tone, N: n.n, Weight: n.weight, Depth: n.depth}
	if !differs {
		f.Tone = categoryColour(n.Category())
	}
	for _, child := range n.kept {
		f.Children = append(f.Children, child.Drawn(differs))
	}
	return f
}

// byThread places stacks below the names of their threads, without the numbers in these: a pool is one frame.
func byThread(p record.Profile) record.Profile {
	stacks := make([]record.Stack, len(p.Stacks))
	for i, s := range p.Stacks {
		name := category.PoolOf(s.Thread)
		s.Frames = append(slices.Clone(s.Frames), record.Frame{Function: cmp.Or(name, frameNoThread), Module: moduleThread})
		stacks[i] = s
	}
	p.Stacks = stacks
	return p
}

// flameTree returns the tree of one profile; false without samples.
func flameTree(p record.Profile, categories []category.Name) (*flameNode, bool) {
	root := newNode(record.Frame{Function: frameAll}, 0)
	root.addStacks(p, categories, 0)
	root.weigh([2]float64{1, 0}, leastFrame*float64(root.n[0]))
	return root, root.n[0] > 0
}

// flameDiffTree returns the tree of two profiles, with the CPU time per operation of a sample of each. A frame's width
// is the sum of both, which shows frames of one side too.
func flameDiffTree(a, b record.Profile, per [2]float64) (*flameNode, bool) {
	root := newNode(record.Frame{Function: frameAll}, 0)
	root.addStacks(a, category.OfCPU(a), 0)
	root.addStacks(b, category.OfCPU(b), 1)
	root.weigh(per, leastFrame*(float64(root.n[0])*per[0]+float64(root.n[1])*per[1]))
	return root, root.n[0] > 0 && root.n[1] > 0 && per[0] > 0 && per[1] > 0
}
