package block

// Tone is what a piece of text means; its look is the medium's choice.
type Tone string

const (
	Plain  Tone = ""
	Strong Tone = "strong"
	Dim    Tone = "dim"
	Good   Tone = "good"
	Bad    Tone = "bad"
	Warn   Tone = "warn"
)
