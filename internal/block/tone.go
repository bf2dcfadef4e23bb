package block

// Tone is the meaning of a piece of text; each medium chooses its look.
type Tone string

// The tones. Media choose a look for each: a colour, a weight, or nothing.
const (
	Plain  Tone = ""
	Strong Tone = "strong"
	Dim    Tone = "dim"
	Good   Tone = "good"
	Bad    Tone = "bad"
	Warn   Tone = "warn"
)
