package profile

import "plimsoll/internal/finding"

// Analyzers returns those of profiles.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindOverhead), Doc: "what profiling costs", Body: KindOverhead.Body(), Run: overheads},
		{Kind: string(KindProfile), Doc: "where the time of a cell went", Body: KindProfile.Body(), Run: profileFindings},
	}
}

// The kinds of this room.
const (
	KindOverhead finding.Kind[Overhead] = "profiled"
	KindProfile  finding.Kind[Profile]  = "profile"
)
