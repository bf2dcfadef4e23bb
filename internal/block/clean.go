package block

import (
	"strings"
	"unicode"
)

// Clean returns text from a file as one line that is safe to print: a machine's name must not be able to move the cursor
// or reverse the text around it.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return '\uFFFD'
		}
		return r
	}, s)
}
