package block

import "slices"

// Arranged returns blocks of several origins in the order of a document, each rank in the order given: sentences, tables
// and sections, charts, and then the plots side by side.
func Arranged(all []Block) []Block {
	plots := Of[Plot](all)
	out := slices.DeleteFunc(slices.Clone(all), func(b Block) bool { _, ok := b.(Plot); return ok })
	slices.SortStableFunc(out, func(a, b Block) int { return rank(a) - rank(b) })
	if len(plots) > 0 {
		panel := Section{Class: Panels}
		for _, p := range plots {
			panel.Blocks = append(panel.Blocks, p)
		}
		out = append(out, panel)
	}
	return out
}

func rank(b Block) int {
	switch b := b.(type) {
	case Sentence:
		return 0
	case Table:
		return 1
	case Section:
		if b.Class != Panels {
			return 1
		}
	}
	return 2
}
