package headroom

import (
	"testing"

	"plimsoll/internal/analysis/loadline"
)

// TestMissedLimits: a load whose fresh runs were all over the limit isn't an answer, and the next step sets the target.
func TestMissedLimits(t *testing.T) {
	latency := .578
	run := func(confirmed bool) loadline.Confirmation {
		return loadline.Confirmation{Load: 311, Latency: &latency, Limit: .262, Handled: true, Confirmed: confirmed}
	}
	unhandled := loadline.Confirmation{Load: 311, Limit: .262}
	failed := loadline.Confirmation{Load: 311, Failed: "the load generator was late"}
	const over = "has no confirmed limit: p99 of a fresh run at 311 op/s was 578 ms, over the target of 262 ms"
	const derived = "set the latency target instead of deriving it from low load: --slo p99=262ms"
	const searches = "a confidence interval needs 3 runs: --replicates 3"
	for name, c := range map[string]struct {
		runs       []loadline.Confirmation
		objective  float64
		text, next string
	}{
		"confirmed":        {[]loadline.Confirmation{run(true)}, 0, "", searches},
		"missed":           {[]loadline.Confirmation{run(false)}, 0, over, derived},
		"missed a target":  {[]loadline.Confirmation{run(false)}, .262, over, searches},
		"confirmed by one": {[]loadline.Confirmation{run(false), run(true)}, .262, "", searches},
		"not handled": {[]loadline.Confirmation{unhandled}, .262,
			"has no confirmed limit: a fresh run did not handle 311 op/s", searches},
		"a failed run": {[]loadline.Confirmation{failed}, 0, "", searches},
		"none":         {nil, 0, "", searches},
	} {
		l := loadline.Line{Statistic: "p99", Unit: "op/s", MaxSustained: 311, Limit: .262, Objective: c.objective, N: 1,
			Crossed: true, Confirmations: c.runs}
		if got := missedText(l); got != c.text {
			t.Errorf("%s: %q, want %q", name, got, c.text)
		}
		if got := nextOf(l, false); got != c.next {
			t.Errorf("%s: next %q, want %q", name, got, c.next)
		}
	}
}
