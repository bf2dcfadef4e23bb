package steady

import (
	"fmt"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
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

func warmUpSentence(v *finding.View, c finding.Cell, w trialset.WarmUp) []block.Sentence {
	return []block.Sentence{{Lead: "warm-up", Tone: warmUpInk(w), Text: v.Place(c) + ": " + warmUpText(w)}}
}

func warmUpInk(w trialset.WarmUp) block.Tone {
	if w.Settled < w.N-w.Noisy {
		return block.Warn
	}
	return block.Dim
}

func warmUpText(w trialset.WarmUp) string {
	heat, told := figure.Fixed(w.HeatS, 1)+" s", w.N-w.Noisy
	var text string
	switch {
	case told == 0:
		text = fmt.Sprintf("throughput scattered too much in the heats of %s to tell when a fresh server was steady (%s)",
			heat, figure.N(w.N))
	case w.Settled == 0:
		text = fmt.Sprintf("no fresh server was steady within a heat of %s (%s)", heat, figure.N(told))
	case w.To == 0:
		text = fmt.Sprintf("a fresh server was steady at once (%s of %d, heat %s)", figure.N(w.Settled), told, heat)
	default:
		from, to := figure.Fixed(w.From, 1), figure.Fixed(w.To, 1)
		took := from + " to " + to
		if from == to {
			took = to
		}
		text = fmt.Sprintf("a fresh server was steady after %s s at full load (%s of %d, heat %s), at %s times the "+
			"throughput of its first second", took, figure.N(w.Settled), told, heat,
			figure.Fixed(w.Gain, figure.Decimals(w.Gain, figure.Digits)))
	}
	if w.Noisy > 0 && told > 0 {
		text += fmt.Sprintf("; %s scattered too much to tell", figure.Count(w.Noisy, "heat"))
	}
	if r := w.Rise; r != nil && r.Bounded() {
		text += fmt.Sprintf("; over the measured window throughput changed by %s%% to %s%% (%s)",
			figure.SignedPercent(*r.Lo), figure.SignedPercent(*r.Hi), figure.N(w.RiseTrials))
	}
	return text
}
