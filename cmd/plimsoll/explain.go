package main

import (
	"fmt"
	"slices"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

const noKnownIssuesHelp = "explain differences by measurements only, without known issues of machines and settings"

// explaining returns the options for explaining differences between the trials of a session.
func explaining(log *session.Log, noKnownIssues bool) judge.ExplainOptions {
	return judge.ExplainOptions{
		NoKnownIssues: noKnownIssues,
		Profile:       profileReader(log),
	}
}

// profileReader returns a function that reads the profiles of a session's trials.
func profileReader(log *session.Log) judge.ProfileReader {
	return func(t record.Trial, series string) (record.Profile, bool, error) { return readProfile(log, t, series) }
}

// readProfile reads a profile of a trial; false if it has none.
func readProfile(log *session.Log, t record.Trial, name string) (record.Profile, bool, error) {
	all, err := log.Series(t.ID)
	if err != nil {
		return record.Profile{}, false, err
	}
	at := slices.IndexFunc(all, func(s record.Series) bool { return s.Name == name && s.Enc == record.EncProfile })
	if at < 0 {
		return record.Profile{}, false, nil
	}
	p, err := session.DecodeProfile(all[at].Data)
	if err != nil {
		return record.Profile{}, false, fmt.Errorf("series %s: %w", name, err)
	}
	return p, true, nil
}
