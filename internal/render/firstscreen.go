package render

import (
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/finding/outcome"
	"plimsoll/internal/list"
)

// mostStats is the maximum number of cards of one kind on a page, and of machines or levels that cards tell of: results
// of more stand in a table.
const mostStats = 3

// firstResults returns the results of a page's first screen: cards, or a table of many machines or levels.
func firstResults(all []block.Stat) []block.Block {
	var names []string
	for _, s := range slices.SortedStableFunc(slices.Values(all),
		func(a, b block.Stat) int { return int(b.Kind) - int(a.Kind) }) {
		if s.Of != "" && !slices.Contains(names, s.Of) {
			names = append(names, s.Of)
		}
	}
	if len(names) > mostStats {
		return []block.Block{outcome.Board(names, all)}
	}
	return chiefStats(all)
}

// isBoard reports whether a section is a table of results.
func isBoard(s block.Section) bool {
	return s.Class == block.Stats && len(block.Of[block.Table](s.Blocks)) > 0
}

// chiefStats returns the cards of a page in the order of their kinds, of each kind the first.
func chiefStats(all []block.Stat) []block.Block {
	all = list.Filter(all, func(s block.Stat) bool { return s.Label != "" })
	slices.SortStableFunc(all, func(a, b block.Stat) int { return int(a.Kind) - int(b.Kind) })
	var out []block.Block
	counts := map[block.StatKind]int{}
	for _, s := range all {
		if counts[s.Kind]++; counts[s.Kind] <= mostStats {
			out = append(out, s)
		}
	}
	return out
}

// chiefDrawing takes the drawing that shows the answer out of the parts of a page: a load line, else the comparisons of
// several cells, else the first drawing of results. A drawing in a folded section stays.
func chiefDrawing(parts []block.Section) (drawing []block.Block, rest []block.Section) {
	for _, chief := range []func(block.Block) bool{isChiefChart, isForest, isDrawing} {
		for i, part := range parts {
			if taken, left, ok := takeOut(part, chief); ok {
				rest = slices.Clone(parts)
				rest[i] = left
				return []block.Block{taken}, slices.DeleteFunc(rest, func(s block.Section) bool { return len(s.Blocks) == 0 })
			}
		}
	}
	return nil, parts
}

func isChiefChart(b block.Block) bool {
	c, ok := b.(block.Chart)
	return ok && c.Chief
}

func isForest(b block.Block) bool {
	p, ok := b.(block.Plot)
	return ok && p.Whiskers && p.One != nil && len(p.Rows) > 1
}

func isDrawing(b block.Block) bool {
	switch b.(type) {
	case block.Chart, block.Plot:
		return true
	}
	return false
}

// takeOut returns the first block of a section for which chief holds, and the section without it.
func takeOut(s block.Section, chief func(block.Block) bool) (taken block.Block, rest block.Section, ok bool) {
	if s.Fold || s.Detail {
		return nil, s, false
	}
	for i, b := range s.Blocks {
		if sub, is := b.(block.Section); is {
			taken, left, found := takeOut(sub, chief)
			if !found {
				continue
			}
			s.Blocks = slices.Clone(s.Blocks)
			s.Blocks[i] = left
			if len(left.Blocks) == 0 {
				s.Blocks = slices.Delete(s.Blocks, i, i+1)
			}
			return taken, s, true
		}
		if chief(b) {
			s.Blocks = slices.Delete(slices.Clone(s.Blocks), i, i+1)
			return b, s, true
		}
	}
	return nil, s, false
}
