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

// frameName is what a frame without symbols is called elsewhere, too: after its file.
func frameName(f record.Frame) string {
	switch {
	case f.Function != "":
		return f.Function
	case f.Module == "":
		return "[unknown]"
	case f.Module[0] == '[':
		return f.Module
	}
	return "[" + f.Module + "]"
}

// unwalked is the frame of stacks that have none.
const unwalked = "[not walked]"

// framesOf are a stack's frames, each with a name.
func framesOf(s record.Stack) []record.Frame {
	if len(s.Frames) == 0 {
		return []record.Frame{{Function: unwalked}}
	}
	out := make([]record.Frame, len(s.Frames))
	for i, f := range s.Frames {
		out[i] = record.Frame{Function: frameName(f), Module: f.Module}
	}
	return out
}
