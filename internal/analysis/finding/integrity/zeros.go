package integrity

import (
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// ZeroErrors gives the trials of two sides that state no errors, if others of them do, a zero: tools leave out the line
// that counts errors if there were none.
func ZeroErrors(a, b []record.Trial) (left, right []record.Trial) {
	for _, m := range trialset.MetricsOf(trialset.Valid(a), trialset.Valid(b)) {
		if record.CountsErrors(m.Name) {
			a, b = zeroed(a, m), zeroed(b, m)
		}
	}
	return a, b
}

// WithFailed returns the trials, failed ones too if they state a metric that counts errors. Without them, the errors of
// runs that failed by their errors would be missing from the figure.
func WithFailed(trials []record.Trial, metric string) []record.Trial {
	out := trials
	for i := range trials {
		if _, ok := trialset.ValueIn(&trials[i], metric); !ok || trials[i].Void == "" {
			continue
		}
		if &out[0] == &trials[0] {
			out = slices.Clone(trials)
		}
		out[i].Void = ""
	}
	return out
}

// zeroed gives a metric of 0 to the trials that have values, and not that one.
func zeroed(trials []record.Trial, m record.Metric) []record.Trial {
	out := slices.Clone(trials)
	for i := range out {
		t := &out[i]
		if _, ok := trialset.ValueIn(t, m.Name); !ok && t.Void == "" && len(t.Values) > 0 {
			t.Values = append(slices.Clone(t.Values), record.Value{Metric: m})
		}
	}
	return out
}
