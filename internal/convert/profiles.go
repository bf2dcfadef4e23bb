package convert

import (
	"io"
	"time"

	"plimsoll/internal/record"
)

// Profiled is the combined profile of all profiled trials of one cell.
type Profiled struct {
	Name  string         // of the cell
	Start time.Time      // of the first trial's measured window; zero if unknown
	Span  time.Duration  // of all their windows
	CPU   record.Profile // CPU time
	Waits record.Profile // waiting threads; without stacks if none were sampled
}

// ProfileOutput is a format in which profiles can be exported.
type ProfileOutput struct {
	Name  string
	Doc   string // short description
	Write func(w io.Writer, p Profiled) error
}

// ProfileOutputs returns the formats in which profiles can be exported.
func ProfileOutputs() []ProfileOutput {
	return []ProfileOutput{
		{"pprof", "the profiles of one cell for go tool pprof, gzipped", writePprof},
		{"speedscope", "the same for speedscope, as JSON", writeSpeedscope},
	}
}

// framesOf returns a stack's frames, each with a name.
func framesOf(s record.Stack) []record.Frame {
	frames := s.Shown()
	out := make([]record.Frame, len(frames))
	for i, f := range frames {
		out[i] = record.Frame{Function: f.Name(), Module: f.Module}
	}
	return out
}
