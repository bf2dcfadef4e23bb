package judge

import (
	"plimsoll/internal/trialset"
)

// Effect is one factor's effect on one cell's metric: the document of
// `effects` in `show --json`.
type Effect struct {
	Factor  string           `json:"factor"`
	From    string           `json:"from"`
	To      string           `json:"to"`
	Per     string           `json:"per"`
	Ratio   float64          `json:"ratio"`
	Lo      *float64         `json:"lo"`
	Hi      *float64         `json:"hi"`
	Verdict trialset.Verdict `json:"verdict,omitempty"`
	N       int              `json:"n"`
}

// Difference is a key in which the two sides also differ.
type Difference struct {
	Key string   `json:"key"`
	A   []string `json:"a"`
	B   []string `json:"b"`
}
