package trialset

import (
	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// The limits of docs/method.md, "A trial that stood still".
const (
	maxGap      = 0.100 // seconds: a longer gap is a doubt
	maxStill    = 0.01  // of the measured time: if gaps add up to more, the trial is void
	maxIdle     = 5.0   // % of the window in which lanes that never block may neither run nor wait for a CPU
	leastIdleS  = 0.2   // seconds of that at least: the reading error at either end of the window
	idleOfDelay = 0.5   // of the lanes' wait for a CPU: on a busy machine they also wait for threads that hand over work
)

// StoodStill returns the reason if a trial is void since its agent did not run for a part of it, else "". Such
// measurements do not describe the target alone.
func StoodStill(t record.Trial) string {
	l := t.Ledger
	if l == nil || t.DurationS <= 0 {
		return ""
	}
	if l.GapMaxS != nil && l.GapsS != nil && *l.GapMaxS >= maxGap && *l.GapsS >= max(maxGap, maxStill*t.DurationS) {
		return note.New("agent-stood-still", *l.GapsS, t.DurationS).Text()
	}
	if i := l.IdlePct; i != nil && *i >= max(maxIdle, idleOfDelay*deref(l.RunDelayPct)) && *i/100*t.DurationS >= leastIdleS {
		return note.New("lanes-stopped", *i).Text()
	}
	return ""
}

func deref(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}
