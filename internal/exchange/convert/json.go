package convert

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ohler55/ojg/jp"

	"plimsoll/internal/base/input"
	"plimsoll/internal/exchange/convert/reader"
)

// jsonFinder finds the number, or a text that is one, at a JSONPath. Of several documents (JSON Lines) the last one
// with the path counts.
func jsonFinder(pattern string) (finder, error) {
	if pattern == "" {
		return nil, errors.New("a JSONPath is required\nhint: such as '$.jobs[0].read.iops'")
	}
	path, err := jp.ParseString(pattern)
	if err != nil {
		return nil, fmt.Errorf("%q is not a JSONPath: %w\nhint: such as '$.jobs[0].read.iops'", pattern, err)
	}
	return func(out []byte) (float64, string, error) {
		found, err := lastAt(path, out)
		if err != nil {
			return 0, "", err
		}
		f, err := jsonNumber(found)
		if err != nil {
			return 0, "", fmt.Errorf("%s: %w, in %s", pattern, err, reader.Excerpt(out))
		}
		return f, "", nil
	}, nil
}

// lastAt decodes with encoding/json rather than ojg, because it bounds the nesting of a document, and a JSONPath with
// .. follows a document recursively.
func lastAt(path jp.Expr, out []byte) ([]any, error) {
	dec := json.NewDecoder(bytes.NewReader(out))
	var last []any
	for n := 1; ; n++ {
		var doc any
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return last, nil
		}
		if err != nil {
			return nil, fmt.Errorf("document %d is not JSON: %w, in %s\nhint: the command must print nothing but JSON on its "+
				"standard output", n, err, reader.Excerpt(out))
		}
		if found := path.Get(doc); len(found) > 0 {
			last = found
		}
	}
}

func jsonNumber(found []any) (float64, error) {
	switch len(found) {
	case 0:
		return 0, errors.New("no value found")
	case 1:
	default:
		return 0, fmt.Errorf("it matches %d values instead of one", len(found))
	}
	switch v := found[0].(type) {
	case float64:
		return v, nil
	case string:
		return reader.Number(v)
	case nil:
		return 0, errors.New("null is not a number")
	default:
		return 0, fmt.Errorf("%s is not a number", jsonKind(v))
	}
}

func jsonKind(v any) string {
	switch v.(type) {
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	default:
		return "an object"
	}
}

// sniffBytes is how much of an input is inspected before reading it.
const sniffBytes = 1 << 10

// textOf returns an input that is not empty without its byte order mark. The error identifies inputs other than UTF-8
// text.
func textOf(r io.Reader) (*bufio.Reader, error) {
	in, err := input.Text(r)
	if err != nil {
		return nil, err
	}
	if head, _ := in.Peek(1); len(head) == 0 { // an error recurs on reading
		return nil, errors.New("it is empty")
	}
	return in, nil
}

// markup returns an error if a supposed CSV input begins like JSON, HTML or XML.
func markup(in *bufio.Reader) error {
	head, _ := in.Peek(sniffBytes) // an error recurs on reading
	head = bytes.ToLower(bytes.TrimSpace(head))
	for _, k := range []struct{ begin, what string }{
		{"{", "it is JSON, not CSV"}, {"[", "it is JSON, not CSV"},
		{"<!doctype html", "it is an HTML page, not CSV"}, {"<html", "it is an HTML page, not CSV"},
		{"<", "it is XML or HTML, not CSV"},
	} {
		if bytes.HasPrefix(head, []byte(k.begin)) {
			return errors.New(k.what + "\nhint: save or convert the table as CSV, with the names of the columns in " +
				"the first line")
		}
	}
	return nil
}
