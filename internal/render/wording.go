package render

import (
	"plimsoll/internal/block"
	"plimsoll/internal/finding"
	"plimsoll/internal/judge"
)

// shows are what findings about cells have to say, in the order of a document.
func shows() []func(*finding.View) []block.Block {
	return []func(*finding.View) []block.Block{
		lines(regulationNotes), lines(scalingNotes), lines(bySizeNotes), lines(plateauNotes), lines(loadLineNotes), lines(saturationNotes), lines(watchedNotes),
		lines(ingestNotes), lines(worthNotes), lines(profilingNotes), lines(ceilingNotes), lines(warmUpNotes), lines(effectNotes), lines(attributionNotes),
		lines(explainNotes), lines(qualityNotes),
		lines(sizingsOf), lines(profilesOf),
		lines(sizePanels), lines(scaleCharts), lines(clientCharts), lines(loadLineCharts),
		panels(ceilingPlot, ofDiskPlot, worthPlots), panels(attributionPlots), trialPlot,
	}
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

// panels puts the plots of several shows side by side.
func panels(shows ...func(*finding.View) []block.Plot) func(*finding.View) []block.Block {
	return func(v *finding.View) []block.Block {
		out := block.Section{Class: block.Panels}
		for _, show := range shows {
			out.Blocks = append(out.Blocks, finding.Blocks(show(v))...)
		}
		if len(out.Blocks) == 0 {
			return nil
		}
		return []block.Block{out}
	}
}
