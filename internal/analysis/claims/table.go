package claims

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// File is the text of a table.
type File struct {
	Name string // name in errors
	Text []byte
}

// MaxFile bounds the bytes of a table.
const MaxFile = 16 << 20

// aliases maps alternative names of columns to canonical ones.
func aliases() map[string]string {
	return map[string]string{"claim_id": "id", "fact_id": "id", "source_file": "source", "stated_value": "stated"}
}

// table is a file with its header parsed.
type table struct {
	file    string
	above   int      // lines of comments above the header, as in what import reads
	columns []string // canonical names
	rows    *csv.Reader
}

// openTable parses the header; problems state why it cannot.
func openTable(f File, p *problems) (table, bool) {
	t := table{file: f.Name}
	text := bytes.TrimPrefix(f.Text, []byte("\ufeff"))
	if !isText(f.Name, text, p) {
		return t, false
	}
	for bytes.HasPrefix(text, []byte("#")) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
		t.above++
	}
	t.rows = csv.NewReader(bytes.NewReader(text))
	t.rows.FieldsPerRecord = -1
	t.rows.TrimLeadingSpace = true
	header, err := t.rows.Read()
	if err != nil {
		t.unreadable(err, p)
		return t, false
	}
	for _, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		if canonical, ok := aliases()[name]; ok {
			name = canonical
		}
		if slices.Contains(t.columns, name) && name != "" {
			p.add(place{f.Name, 1}, "leave one of them out", "two columns for %s", shortened(name))
			return t, false
		}
		t.columns = append(t.columns, name)
	}
	return t, true
}

func isText(name string, text []byte, p *problems) bool {
	const utf8Hint = "save it as CSV in UTF-8, its columns separated by commas"
	if len(text) > MaxFile {
		p.add(place{name, 1}, "a table should hold one article's facts or claims; split it", "larger than %d MiB",
			MaxFile>>20)
		return false
	}
	bad := bytes.IndexByte(text, 0)
	if bad < 0 && utf8.Valid(text) {
		return true
	}
	for i := 0; bad < 0; {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			bad = i
		}
		i += size
	}
	p.add(place{name, 1 + bytes.Count(text[:bad], []byte("\n"))}, utf8Hint, "not text in UTF-8")
	return false
}

func (t table) unreadable(err error, p *problems) {
	var bad *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		p.add(place{t.file, 1}, "the first line must name the columns", "empty")
	case errors.As(err, &bad):
		p.add(place{t.file, bad.StartLine + t.above},
			"put a cell with commas or quotes in quotes, and double its quotes", "%v", bad.Err)
	default:
		p.add(place{t.file, 1}, "", "%v", err)
	}
}

// need reports whether all columns are present, and notes a missing one.
func (t table) need(what string, columns []string, p *problems) bool {
	for _, c := range columns {
		if slices.Contains(t.columns, c) {
			continue
		}
		hint := fmt.Sprintf("the columns of %s are %s", what, strings.Join(columns, ", "))
		if len(t.columns) == 1 && strings.ContainsAny(t.columns[0], ";\t") {
			hint = "separate the columns by commas"
		}
		p.add(place{t.file, 1}, hint, "no column %q for %s", c, what)
		return false
	}
	return true
}

// row is one line of a table.
type row struct {
	place
	cells  map[string]string
	failed bool // it is of a run that failed
}

// each calls use for every valid line; the columns in full must not be empty.
func (t table) each(full []string, p *problems, use func(row)) {
	for {
		cells, err := t.rows.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.unreadable(err, p)
			return
		}
		line, _ := t.rows.FieldPos(0)
		r := row{place: place{t.file, line + t.above}, cells: map[string]string{}}
		if len(cells) != len(t.columns) {
			p.add(r.place, "put a cell with commas in quotes", "has %d cells, the header has %d", len(cells), len(t.columns))
			continue
		}
		for i, name := range t.columns {
			r.cells[name] = strings.TrimSpace(cells[i])
		}
		if r.isFull(full, p) {
			use(r)
		}
	}
}

func (r row) isFull(full []string, p *problems) bool {
	for _, c := range full {
		if r.cells[c] == "" {
			hint := ""
			if c == "unit" {
				hint = `counts and ratios have a unit too: "count", "ratio"`
			}
			p.add(r.place, hint, "no %s", c)
			return false
		}
	}
	return true
}
