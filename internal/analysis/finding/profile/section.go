package profile

import (
	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/note"
	"slices"
)

// Section returns the flame graphs of sessions for a page: of distinguished cells, and of the differences between the
// sides of comparisons of the whole. Notes are about profiles that are not drawn.
func Section(whole, apart *finding.Input) (block.Section, []note.Note) {
	merged := merger{whole.Read.Profile, map[string]Merged{}}
	of, problems := flames(apart, merged)
	between, unlike := flameDiffs(whole, merged)
	return drawn(of, between, whole.Read.Sorted), slices.Concat(problems, unlike)
}

// Drawn returns the flame graphs of cells and of differences, by the CPU time of an operation.
func Drawn(of []Flame, between []FlameDiff) block.Section { return drawn(of, between, nil) }

func drawn(of []Flame, between []FlameDiff, sorted *category.Memory) block.Section {
	cells, diffs := flamesOf(of, between, sorted)
	out := block.Section{Title: "Where the time went", Level: block.PartLevel}
	if len(cells) > 0 {
		out.Blocks = append(out.Blocks,
			block.Sentence{Text: "A frame is a function, as wide as the samples in it and in its callees, which are " +
				"drawn below it. " +
				"It has the colour of a category if at least 90% of its samples are of that category. " +
				"Frames of less than 0.1% of the whole with the same caller are drawn as one, or not at all."})
		out.Blocks = append(out.Blocks, finding.Blocks(cells)...)
	}
	if len(diffs) > 0 {
		out.Blocks = append(out.Blocks, block.Section{Title: "What differs", Level: block.PartLevel + 1,
			Blocks: append([]block.Block{
				block.Sentence{Text: "Widths are CPU time per operation, not samples: a higher throughput alone makes no " +
					"difference. Functions of one side only are included."},
			}, finding.Blocks(diffs)...)})
	}
	return out
}
