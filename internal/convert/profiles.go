package convert

import (
	"io"
	"time"

	"plimsoll/internal/record"
)

// Profiled is what was sampled of one cell, in all of its profiled trials together.
type Profiled struct {
	Name  string         // of the cell
	Start time.Time      // of the first trial's measured window; zero where it is not known
	Span  time.Duration  // of all their windows
	CPU   record.Profile // CPU time
	Waits record.Profile // threads that wait; without stacks where none were sampled
}

// ProfileOutput is one form in which profiles can be given to other programs.
type ProfileOutput struct {
	Name  string
	Doc   string // what it is, in a few words
	Write func(w io.Writer, p Profiled) error
}

// ProfileOutputs lists the forms that profiles can be exported in.
func ProfileOutputs() []ProfileOutput {
	return []ProfileOutput{
		{"pprof", "the profiles of one cell for go tool pprof, gzipped", writePprof},
		{"speedscope", "the same for speedscope, as JSON", writeSpeedscope},
	}
}

// framesOf are a stack's frames, each with a name.
func framesOf(s record.Stack) []record.Frame {
	frames := s.Shown()
	out := make([]record.Frame, len(frames))
	for i, f := range frames {
		out[i] = record.Frame{Function: f.Name(), Module: f.Module}
	}
	return out
}
