package block

// Tone is what a piece of text means; its look is the medium's choice.
type Tone string

// Media choose how a tone looks: a colour, a weight, or nothing.
const (
	Plain  Tone = ""
	Strong Tone = "strong"
	Dim    Tone = "dim"
	Good   Tone = "good"
	Bad    Tone = "bad"
	Warn   Tone = "warn"
)
