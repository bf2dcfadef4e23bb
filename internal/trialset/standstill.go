package trialset

import (
	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// The limits of docs/method.md, "A trial that stood still".
const (
	maxGap      = 0.100 // seconds: from here on a gap is a doubt
	maxStill    = 0.01  // of the measured time: and from here on the trial is void
	maxIdle     = 5.0   // % of the window for which lanes that never wait may neither run nor wait for a CPU
	leastIdleS  = 0.2   // seconds of that at the least: what a reading at either end of the window may be wrong by
	idleOfDelay = 0.5   // of what the lanes waited for a CPU: on a busy machine they also wait for the threads that hand over to them
)

// StoodStill says why a trial is void whose agent did not run for a part of it; "" where it is not. Then nothing that was measured is the target's alone.
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
