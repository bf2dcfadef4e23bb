package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/finding/factorial"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// effects are of every factor of the plans on each cell at its first level.
func effects(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for of, all := range effectsOf(in.Condensed, in.Machines, in.PlanLines) {
		for _, f := range KindEffect.Each(all, of.Place) {
			f.Metric = of.Metric
			out = append(out, f)
		}
	}
	return out
}

// effectsOf gives the effect of every factor of the plans on each cell at its
// first level: the ratio of each other level to it, from pairs only.
func effectsOf(trials []record.Trial, machines []record.Machine, plans []record.PlanLine) map[factorial.EffectKey][]Effect {
	out := map[factorial.EffectKey][]Effect{}
	for _, factor := range axis.FactorsOf(plans) {
		ax, err := axis.New(factor, "", nil, trials, plans)
		if err != nil {
			continue // measured at one level so far: no effect to speak of
		}
		j := newJudgement(Options{By: factor}, ax, machines, plans)
		for _, to := range ax.Levels[1:] {
			j.addEffects(out, trials, to)
		}
	}
	return out
}

func (j judgement) addEffects(out map[factorial.EffectKey][]Effect, trials []record.Trial, to string) {
	from := j.axis.Levels[0]
	both, _, _ := j.axis.Match(trials, from, to)
	for _, m := range both {
		for _, c := range j.compareCell(finding.Pair{A: from, B: to}, m, &gaps{}) {
			if !c.Paired {
				continue
			}
			key := factorial.EffectKey{Place: trialset.KeyOf(m.A[0], "", nil), Metric: c.Metric}
			out[key] = append(out[key], Effect{
				Factor: j.axis.By, From: from, To: to, Per: c.Per,
				Ratio: c.Ratio, Lo: c.Lo, Hi: c.Hi, Verdict: c.Verdict, N: c.N,
			})
		}
	}
}
