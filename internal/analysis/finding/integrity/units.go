package integrity

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// UnitsOf returns the units and directions in which trials state a metric, each once.
func UnitsOf(metric string, trials []record.Trial) []record.Metric {
	var out []record.Metric
	for i := range trials {
		v, ok := trialset.ValueIn(&trials[i], metric)
		if !ok {
			continue
		}
		v.Doc = ""
		if v.Better == "" {
			v.Better = record.Neutral
		}
		if !slices.Contains(out, v.Metric) {
			out = append(out, v.Metric)
		}
	}
	return out
}

// InUnits writes several units and, where they have several, directions.
func InUnits(kinds []record.Metric) string {
	texts := make([]string, len(kinds))
	directed := slices.ContainsFunc(kinds, func(k record.Metric) bool { return k.Better != kinds[0].Better })
	for i, k := range kinds {
		if texts[i] = UnitText(k); directed {
			texts[i] += fmt.Sprintf(" (better: %s)", k.Better)
		}
	}
	return strings.Join(texts, " and in ")
}

// UnitText returns the unit of a metric in words.
func UnitText(m record.Metric) string {
	if m.Unit == "" {
		return "plain numbers"
	}
	return m.Unit
}

// Unseen reports whether an unknown machine did any of the trials.
func Unseen(trials []record.Trial) bool {
	return slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Keys[record.KeyUnseen] != "" })
}

// OnOneSide is the code of UnlikeUnits for a metric that one side lacks.
const OnOneSide note.Code = "metric-on-one-side"

// InSomeRuns returns a note if a metric has values in some valid runs of a side, and not in all. The comparison leaves
// out the others, which may be the worst. It is the zero Note if all runs have it, or none.
func InSomeRuns(side, metric string, trials []record.Trial) note.Note {
	have := 0
	for i := range trials {
		if _, ok := trialset.ValueIn(&trials[i], metric); ok {
			have++
		}
	}
	if have == 0 || have == len(trials) {
		return note.Note{}
	}
	return note.New("metric-in-some-runs", have, len(trials), side, metric)
}

// UnlikeUnits returns why a metric of two sides is not one: only one side has it, or its unit or direction is not the
// same throughout; the zero Note if it is.
func UnlikeUnits(sideA, sideB, metric string, a, b []record.Trial) note.Note {
	left, right := UnitsOf(metric, a), UnitsOf(metric, b)
	switch {
	case len(left) == 0:
		return note.New(OnOneSide, sideB, metric)
	case len(right) == 0:
		return note.New(OnOneSide, sideA, metric)
	case len(left) > 1:
		return note.New("metric-in-several-units", metric, sideA, InUnits(left))
	case len(right) > 1:
		return note.New("metric-in-several-units", metric, sideB, InUnits(right))
	case left[0].Unit != right[0].Unit:
		return note.New("metric-in-unlike-units", metric, sideA, UnitText(left[0]), sideB, UnitText(right[0]))
	case left[0].Better != right[0].Better:
		return note.New("metric-of-unlike-direction", metric, left[0].Better, sideA, right[0].Better, sideB)
	}
	return note.Note{}
}
