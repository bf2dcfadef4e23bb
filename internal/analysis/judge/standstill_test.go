package judge

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

func TestStoodStill(t *testing.T) {
	for name, c := range map[string]struct {
		longest, sum, idle, delay, seconds float64
		void                               string
		doubt                              bool
	}{
		"never":                  {0, 0, 0, 0, 6, "", false},
		"3 s of 6":               {3.01, 3.01, 0, 0, 6, "the measuring process stalled for 3.01 s of 6 s", true},
		"100 ms of 10 s":         {.1, .1, 0, 0, 10, "the measuring process stalled for 0.1 s of 10 s", true},
		"100 ms of 11 s":         {.1, .1, 0, 0, 11, "", true},
		"twice 100 ms of 11 s":   {.1, .2, 0, 0, 11, "the measuring process stalled for 0.2 s", true},
		"99 ms of 1 s":           {.099, .099, 0, 0, 1, "", false},
		"while a command ran on": {3, 0, 0, 0, 6, "", true},
		"many short stops": {.06, .06, 20, 1, 6,
			"the load threads were stopped for 20% of the time", false},
		"a reading at an end":          {0, 0, 15, 1, 1, "", false},
		"a busy machine":               {0, 0, 12, 40, 6, "", false},
		"half of a busy machine":       {0, 0, 30, 40, 6, "the load threads were stopped", false},
		"seconds that nobody measured": {3, 3, 50, 0, 0, "", true},
	} {
		trial := record.Trial{DurationS: c.seconds,
			Ledger: &record.Ledger{GapMaxS: &c.longest, GapsS: &c.sum, IdlePct: &c.idle, RunDelayPct: &c.delay}}
		if got := trialset.StoodStill(trial); (got == "") != (c.void == "") || !strings.HasPrefix(got, c.void) {
			t.Errorf("%s: void %q, want %q", name, got, c.void)
		}
		if got := flagged(trialset.Taints(trial), "the measuring process stalled for 100 ms or more"); got != c.doubt {
			t.Errorf("%s: doubts %q", name, trialset.Taints(trial))
		}
	}
	for _, l := range []*record.Ledger{nil, {}} {
		if got := trialset.StoodStill(record.Trial{DurationS: 1, Ledger: l}); got != "" {
			t.Errorf("without a watchdog: %q", got)
		}
	}
}
