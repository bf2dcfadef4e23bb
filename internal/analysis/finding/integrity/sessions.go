package integrity

import (
	"strings"

	"plimsoll/internal/record"
)

// Session is the trials of one plan, or those imported from one file.
type Session struct {
	ID            string // plan, or the file of imports
	Labels        map[string]string
	File          string
	First, latest string // start of its first and of its last trial
}

// SessionID returns the hash of a trial's plan; of imports, their file.
func SessionID(t *record.Trial) string {
	if t.Keys[record.KeyImported] != "" {
		return "file " + t.Keys[record.KeyFile]
	}
	return t.Plan
}

// SessionsOf returns the sessions of trials in the order of their first trials.
func SessionsOf(trials []record.Trial) []Session {
	at := map[string]int{}
	var out []Session
	for i := range trials {
		t := &trials[i]
		id := SessionID(t)
		k, seen := at[id]
		if !seen {
			k, at[id] = len(out), len(out)
			out = append(out, Session{ID: id, Labels: labelsOf(t.Keys), File: t.Keys[record.KeyFile], First: t.Start,
				latest: t.Start})
		}
		out[k].First, out[k].latest = min(out[k].First, t.Start), max(out[k].latest, t.Start)
	}
	return out
}

func labelsOf(keys map[string]string) map[string]string {
	out := map[string]string{}
	for key, value := range keys {
		if name, ok := strings.CutPrefix(key, record.LabelPrefix); ok {
			out[name] = value
		}
	}
	return out
}

// Clock returns an instant to the second as people read it, "" if it is unknown.
func Clock(start string) string {
	if len(start) < len("2006-01-02T15:04:05") {
		return ""
	}
	return strings.Replace(start[:len("2006-01-02T15:04:05")], "T", " ", 1)
}
