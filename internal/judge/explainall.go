package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// explain explains the cells that two sides have in common. Of types there is no explanation: their sides are many machines.
func (j judgement) explain(p finding.Pair, both []trialset.Matched) []Explanation {
	if j.explainer == nil || j.axis.by == trialset.ByType {
		return nil
	}
	var out []Explanation
	told := map[int]bool{}
	for _, m := range both {
		x, ok := j.explainer.explain(m, j.axis.by, p.A, p.B)
		if ok {
			x.Minor = trialset.MinorOf(m.A[0], j.plans)
			x.byFactors(KindByFactor.All(p), m, told)
			out = append(out, x)
		}
	}
	return out
}

// AddExplanations says of what is shown why the levels of factors differ, and what is known to be amiss.
func AddExplanations(s *finding.Shown, trials []record.Trial, machines []record.Machine, plans []record.PlanLine, o ExplainOptions) {
	e := newExplainer(trials, trialset.FleetOf(machines), o)
	counted := loadline.Condensed(trialset.PrimaryFirst(trialset.InPlanOrder(trialset.Counting(trials)), trialset.PlansByHash(plans)), trialset.PlansByHash(plans))
	byFactor := e.byFactor(counted, machines, plans)
	_, groups := trialset.GroupBy(counted, func(t record.Trial) trialset.Key { return trialset.KeyOf(t, "", nil) })
	for i := range s.Workloads {
		c := &s.Workloads[i]
		if !c.Primary {
			continue
		}
		at := placeOfCell(*c)
		c.Add(KindExplain.Each(byFactor[at], at))
		if !o.NoKnownIssues {
			c.Add(KindKnownIssue.Each(e.issuesAt(groups[at]), at))
		}
	}
	for _, at := range cellsOfTrials(trials) {
		for _, u := range e.unread[at] {
			s.Warnings = append(s.Warnings, note.New("a-profile-left-out", u))
		}
	}
}

// placeOfCell is that of the trials of which a cell was made.
func placeOfCell(c finding.Cell) trialset.Key {
	return trialset.Key{Machine: c.Machine, Workload: c.Workload, Params: trialset.ParamsText(c.Params), Load: c.Load}
}

// byFactor explains every other level of each factor against the first, machine by machine.
func (e *explainer) byFactor(trials []record.Trial, machines []record.Machine, plans []record.PlanLine) map[trialset.Key][]Explanation {
	out := map[trialset.Key][]Explanation{}
	for _, factor := range factorsOf(plans) {
		ax, err := newAxis(factor, "", nil, trials, plans)
		if err != nil {
			continue // measured at one level so far
		}
		j := newJudgement(Options{By: factor}, ax, machines, plans)
		for _, to := range ax.levels[1:] {
			both, _, _ := j.match(trials, ax.levels[0], to)
			for _, m := range both {
				x, ok := e.explain(m, factor, ax.levels[0], to)
				if !ok || !x.Paired {
					continue
				}
				x.Factor, x.Minor = factor, trialset.MinorOf(m.A[0], j.plans)
				at := trialset.KeyOf(m.A[0], "", nil)
				out[at] = append(out[at], x)
			}
		}
	}
	return out
}

// issuesAt are the known issues of one cell.
func (e *explainer) issuesAt(trials []record.Trial) []Issue {
	var of []costed
	for _, at := range cellsOfTrials(trials) {
		of = append(of, e.profiled[at]...)
	}
	if len(of) == 0 {
		for _, t := range e.measuredOf(trials) {
			of = append(of, costed{trial: t})
		}
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
