package term

import (
	"io"
	"os"

	"golang.org/x/term"

	"plimsoll/internal/block"
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

// Paint returns text with the escapes of a tone, or unchanged if the terminal takes no colours.
func (s Style) Paint(k block.Tone, text string) string {
	if !s.Color || k == block.Plain || text == "" {
		return text
	}
	return "\x1b[" + CodeOf(k) + "m" + text + "\x1b[0m"
}

// CodeOf returns the SGR parameter of a tone; "" of a plain one.
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
