package headroom

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/block"
)

// Analyzers returns the analyzers of load lines.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindFleet), Doc: "the machines of both sides that a demand needs", Body: KindFleet.Body(), Pair: fleets,
			Says: fleetsSaid},
		{Kind: string(KindLoadLine), Doc: "how heavily a machine can be loaded before its latency breaks",
			Body: KindLoadLine.Body(), Run: loadLines, Brief: true, Show: show, Answer: answer},
		{Kind: string(KindOverview),
			Doc:  "machines by workloads: figures, verdicts and what they cost, the best machine first",
			Body: KindOverview.Body(), Sides: overview, Brief: true, AnswerAll: answerOverview},
		{Kind: string(KindRecommendation), Doc: "the machines to take for a demand, and what they save",
			Body:  KindRecommendation.Body(),
			After: []string{string(KindLoadLine)}, Run: recommendations, Brief: true, Sides: recommendedSides,
			Answer: answerDemand, AnswerAll: answerDemandOfAll},
	}
}

func loadLines(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	scopes := map[trialset.Key][]trialset.Key{}
	for _, r := range in.Ramps {
		scopes[r.Last().At()] = r.Scope()
	}
	lines := loadline.LinesOf(in.Ramps, in.Ask.Objectives)
	loadline.AddSearched(lines, in.Counted, in.Plans, in.Ask.Objectives)
	for at, l := range lines {
		scope, ok := scopes[at]
		if !ok {
			scope = []trialset.Key{at} // a search is one cell
		}
		out = append(out, Lines(asked(in, at, l.Lines), scope...)...)
		out = append(out, KindLoadLine.Impossible(l.Reason, scope...)...)
	}
	return out
}

// show states the load lines of a view, and draws them.
func show(v *finding.View) []block.Block {
	return append(finding.Blocks(loadLineNotes(v)), finding.Blocks(loadLineCharts(v))...)
}
