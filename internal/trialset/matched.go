package trialset

import (
	"plimsoll/internal/record"
)

// Matched is one cell that both sides measured. Its trials may be void.
type Matched struct {
	Place  Key
	Params map[string]string
	A, B   []record.Trial
}
