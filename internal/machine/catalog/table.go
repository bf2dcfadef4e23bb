package catalog

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/list"
)

// row is one line of a table, by column name.
type row struct {
	line     int
	fields   map[string]string
	problems *[]Problem
}

// Problem is an error in one line of a file; 0 is the whole file.
type Problem struct {
	Line int
	Text string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.Text
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Text)
}

// readTable reads CSV with a header that has at least the required columns. It returns all valid lines and notes the
// others as problems.
func readTable(text []byte, need []string, problems *[]Problem) []row {
	return readColumns(text, need, nil, problems)
}

// readColumns is readTable for a file without other columns than known, if that has any. Another column, such as a
// currency, may change the meaning of these.
func readColumns(text []byte, need, known []string, problems *[]Problem) []row {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	header, err := r.Read()
	if err != nil {
		*problems = append(*problems, Problem{0, "no header line with " + strings.Join(need, ", ")})
		return nil
	}
	for _, name := range need {
		if !slices.Contains(header, name) {
			*problems = append(*problems, Problem{1, fmt.Sprintf("the header has no column %q", name)})
		}
	}
	for i, name := range header {
		switch name = strings.TrimSpace(name); {
		case len(known) > 0 && !slices.Contains(known, name):
			*problems = append(*problems, Problem{1, fmt.Sprintf("unknown column %q: the columns are %s", name,
				strings.Join(known, ", "))})
		case slices.Contains(header[:i], name):
			*problems = append(*problems, Problem{1, fmt.Sprintf("the header has the column %q twice", name)})
		}
	}
	if len(*problems) > 0 {
		return nil
	}
	return readRows(r, header, problems)
}

func readRows(r *csv.Reader, header []string, problems *[]Problem) []row {
	var out []row
	for {
		record, err := r.Read()
		var bad *csv.ParseError
		switch {
		case err == io.EOF:
			return out
		case errors.As(err, &bad):
			*problems = append(*problems, Problem{bad.Line, bad.Err.Error()})
			return out
		case err != nil:
			*problems = append(*problems, Problem{0, err.Error()})
			return out
		}
		line, _ := r.FieldPos(0)
		if len(record) != len(header) {
			*problems = append(*problems,
				Problem{line, fmt.Sprintf("has %d cells, the header has %d", len(record), len(header))})
			continue
		}
		out = append(out, newRow(line, header, record, problems))
	}
}

func newRow(line int, header, record []string, problems *[]Problem) row {
	fields := map[string]string{}
	for i, name := range header {
		fields[name] = strings.TrimSpace(record[i])
	}
	return row{line, fields, problems}
}

func (r row) bad(format string, args ...any) {
	*r.problems = append(*r.problems, Problem{r.line, fmt.Sprintf(format, args...)})
}

// amount parses a number; an empty cell is unknown.
func (r row) amount(column string) Amount {
	text := r.fields[column]
	if text == "" {
		return Amount{}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		r.bad("%s %q is not a number", column, text)
		return Amount{}
	}
	return Some(v)
}

// count parses a whole number; an empty cell is 0.
func (r row) count(column string) int {
	a := r.amount(column)
	if a.Value != math.Trunc(a.Value) || a.Value < 0 {
		r.bad("%s %q is not a whole number", column, r.fields[column])
	}
	return int(a.Value)
}

// source is the origin and the date of a file's facts, or of the prices in one of its columns.
type source struct {
	file, column, source, date string
}

func parseSources(text []byte, problems *[]Problem) []source {
	var out []source
	for _, r := range readTable(text, []string{"file", "column", "source", "date"}, problems) {
		out = append(out, source{r.fields["file"], r.fields["column"], r.fields["source"], r.fields["date"]})
	}
	return out
}

func sourcesOf(all []source, file string) []source {
	return list.Filter(all, func(s source) bool { return s.file == file })
}
