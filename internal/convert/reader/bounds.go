package reader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// Bounds of an output, far above those of any benchmark. A few bytes of text can become hundreds in memory, so that they hold
// before anything is decoded.
const (
	maxRuns  = 1 << 18
	maxLines = 1 << 19 // of text: six days of one a second
	maxLine  = 1 << 20 // bytes: redis-benchmark writes its reports over one another in a single line
	maxItems = 1 << 19 // of a JSON document: all that stands in its objects and lists
)

// Runs reads the runs of an output.
func (t Tool) Runs(out []byte) ([]Run, error) {
	runs, err := t.Read(out)
	if err == nil && len(runs) > maxRuns {
		err = fmt.Errorf("more than %d runs, too many for a benchmark", maxRuns)
	}
	return runs, err
}

// linesOf returns the lines of an output without their ends. Those that are too long for a tool's are left out.
func linesOf(out []byte) (iter.Seq[string], error) {
	if bytes.Count(out, []byte{'\n'}) > maxLines {
		return nil, fmt.Errorf("more than %d lines, too many for a benchmark", maxLines)
	}
	return func(yield func(string) bool) {
		for line := range bytes.Lines(out) {
			if len(line) <= maxLine && !yield(strings.TrimRight(string(line), " \r\n")) {
				return
			}
		}
	}, nil
}

// sparse rejects a text of JSON or CSV with too many items.
func sparse(text []byte) error {
	n := 0
	for _, before := range []byte("{[,") {
		n += bytes.Count(text, []byte{before})
	}
	if n > maxItems {
		return fmt.Errorf("more than %d items, too many for a benchmark", maxItems)
	}
	return nil
}

// documents decodes the JSON documents of an output, or the elements of the one list that it is, and returns the runs of each.
func documents[D, R any](out []byte, runs func(D) []R) ([]R, error) {
	var all []R
	err := parts(out, func(part []byte) error {
		if err := sparse(part); err != nil {
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
