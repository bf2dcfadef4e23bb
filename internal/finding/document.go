package finding

import (
	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// Shown is what one set of trials says by itself: the document of
// `show --json`.
type Shown struct {
	Machines  map[string]record.Machine `json:"machines"`
	Workloads []Cell                    `json:"workloads"`
	Warnings  []note.Note               `json:"warnings"`
	Sessions  map[string]Session        `json:"sessions,omitempty"` // of machines above that are a session of one, told apart from others of it
}

// Session is what a session that bears a name of its own is.
type Session struct {
	Machine string            `json:"machine"`
	File    string            `json:"file,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
	Began   string            `json:"began,omitempty"` // UTC, start of its first trial
}
