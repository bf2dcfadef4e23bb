package figure

import (
	"strings"
	"unicode"
)

// mostShort is the number of characters of a shortened value: two of them and a few words fit a line of 80 columns.
const mostShort = 40

// Short returns a value in one line of at most 40 characters and the marks of what is left out, since it may be a
// command or a page of settings: its beginning, or the part from which on it differs from the others that stand beside
// it.
func Short(value string, others ...string) string {
	if len(value) <= mostShort && !strings.ContainsFunc(value, unicode.IsSpace) {
		return value // the usual case, without a copy
	}
	text := []rune(oneLine(value))
	from := 0
	if len(text) > mostShort {
		from = differsFrom(text, others)
	}
	out := string(text[from:min(len(text), from+mostShort)])
	if from > 0 {
		out = "..." + out
	}
	if from+mostShort < len(text) {
		out += "..."
	}
	return out
}

func oneLine(value string) string { return strings.Join(strings.Fields(value), " ") }

// differsFrom returns the start of the first word in which a text differs from another one, or of a part of that word;
// 0 if its beginning tells it from all others.
func differsFrom(text []rune, others []string) int {
	const part = 16
	shared := -1
	for _, o := range others {
		same := 0
		for _, r := range oneLine(o) {
			if same == len(text) || text[same] != r {
				break
			}
			same++
		}
		shared = max(shared, same)
	}
	if shared < mostShort*2/3 || shared == len(text) {
		return 0
	}
	at := shared
	for at > shared-part && !unicode.IsSpace(text[at-1]) {
		at--
	}
	return at
}
