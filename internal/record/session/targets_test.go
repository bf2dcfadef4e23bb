package session

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestTooManyTargets: the lines of a mix are left out of a trial that has no room for them, and the trial stays.
func TestTooManyTargets(t *testing.T) {
	trial := record.Trial{ID: "x", Keys: map[string]string{"a": strings.Repeat("k", 3000)},
		Generator: &record.LoadUse{Done: 7, Targets: []record.TargetUse{{Line: strings.Repeat("l", 6000)}}}}
	line, err := encodeTrial(trial)
	if err != nil || len(line) > maxTrial || !strings.Contains(string(line), `"done":7`) ||
		len(trial.Generator.Targets) != 1 {
		t.Errorf("%d bytes, %v", len(line), err)
	}
}
