package trialset

import (
	"plimsoll/internal/record"
)

// Common returns the value of a key that all trials share, or "" if they differ or have none.
func Common(trials []record.Trial, key string) string {
	for _, t := range trials[min(1, len(trials)):] {
		if t.Keys[key] != trials[0].Keys[key] {
			return ""
		}
	}
	if len(trials) == 0 {
		return ""
	}
	return trials[0].Keys[key]
}
