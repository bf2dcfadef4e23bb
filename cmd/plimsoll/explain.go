package main

import (
	"fmt"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

const noKnownIssuesHelp = "explain differences by measurements only, without known issues of machines and settings"

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
