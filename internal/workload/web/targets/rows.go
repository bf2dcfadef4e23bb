package targets

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/client/httpload"
)

// PackRows returns the table of a CSV file, for UnpackRows on the host that sends its values.
func PackRows(path string, _ func(name string) (string, error)) ([]byte, error) {
	text, err := input.ReadText(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s\nhint: a CSV file whose first line names the columns", path)
	}
	if err != nil {
		return nil, err
	}
	rows, err := rowsOf(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return json.Marshal(rows)
}

// rowsOf parses a table: names in the first line, and rows of as many values.
func rowsOf(text []byte) (httpload.Rows, error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.TrimLeadingSpace = true
	all, err := r.ReadAll()
	if err != nil {
		return httpload.Rows{},
			fmt.Errorf("no CSV: %w\nhint: the first line names the columns, and each other one has as many "+
				"values, those with a comma or a quote in quotes", err)
	}
	if len(all) < 2 {
		return httpload.Rows{}, errors.New("it has no rows after the names of its columns\nhint: the first line names the " +
			"columns, such as user,password")
	}
	out := httpload.Rows{Cells: all[1:]}
	seen := map[string]bool{}
	for _, name := range all[0] {
		name = strings.TrimSpace(name)
		if name == "" || seen[name] || strings.ContainsAny(name, "{}:") {
			return httpload.Rows{}, fmt.Errorf("the column %q has no name of its own without {, } and :\nhint: the first line "+
				"names the columns, such as user,password", name)
		}
		seen[name] = true
		out.Names = append(out.Names, name)
	}
	return out, nil
}

// UnpackRows is the inverse of PackRows.
func UnpackRows(packed string) (*httpload.Rows, error) {
	var out httpload.Rows
	if err := json.Unmarshal([]byte(packed), &out); err != nil {
		return nil, errors.New("the rows are no file's: " + err.Error())
	}
	return &out, nil
}
