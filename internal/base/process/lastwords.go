package process

import "strings"

const lastWords = 1 << 10

// LastWords keeps the end of what a program says, for a message about its failure. The zero value is ready; it is for
// one writer, and is read once that has ended.
type LastWords struct{ buf []byte }

// Write never fails.
func (w *LastWords) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p[max(0, len(p)-lastWords):]...)
	if over := len(w.buf) - lastWords; over > 0 {
		w.buf = append(w.buf[:0], w.buf[over:]...)
	}
	return len(p), nil
}

func (w *LastWords) String() string { return strings.TrimSpace(strings.ToValidUTF8(string(w.buf), "")) }
