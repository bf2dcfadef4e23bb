package html

import (
	"slices"

	"plimsoll/internal/block"
)

// placed returns the blocks of a section in the order of a page: drawings, and panels of drawings, stand before the first
// table, so that a reader sees the shape of the figures first.
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
