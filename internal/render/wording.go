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
		lines(regulationNotes), lines(scalingNotes), lines(bySizeNotes), lines(plateauNotes), lines(loadLineNotes), lines(saturationNotes), lines(watchedNotes),
		lines(ingestNotes), lines(worthNotes), lines(profilingNotes), lines(ceilingNotes), lines(warmUpNotes), lines(effectNotes), shown("attribution"),
		lines(explainNotes), lines(qualityNotes),
		lines(sizingsOf), lines(profilesOf),
		lines(sizePanels), lines(scaleCharts), lines(clientCharts), lines(loadLineCharts),
		lines(ceilingPlot), lines(ofDiskPlot), lines(worthPlots),
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
