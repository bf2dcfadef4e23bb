package reader

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"
)

// Bounds of an output. A few bytes of text can become hundreds in memory, so that they hold before anything is decoded.
type Bounds struct {
	Bytes int
	Runs  int
	Lines int // of text
	Line  int // bytes that are not overwritten
	Items int // of a JSON document: all that stands in its objects and lists
	Times int // likewise, of one with histograms, as of many jobs of fio or a sampling benchmark of JMH

	missed *Missed // what is not read; nil: nobody asks
}

// Missed is what an output seems to state and was not read.
type Missed struct {
	lines int
	first []string // of them, with their numbers
	left  []string // sentences about results that were left out
}

// mostMissed bounds the lines that are named.
const mostMissed = 3

// Told returns what was not read of a tool's output, a sentence each.
func (m Missed) Told(tool string) []string {
	out := m.left
	if m.lines == 0 {
		return out
	}
	if m.lines == 1 {
		return append(out, fmt.Sprintf("a line that looks like a result of %s was not read: %s", tool, m.first[0]))
	}
	more := ""
	if m.lines > len(m.first) {
		more = fmt.Sprintf(" and %d more", m.lines-len(m.first))
	}
	return append(out, fmt.Sprintf("%d lines that look like results of %s were not read: %s%s", m.lines, tool,
		strings.Join(m.first, "; "), more))
}

func (b Bounds) miss(at int, line string) {
	if b.missed == nil {
		return
	}
	if b.missed.lines++; len(b.missed.first) < mostMissed {
		b.missed.first = append(b.missed.first, fmt.Sprintf("line %d, %s", at, Brief(line)))
	}
}

func (b Bounds) leave(sentence string) {
	if b.missed != nil && len(b.missed.left) < mostMissed {
		b.missed.left = append(b.missed.left, sentence)
	}
}

// ReadAll is like Runs, and returns what was not read.
func (t Tool) ReadAll(out []byte, b Bounds) ([]Run, Missed, error) {
	b.missed = &Missed{}
	runs, err := t.Runs(out, b)
	return runs, *b.missed, err
}

// scan passes on the lines of an output to take, which reports whether it used a line. Those that look like results and
// were not used are missed.
func (b Bounds) scan(out []byte, like string, take func(line string) bool) error {
	lines, err := b.lines(out)
	if err != nil {
		return err
	}
	result := regexp.MustCompile(like)
	at := 0
	for line := range lines {
		if at++; !take(line) && result.MatchString(line) {
			b.miss(at, line)
		}
	}
	return nil
}

// Limits returns the bounds of what is imported, far above those of any benchmark: six days of a line a second.
func Limits() Bounds {
	return Bounds{Bytes: 64 << 20, Runs: 100_000, Lines: 1 << 19, Line: 1 << 20, Items: 1 << 18, Times: 1 << 21}
}

// Runs reads the runs of an output.
func (t Tool) Runs(out []byte, b Bounds) ([]Run, error) {
	runs, err := t.Read(out, b)
	if err == nil {
		err = b.enough(len(runs))
	}
	return runs, t.failed(out, b, err)
}

// failed leaves a sentence about the errors that a tool printed among its results, because a run is missing or broken.
// Without any results it returns the first one as the reason.
func (t Tool) failed(out []byte, b Bounds, err error) error {
	none := noRuns("")
	if t.Fails == "" || err != nil && !errors.As(err, &none) {
		return err
	}
	lines, long := b.lines(out)
	if long != nil {
		return err // JSON on one line
	}
	fails, first, n := regexp.MustCompile(t.Fails), "", 0
	for line := range lines {
		if at := fails.FindStringIndex(line); at != nil {
			first = cmp.Or(first, line[at[0]:])
			n++
		}
	}
	switch {
	case n == 0:
		return err
	case err != nil:
		return fmt.Errorf("%s ended without results: %s", t.Name, Brief(first))
	case n == 1:
		b.leave(fmt.Sprintf("%s printed an error, so that a run is missing or broken: %s", t.Name, Brief(first)))
	default:
		b.leave(fmt.Sprintf("%s printed %d errors, so that runs are missing or broken: %s first", t.Name, n, Brief(first)))
	}
	return nil
}

// noRuns is the error for an output without results.
type noRuns string

func (e noRuns) Error() string { return string(e) }

func (b Bounds) enough(runs int) error {
	if runs > b.Runs {
		return fmt.Errorf("more than %d runs, too many for a benchmark", b.Runs)
	}
	return nil
}

// lines returns the lines of an output as a terminal has them at last, without their ends: tools write reports over
// one another, as redis-benchmark does for its whole time.
func (b Bounds) lines(out []byte) (iter.Seq[string], error) {
	if err := few(out, "\n", b.Lines, "lines"); err != nil {
		return nil, err
	}
	for line := range bytes.Lines(out) {
		if n := len(shown(line)); n > b.Line {
			return nil, fmt.Errorf("a line of %d bytes, too long for a benchmark's", n)
		}
	}
	return func(yield func(string) bool) {
		for line := range bytes.Lines(out) {
			if !yield(string(shown(line))) {
				return
			}
		}
	}, nil
}

func shown(line []byte) []byte {
	line = bytes.TrimRight(colourless(line), " \r\n")
	return line[bytes.LastIndexByte(line, '\r')+1:]
}

// colourless returns text without the sequences that colour it, which tools print to a terminal and to what records it.
func colourless(text []byte) []byte {
	begin := []byte("\x1b[")
	before, after, found := bytes.Cut(text, begin)
	if !found {
		return text
	}
	out := bytes.Clone(before)
	for found {
		behind := bytes.TrimLeft(after, "0123456789;")
		if len(behind) > 0 && behind[0] == 'm' {
			after = behind[1:]
		} else { // it moves the cursor or clears
			out = append(out, begin...)
		}
		before, after, found = bytes.Cut(after, begin)
		out = append(out, before...)
	}
	return out
}

// sparse rejects a text of JSON or CSV with more items than most.
func sparse(text []byte, most int) error {
	return few(text, "{[,", most, "items")
}

// few rejects a text with more lines, elements or items than most: it counts the characters that each of them has.
func few(text []byte, any string, most int, what string) error {
	n := 0
	for i := range len(any) {
		n += bytes.Count(text, []byte{any[i]})
	}
	if n > most {
		return fmt.Errorf("more than %d %s, too many for a benchmark", most, what)
	}
	return nil
}

// documents decodes the JSON documents of an output, or the elements of the one list that it is, each of at most so
// many items, and returns the runs of each.
func documents[D, R any](b Bounds, out []byte, most int, runs func(D) []R) ([]R, error) {
	var all []R
	err := parts(out, func(part []byte) error {
		if err := sparse(part, most); err != nil {
			return err
		}
		var d D
		if err := json.Unmarshal(part, &d); err != nil {
			return notJSON(err, out)
		}
		all = append(all, runs(d)...)
		return b.enough(len(all))
	})
	return all, err
}

// jsonOrText reads the runs of a tool that prints JSON documents or text. Without any the error names what is missing
// and how to get it.
func jsonOrText[R any](out []byte, b Bounds, asJSON, asText func([]byte, Bounds) ([]R, error), what, hint string) ([]R,
	error) {
	read := asText
	if bytes.HasPrefix(bytes.TrimSpace(out), []byte("{")) {
		read = asJSON
	}
	runs, err := read(out, b)
	return some(runs, err, out, what, hint)
}

func notJSON(err error, out []byte) error {
	return fmt.Errorf("invalid JSON: %w, in %s", err, Excerpt(out))
}

// parts passes on the JSON documents of an output one by one, or the elements of the one list that it is.
func parts(out []byte, take func(part []byte) error) error {
	text := bytes.TrimPrefix(out, []byte("\ufeff"))
	in := json.NewDecoder(bytes.NewReader(text))
	isList := bytes.HasPrefix(bytes.TrimSpace(text), []byte("["))
	if isList {
		_, _ = in.Token() // its bracket
	}
	for in.More() {
		var part json.RawMessage
		if err := in.Decode(&part); err != nil {
			return notJSON(err, out)
		}
		if err := take(part); err != nil {
			return err
		}
	}
	if isList {
		if _, err := in.Token(); err != nil {
			return notJSON(io.ErrUnexpectedEOF, out)
		}
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return notJSON(errors.New("it goes on behind its end"), out)
	}
	return nil
}
