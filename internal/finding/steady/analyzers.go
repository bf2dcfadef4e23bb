package steady

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
	"plimsoll/internal/trialset"
)

// Analyzers returns that of warm-ups.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindWarmUp), Doc: "how long a fresh server takes to reach its steady state", Body: KindWarmUp.Body(),
			Run: warmUps, Show: finding.SentencesEach(KindWarmUp, warmUpSentence)}}
}

// warmUps are those of the trials that started a cell's servers: of a search its probes, for which the cell's own
// trials stand in.
func warmUps(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	_, probes := loadline.ProbesAt(in.Counted, in.Plans)
	for _, g := range in.Groups {
		heated := g.Trials
		if of := probes[g.Key]; len(of) > 0 {
			heated = of
		}
		out = append(out, KindWarmUp.New(trialset.WarmUpOf(trialset.Valid(heated)), g.Key)...)
	}
	return out
}
