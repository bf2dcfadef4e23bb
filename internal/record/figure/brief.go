package figure

import "strings"

// quoteMark begins the lines that a message quotes from a program's output.
const quoteMark = "\n  "

// Brief returns a message without the lines of a program's output that it quotes, each of which begins with two spaces,
// and without the words that introduce them: "… exit status 1; the last that it printed:".
func Brief(message string) string {
	before, quoted, found := strings.Cut(message, ":"+quoteMark)
	if !found {
		return message
	}
	if at := strings.LastIndex(before, "; "); at > 0 {
		before = before[:at]
	}
	for line := range strings.Lines("  " + quoted) {
		if !strings.HasPrefix(line, "  ") && strings.TrimSpace(line) != "" {
			before = strings.TrimSuffix(before, "\n") + "\n" + line
		}
	}
	return before
}
