package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode"
)

// Verify reads what is to become a session's file line by line, in bounded memory, and returns an error as soon as it
// is none: its first line has to be one of a session, and of the others as many may be damaged as a reader lists.
func Verify(r io.Reader) error {
	lines := newSplitter(r)
	good, bad := 0, 0
	for {
		l, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		text := bytes.TrimSuffix(l.text, []byte{'\r'})
		if l.number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) == 0 && !l.long {
			continue
		}
		kind, _, err := check(text)
		switch {
		case l.long:
			err = fmt.Errorf("longer than %d MiB", maxLine>>20)
		case good == 0 && err == nil && kind != kindMachine && kind != kindPlan:
			err = fmt.Errorf("a session does not begin with a line of kind %q", clip(kind, shortText))
		}
		if err == nil {
			good++
			continue
		}
		if bad++; good == 0 || bad > min(good, maxProblems) {
			return fmt.Errorf("line %d: %w", l.number, err)
		}
	}
	if good == 0 {
		return errors.New("it has no whole line yet")
	}
	return nil
}

// Resembles reports whether a text is a session for those who have it, also one that was copied, edited or damaged: the
// first line that is not blank begins like a session's, or a later one of the beginning is one.
func Resembles(r io.Reader) bool {
	lines := newSplitter(whatComes{io.LimitReader(r, maxLine)})
	for first := true; ; {
		l, err := lines.next()
		if err != nil {
			return false
		}
		text := bytes.TrimPrefix(bytes.TrimFunc(l.text, unicode.IsSpace), []byte("\ufeff"))
		if len(text) == 0 {
			continue
		}
		if first && bytes.HasPrefix(text, []byte(opening)) {
			return true
		}
		if _, _, err := check(text); err == nil {
			return true
		}
		first = false
	}
}

// whatComes ends where reading fails: what is torn ends there.
type whatComes struct{ r io.Reader }

func (w whatComes) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil {
		err = io.EOF
	}
	return n, err
}
