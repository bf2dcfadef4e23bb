package render

import (
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/finding"
	"plimsoll/internal/judge"
	"plimsoll/internal/note"
)

// shows are what findings about cells have to say, in the order of a document.
func shows() []func(*finding.View) []block.Block {
	return []func(*finding.View) []block.Block{
		shown("regulation"), shown("scaling"), shown("by_size"), shown("plateau"), shown("loadline"), shown("past_saturation"), shown("binds"),
		shown("of_disk"), shown("depends"), shown("few_large"), shown("stress"), shown("worth"), shown("profiled"), shown("of_memory"), shown("warm_up"), shown("effect"), shown("attribution"),
		shown("explain"), lines(qualityNotes),
		shown("sizing"), shown("profile"),
		shown("by_clients"),
	}
}

// shown returns the Show of the analyzer of a kind.
func shown(kind string) func(*finding.View) []block.Block {
	all := judge.Analyzers()
	return all[slices.IndexFunc(all, func(a finding.Analyzer) bool { return a.Kind == kind })].Show
}

// OverTime returns the drawings over time of sessions whose findings a page shows, in their order on it, and notes about
// series that are not drawn.
func OverTime(in *finding.Input, s finding.Shown) (drawn []block.Block, problems []note.Note) {
	if in.Read.Windows == nil {
		return nil, nil
	}
	inOrder := []string{"binds", "sizing", "regulation", "timeline"}
	all := slices.DeleteFunc(judge.Analyzers(), func(a finding.Analyzer) bool { return a.Over == nil })
	slices.SortStableFunc(all, func(a, b finding.Analyzer) int { return slices.Index(inOrder, a.Kind) - slices.Index(inOrder, b.Kind) })
	for _, a := range all {
		blocks, notes := a.Over(in, machineNames(s))
		drawn, problems = append(drawn, blocks...), append(problems, notes...)
	}
	return drawn, problems
}

// lines gives a show the form of all.
func lines[T block.Block](show func(*finding.View) []T) func(*finding.View) []block.Block {
	return func(v *finding.View) []block.Block { return finding.Blocks(show(v)) }
}
