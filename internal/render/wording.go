package render

import (
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/finding"
	"plimsoll/internal/judge"
)

// shows are what findings about cells have to say, in the order of a document.
func shows() []func(*finding.View) []block.Block {
	return []func(*finding.View) []block.Block{
		lines(regulationNotes), shown("scaling"), shown("by_size"), shown("plateau"), lines(loadLineNotes), shown("past_saturation"), lines(watchedNotes),
		lines(ingestNotes), shown("depends"), shown("few_large"), lines(worthNotes), lines(profilingNotes), shown("of_memory"), shown("warm_up"), lines(effectNotes), shown("attribution"),
		lines(explainNotes), lines(qualityNotes),
		lines(sizingsOf), lines(profilesOf),
		shown("by_clients"), lines(loadLineCharts),
		lines(ofDiskPlot), lines(worthPlots),
	}
}

// shown returns the Show of the analyzer of a kind.
func shown(kind string) func(*finding.View) []block.Block {
	all := judge.Analyzers()
	return all[slices.IndexFunc(all, func(a finding.Analyzer) bool { return a.Kind == kind })].Show
}

// says returns what the analyzers of two sides state of them, in the order of a document.
func says(v *finding.PairView) []block.Block {
	var out []block.Block
	for _, a := range judge.Analyzers() {
		if a.Says != nil {
			out = append(out, a.Says(v)...)
		}
	}
	return out
}

// lines gives a show the form of all.
func lines[T block.Block](show func(*finding.View) []T) func(*finding.View) []block.Block {
	return func(v *finding.View) []block.Block { return finding.Blocks(show(v)) }
}
