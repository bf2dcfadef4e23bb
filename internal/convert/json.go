package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ohler55/ojg/jp"

	"plimsoll/internal/convert/reader"
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
