package port

import (
	"bytes"
	"fmt"
)

// maxNested bounds the brackets in one another and the dots of a key in a lock. The library that reads TOML takes a
// time that grows with their square. Locks have four and two.
const maxNested = 16

// shallow returns an error if a text of TOML has more than maxNested brackets in one another, or a key of more parts.
func shallow(text []byte) error {
	depth, dots, line := 0, 0, 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			end, err := quotedEnd(text[i:])
			if err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			line += bytes.Count(text[i:i+end], []byte{'\n'})
			i += end - 1
		case '#':
			if end := bytes.IndexByte(text[i:], '\n'); end > 0 {
				i += end - 1
			} else {
				i = len(text)
			}
		case '.':
			dots++
		case '[', '{':
			depth, dots = depth+1, 0
		case ']', '}':
			depth, dots = max(0, depth-1), 0
		case '\n':
			line, dots = line+1, 0
		case '=', ',':
			dots = 0
		}
		if max(depth, dots) > maxNested {
			return fmt.Errorf("line %d: more than %d brackets in one another, or parts of a key", line, maxNested)
		}
	}
	return nil
}

// quotedEnd returns the length of the string of TOML that a text begins with. One in single quotation marks ends with
// its line at the latest.
func quotedEnd(text []byte) (int, error) {
	quote := text[0]
	run := func(at int) int {
		n := at
		for n < len(text) && text[n] == quote {
			n++
		}
		return n - at
	}
	const long = 3 // quotation marks of a string of several lines; two more may stand before those that end it
	several := run(0) >= long
	if run(0) == 2 {
		return 2, nil
	}
	at := 1
	if several {
		at = long
	}
	for at < len(text) {
		switch c := text[at]; {
		case c == '\\' && quote == '"':
			at += 2
		case c == quote && !several:
			return at + 1, nil
		case c == quote && run(at) > long+2:
			return 0, fmt.Errorf("more than %d quotation marks in a row", long+2)
		case c == quote && run(at) >= long:
			return at + run(at), nil
		case c == '\n' && !several:
			return at, nil
		default:
			at++
		}
	}
	return len(text), nil
}
