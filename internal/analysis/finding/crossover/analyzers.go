package crossover

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
)

// The kinds of this room.
const (
	KindCrossing finding.Kind[Crossing] = "crossing"
	KindOnPar    finding.Kind[OnPar]    = "on_par"
	KindTrend    finding.Kind[Trend]    = "trend"
	KindByCPU    finding.Kind[ByCPU]    = "by_cpu"
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
		{
			Kind: string(KindByCPU), Doc: "a difference that is larger, or smaller, where the workload uses more of the CPUs",
			Body: KindByCPU.Body(), Pair: byCPU, Brief: true, Says: finding.SentenceEach(KindByCPU, byCPUSentence),
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
