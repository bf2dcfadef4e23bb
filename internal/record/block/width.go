package block

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// DisplayWidth returns how many columns s takes on a terminal.
func DisplayWidth(s string) int { return uniseg.StringWidth(s) }

// Cut shortens s to at most width columns.
func Cut(s string, width int) string {
	if DisplayWidth(s) <= width {
		return s
	}
	var b strings.Builder
	used := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if used += g.Width(); used > width-3 {
			break
		}
		b.WriteString(g.Str())
	}
	return b.String() + "..."
}

// Clean returns text from a file as one line that is safe to print: a machine's name must not be able to move the
// cursor or reverse the text around it.
func Clean(s string) string { return strings.Map(Printable, s) }

// They form ligatures, as of Persian and of emoji, and control nothing else.
const nonJoiner, joiner = '\u200c', '\u200d'

// Printable returns what stands for a character in a line: a space for white space, and a mark for what controls a
// terminal or the direction of text.
func Printable(r rune) rune {
	switch {
	case ' ' <= r && r <= '~':
		return r
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != joiner && r != nonJoiner:
		return '\uFFFD'
	}
	return r
}
