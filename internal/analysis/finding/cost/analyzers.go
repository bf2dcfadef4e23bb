package cost

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/record/block"
)

// Analyzers returns the analyzers of cost.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindWorth), Doc: "price-performance: throughput per dollar, and the cost of an operation",
			Body: KindWorth.Body(), After: []string{string(bottleneck.KindBottleneck)}, Run: pricePerformance, Show: show},
		{Kind: string(KindEqualCost), Doc: "throughput at equal cost", Body: KindEqualCost.Body(), Pair: equalCosts,
			Brief: true, Says: equalCostSaid, AnswerAll: answerEqualCost},
		{Kind: string(KindFamily), Doc: "the ratio of vCPUs of two families at equal throughput", Body: KindFamily.Body(),
			Sides: families, Brief: true, SaysAll: familySays},
		{Kind: string(KindSizes), Doc: "how the throughput of a family grows with the size of its machines, and whether " +
			"its sizes are equal per dollar", Body: KindSizes.Body(), Sides: sizes, Brief: true, SaysAll: sizesSay},
		{Kind: string(KindSameSizes), Doc: "two families size by size", Body: KindSameSizes.Body(), Sides: sameSizes,
			Brief: true, SaysAll: sameSizesSay},
	}
}

// show states the price-performance of the cells of a view, and draws it.
func show(v *finding.View) []block.Block {
	charts, plots := worthCharts(v)
	out := finding.Blocks(worthNotes(v))
	if len(charts) > 0 {
		out = append(out, block.Section{Class: block.Panels, Blocks: finding.Blocks(charts)})
	}
	return append(out, finding.Blocks(plots)...)
}
