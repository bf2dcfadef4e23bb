package explore

import "plimsoll/internal/analysis/finding"

// SessionDocument is the answer of /api/session: what `show --json` prints of sessions.
type SessionDocument struct {
	Format   int                   `json:"format"`
	Files    []string              `json:"files"`
	Answer   []string              `json:"answer"` // the results in a few lines
	Shown    finding.ShownDocument `json:"shown"`
	Problems []string              `json:"problems"` // what could not be done as asked
}

// SidesDocument is the answer of /api/compare: what `compare --json` and `show --json` print of sessions.
type SidesDocument struct {
	Format   int                      `json:"format"`
	Files    []string                 `json:"files"`
	By       string                   `json:"by"`     // what is compared
	Axes     []string                 `json:"axes"`   // what can be compared, the default first
	Sides    []string                 `json:"sides"`  // the baseline first
	Answer   []string                 `json:"answer"` // the results in a few lines
	Compared finding.ComparedDocument `json:"compared"`
	Shown    finding.ShownDocument    `json:"shown"`    // with the fleets of a demand
	Problems []string                 `json:"problems"` // what could not be done as asked
}
