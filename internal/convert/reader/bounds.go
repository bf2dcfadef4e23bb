package reader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Bounds of an output, far above those of any benchmark. A few bytes of text can become hundreds in memory, so that
// they hold before anything is decoded.
const (
	maxRuns  = 1 << 18
	maxLines = 1 << 19 // of text: six days of one a second
	maxLine  = 1 << 20 // bytes that are not overwritten
	maxItems = 1 << 19 // of a JSON document: all that stands in its objects and lists
	maxTimes = 1 << 21 // likewise, of one with histograms, as of many jobs of fio or a sampling benchmark of JMH
)

// Runs reads the runs of an output.
func (t Tool) Runs(out []byte) ([]Run, error) {
	runs, err := t.Read(out)
	if err == nil && len(runs) > maxRuns {
		err = fmt.Errorf("more than %d runs, too many for a benchmark", maxRuns)
	}
	return runs, err
}

// linesOf returns the lines of an output as a terminal has them at last, without their ends: tools write reports over
// one another, as redis-benchmark does for its whole time.
func linesOf(out []byte) (iter.Seq[string], error) {
	if bytes.Count(out, []byte{'\n'}) > maxLines {
		return nil, fmt.Errorf("more than %d lines, too many for a benchmark", maxLines)
	}
	for line := range bytes.Lines(out) {
		if n := len(shown(line)); n > maxLine {
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
	line = bytes.TrimRight(line, " \r\n")
	return line[bytes.LastIndexByte(line, '\r')+1:]
}

// sparse rejects a text of JSON or CSV with more items than most.
func sparse(text []byte, most int) error {
	n := 0
	for _, before := range []byte("{[,") {
		n += bytes.Count(text, []byte{before})
	}
	if n > most {
		return fmt.Errorf("more than %d items, too many for a benchmark", most)
	}
	return nil
}

// documents decodes the JSON documents of an output, or the elements of the one list that it is, each of at most so
// many items, and returns the runs of each.
func documents[D, R any](out []byte, most int, runs func(D) []R) ([]R, error) {
	var all []R
	err := parts(out, func(part []byte) error {
		if err := sparse(part, most); err != nil {
			return err
		}
		var d D
		if err := json.Unmarshal(part, &d); err != nil {
			return notJSON(err, out)
		}
		if all = append(all, runs(d)...); len(all) > maxRuns {
			return fmt.Errorf("more than %d runs, too many for a benchmark", maxRuns)
		}
		return nil
	})
	return all, err
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
