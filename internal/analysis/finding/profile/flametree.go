package profile

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

const (
	leastFrame = 1e-3 // of the whole: smaller siblings share one frame
	clearShare = 0.9  // of a frame's samples: the least share of the category that colours it
	noiseSEs   = 2    // standard errors of sampling within which two sides count as equal
)

// flameNode is a function at a position in a stack, with the samples of one side or two.
type flameNode struct {
	frame  record.Frame
	n      [2]int64
	weight float64 // its width
	tone   int     // of a difference: up to FullTone more or less on the other side; 0 within the noise
	depth  int
	of     []categorized
	kept   []*flameNode // the children drawn
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

// sampled is a stack below a node, with the frames that are not in nodes yet.
type sampled struct {
	frames   []record.Frame // innermost first
	category category.Name
	side     int // 0 or 1
	n        int64
}

// outermost returns the frame that the next node is of: a method is one frame, interpreted or not.
func (s sampled) outermost() record.Frame {
	f := s.frames[len(s.frames)-1]
	f.Code = ""
	return f
}

// sampledOf returns the stacks of a side, whose categories are given.
func sampledOf(p record.Profile, categories []category.Name, side int) []sampled {
	out := make([]sampled, len(p.Stacks))
	for i, s := range p.Stacks {
		out[i] = sampled{s.Shown(), categories[i], side, s.N}
	}
	return out
}

func (n *flameNode) categorize(c category.Name, samples int64) {
	at := slices.IndexFunc(n.of, func(o categorized) bool { return o.name == c })
	if at < 0 {
		at = len(n.of)
		n.of = append(n.of, categorized{name: c})
	}
	n.of[at].n += samples
}

// group returns the stacks by their next frame, without those that end here.
func group(all []sampled) [][]sampled {
	all = slices.DeleteFunc(all, func(s sampled) bool { return len(s.frames) == 0 })
	if len(all) == 0 {
		return nil
	}
	first := all[0].outermost() // most nodes have one callee, for which a map takes longer than the rest
	if !slices.ContainsFunc(all, func(s sampled) bool { return s.outermost() != first }) {
		return [][]sampled{all}
	}
	at := map[record.Frame]int{}
	var out [][]sampled
	for _, s := range all {
		i, ok := at[s.outermost()]
		if !ok {
			i = len(out)
			at[s.outermost()] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], s)
	}
	return out
}

// grow counts the stacks of a node and makes the nodes below it, with the cost of a sample on either side: those of at
// least a width, and one for the others.
func (n *flameNode) grow(all []sampled, per [2]float64, least float64) {
	for _, s := range all {
		n.n[s.side] += s.n
		n.categorize(s.category, s.n)
	}
	n.measure(per)
	if n.weight < least {
		return // it will be one of the others
	}
	rest := newNode(record.Frame{Function: frameSmaller}, n.depth+1)
	for _, same := range group(all) {
		child := newNode(same[0].outermost(), n.depth+1)
		for i := range same {
			same[i].frames = same[i].frames[:len(same[i].frames)-1]
		}
		if child.grow(same, per, least); child.weight >= least {
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
	f := &block.Frame{Name: n.frame.Name(), Module: n.frame.Module, Category: string(n.Category()), Tone: n.tone, N: n.n,
		Weight: n.weight, Depth: n.depth}
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
	return treeOf(sampledOf(p, categories, 0), [2]float64{1, 0}), p.Samples() > 0
}

// flameDiffTree returns the tree of two profiles, with the CPU time per operation of a sample of each. A frame's width
// is the sum of both, which shows frames of one side too.
func flameDiffTree(a, b record.Profile, per [2]float64, sorted *category.Memory) (*flameNode, bool) {
	all := slices.Concat(sampledOf(a, sorted.OfCPU(a), 0), sampledOf(b, sorted.OfCPU(b), 1))
	return treeOf(all, per), a.Samples() > 0 && b.Samples() > 0 && per[0] > 0 && per[1] > 0
}

func treeOf(all []sampled, per [2]float64) *flameNode {
	whole := 0.
	for _, s := range all {
		whole += float64(s.n) * per[s.side]
	}
	root := newNode(record.Frame{Function: frameAll}, 0)
	root.grow(all, per, leastFrame*whole)
	return root
}
