package explain

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/record/block"
)

// Analyzers returns the analyzers of explanations.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindExplain), Doc: "why two sides differ", Body: KindExplain.Body(),
			After: []string{string(factorial.KindByFactor)}, Run: byFactors, Pair: ofPair, Brief: true, Says: pairSays,
			Show: show, AnswerAll: answer},
		{Kind: string(KindKnownIssue), Doc: "known sources of avoidable cost on a machine or with a setting",
			Body: KindKnownIssue.Body(), Run: knownIssues},
	}
}

// The kinds of findings about causes.
const (
	KindExplain    finding.Kind[Explanation] = "explain"
	KindKnownIssue finding.Kind[Issue]       = "known_issue"
)

// show states the explanations of the cells of a view.
func show(v *finding.View) []block.Block { return finding.Blocks(cellNotes(v)) }
