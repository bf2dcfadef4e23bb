// Package profile breaks down CPU time and waits of threads, from profiles.
package profile

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
)

// Analyzers returns the analyzers of profiles.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindOverhead), Doc: "the overhead of profiling", Body: KindOverhead.Body(), Run: overheads,
			Show: showOverheads},
		{Kind: string(KindProfile), Doc: "where the time of a benchmark went", Body: KindProfile.Body(), Run: profileFindings,
			Brief: true, Show: showProfiles},
	}
}

// The kinds of findings about profiles.
const (
	KindOverhead finding.Kind[Overhead] = "profiled"
	KindProfile  finding.Kind[Profile]  = "profile"
)

func showOverheads(v *finding.View) []block.Block { return finding.Blocks(profilingNotes(v)) }

func showProfiles(v *finding.View) []block.Block { return finding.Blocks(profilesOf(v)) }
