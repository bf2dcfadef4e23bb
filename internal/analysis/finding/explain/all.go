// Package explain explains why two sides differ, and knows issues of software that explain it.
package explain

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// ofPair explains the cells that two sides share. Types have no explanation: their sides are many machines.
func ofPair(p *finding.Pairing) []finding.Finding {
	if p.Read.Profile == nil || p.Pair.By == trialset.ByType {
		return nil
	}
	e := finding.Once(p.Input, KindExplain, func() *explainer { return explainerOf(p.Input) })
	var out []Explanation
	stated := map[int]bool{}
	for _, m := range p.Both {
		x, ok := e.explain(m, p.Pair.By, p.Pair.A, p.Pair.B)
		if ok {
			x.Wording = p.Wordings.Between(m)
			x.byFactors(factorial.KindByFactor.All(p.Pair), m, stated)
			out = append(out, x)
		}
	}
	return KindExplain.Each(out)
}

func byFactors(in *finding.Input) []finding.Finding {
	if in.Read.Profile == nil {
		return nil
	}
	var out []finding.Finding
	e := explainerOf(in)
	for at, all := range e.byFactor(in) {
		out = append(out, KindExplain.Each(all, at)...)
	}
	var unread []note.Note
	for _, at := range cellsOfTrials(in.Trials) {
		for _, u := range e.unread[at] {
			unread = append(unread, note.New("a-profile-left-out", u))
		}
	}
	if len(unread) > 0 {
		out = append(out, finding.Finding{Notes: unread})
	}
	return out
}

// knownIssues returns the known issues that apply to cells.
func knownIssues(in *finding.Input) []finding.Finding {
	if in.Read.Profile == nil || in.Ask.NoKnownIssues {
		return nil
	}
	var out []finding.Finding
	e := explainerOf(in)
	for _, g := range in.Groups {
		out = append(out, KindKnownIssue.Each(e.issuesAt(g.Trials), g.Key)...)
	}
	return out
}

// byFactor explains every other level of each factor against the first, machine by machine.
func (e *explainer) byFactor(in *finding.Input) map[trialset.Key][]Explanation {
	out := map[trialset.Key][]Explanation{}
	for _, factor := range axis.FactorsOf(in.PlanLines) {
		ax, err := axis.New(factor, "", nil, in.Condensed, in.PlanLines)
		if err != nil {
			continue // measured at one level so far
		}
		of := ax.Sides(in.Condensed)
		for _, to := range ax.Levels[1:] {
			both, _, _ := ax.Match(of(ax.Levels[0], to), ax.Levels[0], to)
			for _, m := range both {
				x, ok := e.explain(m, factor, ax.Levels[0], to)
				if !ok || !x.Paired {
					continue
				}
				x.Factor, x.Wording = factor, in.Wordings.Between(m)
				at := trialset.KeyOf(m.A[0], "", nil)
				out[at] = append(out[at], x)
			}
		}
	}
	return out
}

// issuesAt returns the known issues of one cell.
func (e *explainer) issuesAt(trials []record.Trial) []Issue {
	var of []profiledTrial
	for _, at := range cellsOfTrials(trials) {
		of = append(of, e.profiled[at]...)
	}
	if len(of) == 0 {
		of = unprofiled(e.measuredOf(trials))
	}
	if len(of) == 0 {
		return nil
	}
	out := e.issues(sides{a: of, b: of})
	for i := range out {
		out[i].Side = ""
	}
	return out
}
