package render

import (
	"io"
	"os"

	"golang.org/x/term"
)

// defaultWidth is used where the width of the terminal is not known.
const defaultWidth = 100

// Style says how text may look on one writer.
type Style struct {
	Color bool // ANSI colours may be used
	Dumb  bool // the terminal cannot move its cursor, or there is none
	Width int  // columns
}

// NewStyle looks at where w goes and at the environment. Colour is used on a
// terminal alone, and neither with NO_COLOR set to anything (no-color.org) nor
// with TERM=dumb.
func NewStyle(w io.Writer, env func(string) string) Style {
	s := Style{Dumb: true, Width: defaultWidth}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return s
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		s.Width = width
	}
	return s.onTerminal(env)
}

// onTerminal completes the style of a terminal from the environment.
func (s Style) onTerminal(env func(string) string) Style {
	s.Dumb = env("TERM") == "dumb"
	s.Color = !s.Dumb && env("NO_COLOR") == ""
	return s
}

// ink is what a piece of text means; its look is the medium's choice.
type ink string

const (
	plain  ink = ""
	strong ink = "strong"
	dim    ink = "dim"
	good   ink = "good"
	bad    ink = "bad"
	warn   ink = "warn"
)

func (s Style) paint(k ink, text string) string {
	if !s.Color || k == plain || text == "" {
		return text
	}
	return "\x1b[" + k.code() + "m" + text + "\x1b[0m"
}

func (k ink) code() string {
	switch k {
	case strong:
		return "1"
	case dim:
		return "2"
	case good:
		return "32"
	case bad:
		return "31"
	case warn:
		return "33"
	}
	return "0"
}
