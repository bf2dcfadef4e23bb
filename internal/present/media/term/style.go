package term

import (
	"io"
	"strconv"

	"golang.org/x/term"

	"plimsoll/internal/record/block"
)

// minWidth is the smallest width that COLUMNS may set.
const minWidth = 20

// defaultWidth is the assumed width if that of the terminal is unknown.
const defaultWidth = 100

// Style holds the display options of one writer.
type Style struct {
	Color bool // ANSI colours may be used
	Dumb  bool // the terminal cannot move its cursor, or there is none
	Last  bool // a terminal: the answer comes last, where the cursor is
	Width int  // columns
}

// NewStyle derives the style from w and the environment. COLUMNS is the width, in a pipe too; else that of the
// terminal. Colour is used on a terminal alone, and neither if NO_COLOR is set to anything (no-color.org) nor with
// TERM=dumb.
func NewStyle(w io.Writer, env func(string) string) Style {
	asked, err := strconv.Atoi(env("COLUMNS"))
	given := err == nil && asked >= minWidth
	s := Style{Dumb: true, Width: defaultWidth}
	if given {
		s.Width = asked
	}
	if !OnTerminal(w) {
		return s
	}
	s.Last = true
	if width, _, err := term.GetSize(int(w.(filed).Fd())); err == nil && width > 0 && !given {
		s.Width = width
	}
	return s.onTerminal(env)
}

// filed is a writer to an open file, as *os.File is.
type filed interface{ Fd() uintptr }

// OnTerminal reports whether w is a terminal.
func OnTerminal(w io.Writer) bool {
	f, ok := w.(filed)
	return ok && term.IsTerminal(int(f.Fd()))
}

// onTerminal completes the style of a terminal from the environment.
func (s Style) onTerminal(env func(string) string) Style {
	s.Dumb = env("TERM") == "dumb"
	s.Color = !s.Dumb && env("NO_COLOR") == ""
	return s
}

// Paint returns text with the escapes of a tone, or unchanged if the terminal takes no colours.
func (s Style) Paint(k block.Tone, text string) string {
	if !s.Color || k == block.Plain || text == "" {
		return text
	}
	return "\x1b[" + CodeOf(k) + "m" + text + "\x1b[0m"
}

// CodeOf returns the SGR parameter of a tone, or "" for a plain one.
func CodeOf(k block.Tone) string {
	switch k {
	case block.Strong:
		return "1"
	case block.Dim:
		return "2"
	case block.Good:
		return "32"
	case block.Bad:
		return "31"
	case block.Warn:
		return "33"
	}
	return "0"
}
