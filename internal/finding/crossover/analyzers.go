package crossover

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/trialset"
)

// The kinds of this room.
const (
	KindCrossing finding.Kind[Crossing] = "crossing"
	KindOnPar    finding.Kind[OnPar]    = "on_par"
	KindTrend    finding.Kind[Trend]    = "trend"
)

// Analyzers returns those of two sides along an axis.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{
			Kind: string(KindCrossing), Doc: "the place along an axis from which on the other " +
				"side is better", Body: KindCrossing.Body(),
			Pair: crossings, Brief: true, Says: finding.SentenceEach(KindCrossing, crossingSentence),
		},
		{
			Kind: string(KindOnPar), Doc: "up to how many CPUs the weaker side keeps up", Body: KindOnPar.Body(),
			Pair: onPars, Says: finding.SentenceEach(KindOnPar, onParSentence),
		},
		{
			Kind: string(KindTrend), Doc: "how the ratio of two sides changes from the smallest to the " +
				"largest size", Body: KindTrend.Body(),
			Pair: trends, Says: finding.SentenceEach(KindTrend, trendSentence),
		},
	}
}

func crossings(p *finding.Pairing) []finding.Finding {
	return KindCrossing.Each(crossingsOf(located(p)))
}

func onPars(p *finding.Pairing) []finding.Finding { return KindOnPar.Each(onParsOf(located(p))) }

// trends returns none of types: a trend rests on trials, which are no replicates of a type.
func trends(p *finding.Pairing) []finding.Finding {
	if p.Pair.By == trialset.ByType {
		return nil
	}
	return KindTrend.Each(trendsOf(located(p)))
}
