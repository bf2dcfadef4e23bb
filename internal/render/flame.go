package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/category"
	"plimsoll/internal/record"
)

// Flame is what was sampled of one cell, in all of its profiled trials together.
type Flame struct {
	Label     string
	Trials    int
	CPU       record.Profile
	Waits     record.Profile
	PerOp     float64 // s of CPU for an operation; 0 where it is not known
	WaitPerOp float64 // s of threads that wait for an operation; 0 where it is not known
}

// FlameDiff is the CPU time of one cell on both sides of a comparison. PerOp of either is known.
type FlameDiff struct {
	Label string
	A, B  FlameSide // A is the baseline
}

// FlameSide is one of them.
type FlameSide struct {
	Name  string
	CPU   record.Profile
	PerOp float64 // s of CPU for an operation
}

// flame is a tree to be drawn, as the page's template and its script take it.
type flame struct {
	ID     string
	Title  string
	Hint   string // how much it is, and how to read it
	Whole  string // what a share is of
	What   string // what an operation costs: "CPU"
	Sides  []string
	Per    []float64 // s of an operation that a sample of each side stands for; 0 where it is not known
	Tree   *flameNode
	Legend []flameKey
}

// flameKey is a category of a legend.
type flameKey struct {
	Class string
	Name  string
	Share float64
}

// flames are those of a page, in order.
func flamesOf(page Page) (cells, diffs []flame) {
	for i, f := range page.Flames {
		id := fmt.Sprintf("flame-%d", i+1)
		if tree, ok := flameTree(f.CPU, category.OfCPU(f.CPU)); ok {
			cells = append(cells, newFlame(id+"-cpu", f.Label+": CPU time", f.CPU, f.Trials, tree, f.PerOp, "of the samples of CPU time", "CPU"))
		}
		if tree, ok := flameTree(byThread(f.Waits), category.OfWaits(f.Waits)); ok {
			cells = append(cells, newFlame(id+"-waits", f.Label+": what its threads wait for", f.Waits, f.Trials, tree, f.WaitPerOp, "of the samples of waiting threads", "waiting"))
		}
	}
	for i, d := range page.FlameDiffs {
		if f, ok := newFlameDiff(fmt.Sprintf("flame-diff-%d", i+1), d); ok {
			diffs = append(diffs, f)
		}
	}
	return cells, diffs
}

func newFlame(id, title string, p record.Profile, trials int, tree *flameNode, perOp float64, whole, what string) flame {
	f := flame{ID: id, Title: title, Whole: whole, What: what, Sides: []string{""}, Tree: tree, Legend: flameLegend(tree)}
	f.Per = []float64{perOp / float64(tree.n[0])}
	f.Hint = fmt.Sprintf("%s of %s, by %s", samplesText(tree.n[0]), count(trials, "trial"), clockText(p))
	if perOp > 0 {
		f.Hint += fmt.Sprintf("; %s of %s an operation", Quantity(perOp, "s"), what)
	}
	return f
}

func newFlameDiff(id string, d FlameDiff) (flame, bool) {
	per := [2]float64{d.A.PerOp / float64(max(d.A.CPU.Samples(), 1)), d.B.PerOp / float64(max(d.B.CPU.Samples(), 1))}
	tree, ok := flameDiffTree(d.A.CPU, d.B.CPU, per)
	return flame{
		ID: id, Title: fmt.Sprintf("%s: CPU time of an operation, %s against %s", d.Label, d.B.Name, d.A.Name), Tree: tree, Per: per[:],
		Hint: fmt.Sprintf("an operation takes %s on %s and %s on %s, %s; as wide as both together", Quantity(d.A.PerOp, "s"), d.A.Name,
			Quantity(d.B.PerOp, "s"), d.B.Name, Percent(d.B.PerOp/d.A.PerOp)),
		What: "CPU", Sides: []string{d.A.Name, d.B.Name},
		Legend: []flameKey{
			{"more", "more on " + d.B.Name + ", full from twice as much on", 0}, {"less", "less, full from half as much on", 0},
			{"none", fmt.Sprintf("no difference beyond %d standard errors of the sampling", noiseSEs), 0},
		},
	}, ok
}

func samplesText(n int64) string {
	if n == 1 {
		return "1 sample"
	}
	return fmt.Sprintf("%d samples", n)
}

func clockText(p record.Profile) string {
	return joined(p.Clock, "every "+periodText(float64(p.PeriodNs)*1e-9))
}

// flameLegend are the categories of a tree, the largest first.
func flameLegend(tree *flameNode) []flameKey {
	var out []flameKey
	for _, c := range slices.SortedFunc(maps.Keys(tree.of), func(a, b category.Name) int {
		return cmp.Or(cmp.Compare(tree.of[b], tree.of[a]), cmp.Compare(a, b))
	}) {
		out = append(out, flameKey{categoryClass(c), string(c), float64(tree.of[c]) / float64(tree.n[0])})
	}
	return append(out, flameKey{categoryClass(""), "several", 0})
}

// colouredCategories have a colour of their own, by their place here.
func colouredCategories() []category.Name {
	return []category.Name{
		category.Application, category.Crypto, category.Compression, category.Checksum, category.Copying, category.KernelNetwork, category.KernelDisk, category.KernelMemory,
		category.Scheduling, category.SystemCalls, category.Collection, category.Compiling, category.Locks, category.Unattributed,
	}
}

// categoryColour is the number of a category's colour; that of several, and of those that have none, is 0.
func categoryColour(c category.Name) int {
	return slices.Index(colouredCategories(), colouredAs(c)) + 1
}

// colouredAs is the category of CPU time whose colour a category of waits has.
func colouredAs(c category.Name) category.Name {
	switch c {
	case category.WaitingDisk:
		return category.KernelDisk
	case category.WaitingNetwork:
		return category.KernelNetwork
	case category.WaitingMemory:
		return category.KernelMemory
	case category.WaitingParked:
		return category.Scheduling
	case category.WaitingIdle:
		return category.SystemCalls
	}
	return c
}

func categoryClass(c category.Name) string { return fmt.Sprintf("k%d", categoryColour(c)) }

// text is a key's line in the legend.
func (k flameKey) Text() string {
	if k.Share == 0 {
		return k.Name
	}
	return fmt.Sprintf("%s %s %%", k.Name, percent(k.Share, 1))
}

// differs reports whether the flame shows a difference.
func (f flame) differs() bool { return len(f.Sides) > 1 }

// flameData are the page's flames for its script. A frame is its name (after a tab its module), its depth, its colour or, of a
// difference, its tone, its category, and its samples on each side.
type flameData struct {
	Names      []string     `json:"names"`
	Categories []string     `json:"categories"`
	Graphs     []flameGraph `json:"graphs"`
}

type flameGraph struct {
	ID     string   `json:"id"`
	Whole  string   `json:"whole,omitempty"`
	What   string   `json:"what"`
	Sides  []string `json:"sides"`
	Per    []figure `json:"per"`
	Frames []int64  `json:"frames"`
}

func newFlameData(all []flame) *flameData {
	if len(all) == 0 {
		return nil
	}
	d := &flameData{Names: []string{}, Categories: []string{"several"}}
	names, categories := map[string]int64{}, map[category.Name]int64{"": 0}
	for _, f := range all {
		g := flameGraph{ID: f.ID, Whole: f.Whole, What: f.What, Sides: f.Sides}
		for _, per := range f.Per {
			g.Per = append(g.Per, figure(per))
		}
		f.Tree.walk(func(n *flameNode, _, _ float64) {
			c := n.category()
			if _, ok := categories[c]; !ok {
				categories[c] = int64(len(d.Categories))
				d.Categories = append(d.Categories, string(c))
			}
			g.Frames = append(g.Frames, d.name(names, n), int64(n.depth), int64(f.tone(n)), categories[c])
			g.Frames = append(g.Frames, n.n[:len(f.Sides)]...)
		})
		d.Graphs = append(d.Graphs, g)
	}
	return d
}

// tone is what a frame's colour is made from.
func (f flame) tone(n *flameNode) int {
	if f.differs() {
		return n.tone
	}
	return categoryColour(n.category())
}

func (d *flameData) name(known map[string]int64, n *flameNode) int64 {
	name := strings.ReplaceAll(n.frame.Name(), "\t", " ") + "\t" + n.frame.Module
	i, ok := known[name]
	if !ok {
		i = int64(len(d.Names))
		known[name] = i
		d.Names = append(d.Names, name)
	}
	return i
}
