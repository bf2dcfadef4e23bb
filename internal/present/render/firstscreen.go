package render

import (
	"slices"

	"plimsoll/internal/analysis/finding/outcome"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
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

// chiefStats returns the cards of a page in the order of their kinds, and the first of each kind. The max load of a
// machine is shown next to the one of another machine, so a card about one machine only is left out. So is a card that
// repeats another, and a single card, which would repeat the title.
func chiefStats(all []block.Stat) []block.Block {
	all = list.Filter(all, func(s block.Stat) bool { return s.Label != "" })
	slices.SortStableFunc(all, func(a, b block.Stat) int { return int(a.Kind) - int(b.Kind) })
	handled := handledBy(all)
	var out []block.Block
	counts := map[block.StatKind]int{}
	seen := map[block.Stat]bool{}
	for _, s := range all {
		figures := block.Stat{Kind: s.Kind, Text: s.Text, Tag: s.Tag, Sure: s.Sure}
		if s.Kind == block.CapacityStat && (handled == 0 || counts[s.Kind] == handled) || seen[figures] {
			continue
		}
		seen[figures] = true
		if counts[s.Kind]++; counts[s.Kind] <= mostStats {
			out = append(out, s)
		}
	}
	if len(out) == 1 {
		return nil
	}
	return out
}

// handledBy returns how many of the first capacities belong to different machines; 0 for one.
func handledBy(all []block.Stat) int {
	seen := map[string]bool{}
	for _, s := range all {
		if s.Kind != block.CapacityStat {
			continue
		}
		if s.Of == "" || seen[s.Of] {
			break
		}
		seen[s.Of] = true
	}
	if len(seen) < 2 {
		return 0
	}
	return len(seen)
}

// chiefDrawing takes the drawing that shows the answer out of the parts of a page. It is a load line, else the
// comparisons of two sides, else a chart of results, else the first drawing. If there are many pairs, no single
// pair answers, but charts show all sides. A drawing in a folded section stays.
func chiefDrawing(parts []block.Section, pairs int) (drawing []block.Block, rest []block.Section) {
	order := []func(block.Block) bool{isChiefChart, isForest, isChart, isDrawing}
	if pairs > mostPairs {
		order = []func(block.Block) bool{isChiefChart, isChart, isForest, isDrawing}
	}
	for _, chief := range order {
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

// mostForest is the number of ratios that a reader can take in at once.
const mostForest = 24

func isForest(b block.Block) bool {
	p, ok := b.(block.Plot)
	return ok && p.Whiskers && p.One != nil && len(p.Rows) <= mostForest
}

func isChart(b block.Block) bool {
	_, ok := b.(block.Chart)
	return ok
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
	if s.Fold || s.Detail && s.Title != "" { // the page shows it on demand
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
