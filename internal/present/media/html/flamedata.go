package html

import (
	"slices"
	"strings"

	"plimsoll/internal/record/block"
)

// FlameData holds the page's flames for its script. A frame is encoded as its name (after a tab its module), its depth,
// its colour or, in a difference, its tone, its category, and its samples on each side.
type FlameData struct {
	Names      []string     `json:"names"`
	Categories []string     `json:"categories"`
	Graphs     []flameGraph `json:"graphs"`
}

type flameGraph struct {
	ID     string         `json:"id"`
	Whole  string         `json:"whole,omitempty"`
	What   string         `json:"what"`
	Sides  []string       `json:"sides"`
	Per    []block.Number `json:"per"`
	Frames []int64        `json:"frames"`
}

func newFlameData(all []block.Flame) *FlameData {
	if len(all) == 0 {
		return nil
	}
	d := &FlameData{Names: []string{}, Categories: []string{"several"}}
	names, categories := map[string]int64{}, map[string]int64{"": 0}
	for _, f := range all {
		g := flameGraph{ID: f.ID, Whole: f.Whole, What: f.What, Sides: f.Sides}
		for _, per := range f.Per {
			g.Per = append(g.Per, block.Number(per))
		}
		f.Tree.Walk(func(n *block.Frame, _, _ float64) {
			c := n.Category
			if _, ok := categories[c]; !ok {
				categories[c] = int64(len(d.Categories))
				d.Categories = append(d.Categories, c)
			}
			g.Frames = append(g.Frames, d.name(names, n), int64(n.Depth), int64(n.Tone), categories[c])
			g.Frames = append(g.Frames, n.N[:len(f.Sides)]...)
		})
		d.Graphs = append(d.Graphs, g)
	}
	return d
}

func (d *FlameData) name(known map[string]int64, n *block.Frame) int64 {
	name := strings.ReplaceAll(n.Name, "\t", " ") + "\t" + n.Module
	i, ok := known[name]
	if !ok {
		i = int64(len(d.Names))
		known[name] = i
		d.Names = append(d.Names, name)
	}
	return i
}

// placed returns the blocks of a section in the order of a page: drawings, and panels of drawings, stand before the
// first table, so that a reader sees the shape of the figures first.
func placed(all []block.Block) []block.Block {
	first := slices.IndexFunc(all, func(b block.Block) bool { _, ok := b.(block.Table); return ok })
	if first < 0 {
		return all
	}
	out := slices.Clone(all)
	slices.SortStableFunc(out[first:], func(a, b block.Block) int { return late(a) - late(b) })
	return out
}

// late returns 0 for a drawing and 1 for another block.
func late(b block.Block) int {
	switch b := b.(type) {
	case block.Chart, block.Plot, block.Flame:
		return 0
	case block.Section:
		if b.Class == block.Panels {
			return 0
		}
	}
	return 1
}

// sideBySide reports whether a class puts blocks into columns of the page.
func sideBySide(class string) bool { return class == block.Panels || class == block.Cards }
