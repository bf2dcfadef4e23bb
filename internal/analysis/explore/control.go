package explore

import (
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
)

// controls are the first sides of comparisons, by their plan and group.
type controls map[trialset.Slot]finding.Group

func controlsIn(groups []finding.Group) controls {
	out := controls{}
	for _, g := range groups {
		at := comparisonOf(g)
		if first, ok := out[at]; !ok || g.Trials[0].Cell < first.Trials[0].Cell {
			out[at] = g
		}
	}
	return out
}

func comparisonOf(g finding.Group) trialset.Slot {
	return trialset.Slot{Plan: g.Trials[0].Plan, Group: g.Trials[0].Group}
}

// of returns a cell against its control; nil if it has none, or if there is no ratio.
func (c controls) of(g finding.Group, cell Cell, in *finding.Input) *Control {
	first := c[comparisonOf(g)]
	a, b := trialset.Valid(first.Trials), trialset.Valid(g.Trials)
	if first.Key == g.Key || cell.N == 0 || atLeast(a, cell.Metric) || atLeast(b, cell.Metric) ||
		unitOf(a, cell.Metric) != cell.Unit {
		return nil
	}
	s := trialset.NewSample(a, b, cell.Metric)
	rule := trialset.PreregisteredFor(s, in.Plans).Rule()
	r, ok := s.Ratio(cell.Metric, rule.Opts)
	if !ok {
		return nil
	}
	verdict, better := rule.Verdict(r.LogRatio), ""
	if verdict == trialset.Different && trialset.Decidable(record.Metric{Better: cell.Better}) {
		better = trialset.Winner(r.LogRatio, cell.Better)
	}
	title := titleOf(first.Key, in.Wordings.Of(first.Trials[0]).Of(namedParams(first.Trials[0])))
	return &Control{finding.IDOf(named(first.Key, first.Trials[0])), title, first.Key.Machine,
		estimate.FromLogs(r.LogRatio, s.N()), s.N(), finding.VerdictWord(verdict, better)}
}

// atLeast reports whether a value of a metric is a lower bound.
func atLeast(trials []record.Trial, metric string) bool {
	for i := range trials {
		if v, ok := trialset.ValueIn(&trials[i], metric); ok && v.AtLeast {
			return true
		}
	}
	return false
}

func unitOf(trials []record.Trial, metric string) string {
	for i := range trials {
		if v, ok := trialset.ValueIn(&trials[i], metric); ok {
			return v.Unit
		}
	}
	return ""
}

// versionsOf returns what all runs of a cell state of what was measured, beside its parameters, its labels and what
// differs between any two sessions.
func versionsOf(trials []record.Trial) map[string]string {
	out := map[string]string{}
	for key := range trials[0].Keys {
		if isVersion(key, trialset.WorkloadOf(trials[0])) {
			if v := trialset.Common(trials, key); v != "" {
				out[key] = v
			}
		}
	}
	return out
}

func isVersion(key, workload string) bool {
	switch key {
	case record.KeyMachine, record.KeyMachineID, record.KeyWorkload, record.KeyLoad, record.KeyBoot, record.KeyFile,
		record.KeyImported, record.KeyBlock:
		return false
	}
	for _, prefix := range []string{workload + ".", record.FactorPrefix, record.LabelPrefix, record.SecretPrefix} {
		if strings.HasPrefix(key, prefix) {
			return false
		}
	}
	return true
}
