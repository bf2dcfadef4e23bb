package engine

import (
	"strings"
	"sync"
	"unicode"
)

const (
	keptBytes = 8 << 10 // kept from the end of an output
	keptLines = 12      // of those, shown in a message
)

// Output keeps the end of a program's output. The zero value is ready.
type Output struct {
	mu   sync.Mutex
	tail []byte
}

// Write never fails.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = append(o.tail, p[max(0, len(p)-keptBytes):]...)
	if over := len(o.tail) - keptBytes; over > 0 {
		o.tail = append(o.tail[:0], o.tail[over:]...)
	}
	return len(p), nil
}

// text returns the kept end of the output.
func (o *Output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.tail)
}

// Last returns the last lines as the end of a message, without characters that would move a terminal's cursor or
// change its colours.
func (o *Output) Last() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := strings.TrimSpace(strings.Map(printable, strings.ToValidUTF8(string(o.tail), "")))
	if text == "" {
		return "; it printed nothing"
	}
	lines := strings.Split(text, "\n")
	return "; the last that it printed:\n  " + strings.Join(lines[max(0, len(lines)-keptLines):], "\n  ")
}

func printable(r rune) rune {
	if r == '\n' || unicode.IsPrint(r) {
		return r
	}
	return ' '
}
