package convert

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// csvName is the name of the format, in Format and in a trial's keys.
const csvName = "csv"

func csvFormat() Format {
	return Format{
		Name: csvName,
		Doc: "CSV, one value per row: machine,workload,replicate,load,metric,value,unit, optionally load_kind, pair, " +
			"better, sd, n, reading_error, at, param.NAME; above the header, lines that begin with #",
		Read:  readCSV,
		Marks: reader.Marks{Looks: "a header with the columns metric and value", Match: isCSV},
	}
}

// isCSV reports whether the first line is a header of ours.
func isCSV(head []byte) bool {
	line, rest, _ := bytes.Cut(bytes.TrimPrefix(head, []byte("\ufeff")), []byte("\n"))
	for bytes.HasPrefix(line, []byte{comment}) {
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	var names []string
	for _, name := range strings.Split(string(line), ",") {
		names = append(names, strings.Trim(strings.TrimSpace(name), `"`))
	}
	return slices.Contains(names, colMetric) && slices.Contains(names, colValue)
}

// maxRow bounds the bytes of a row: an unclosed quote would otherwise swallow the rest of the file.
const maxRow = 64 << 10

// maxTogether bounds the rows of one trial that are collected before they are emitted.
const maxTogether = 64

func readCSV(r io.Reader, o Options, emit func(Result) error) error {
	text, err := textOf(r)
	if err == nil {
		err = markup(text)
	}
	if err != nil {
		return err
	}
	above, err := readPreface(text)
	if err != nil {
		return o.at(above.lines, "%w", err)
	}
	if o.source != nil {
		*o.source = above.source
	}
	c := newCSVReader(text, o, emit)
	c.above = above.lines
	if err := c.header(); err != nil {
		return err
	}
	for {
		row, err := c.read()
		if errors.Is(err, io.EOF) {
			return c.finish()
		}
		if err == nil {
			err = c.take(row)
		}
		if err != nil {
			return err
		}
	}
}

// csvReader collects consecutive rows of one trial, so that their shared identity is determined once.
type csvReader struct {
	Options
	emit    func(Result) error
	bound   *bounded
	csv     *csv.Reader
	columns columns
	rows    int
	above   int // lines above the header
	last    int // line of the last row
	tracks  tracks

	same    []string     // identifying cells of the collected rows
	pending record.Trial // without values if there are no rows
	lines   []int        // of its values
}

func newCSVReader(text io.Reader, o Options, emit func(Result) error) *csvReader {
	c := &csvReader{Options: o, emit: emit, bound: &bounded{r: text, left: maxRow}}
	c.csv = csv.NewReader(c.bound)
	c.csv.FieldsPerRecord = -1
	c.csv.ReuseRecord = true
	return c
}

func (c *csvReader) line() int {
	line, _ := c.csv.FieldPos(0)
	return line + c.above
}

func (c *csvReader) read() ([]string, error) {
	row, err := c.csv.Read()
	var bad *csv.ParseError
	switch {
	case errors.As(err, &bad):
		return nil, c.at(bad.StartLine+c.above, "%w\nhint: put a cell with quotes in quotes, and double its quotes", bad.Err)
	case errors.Is(err, errLongRow):
		return nil, c.at(c.last+1, "%w\nhint: a quote may be unclosed", err)
	}
	c.bound.left = maxRow
	if err == nil {
		c.last = c.line()
	}
	return row, err
}

// take adds a row to the collected ones, or emits those and starts anew.
func (c *csvReader) take(row []string) error {
	c.rows++
	line := c.line()
	if len(row) != len(c.columns.names) {
		return c.at(line, "has %d cells, the header has %d\nhint: put a cell with commas in quotes", len(row),
			len(c.columns.names))
	}
	if slices.Equal(row, c.columns.names) {
		return c.at(line, "the header is repeated\nhint: when joining files, leave out all headers but the first")
	}
	if c.columns.word(row, colAt) != "" {
		if err := c.tracks.take(c.columns, row, c.Options, line); err != nil {
			return c.at(line, "%w", err)
		}
		return nil
	}
	if !c.continues(row) {
		if err := c.flush(); err != nil {
			return err
		}
		if err := c.begin(row); err != nil {
			return c.at(line, "%w", err)
		}
	}
	v, moments, err := c.columns.value(row)
	if err != nil {
		return c.at(line, "%w", err)
	}
	if c.columns.word(row, colLoadKind) == loadCopies && v.Name == record.Elapsed && v.Unit == "s" && v.Value > 0 {
		c.keep(together(v, moments, c.pending.Load.Level))
	}
	c.keep(v, moments)
	c.tracks.note(c.columns, row, v)
	return nil
}

// keep adds a value to the collected ones.
func (c *csvReader) keep(v record.Value, moments record.Moments) {
	if moments.N > 0 {
		if c.pending.Moments == nil {
			c.pending.Moments = map[string]record.Moments{}
		}
		c.pending.Moments[strings.Clone(v.Name)] = moments
	}
	c.pending.Values, c.lines = append(c.pending.Values, v), append(c.lines, c.last)
}

// together returns what copies of some work handle side by side, by the time that each takes.
func together(time record.Value, moments record.Moments, copies float64) (record.Value, record.Moments) {
	out := record.Value{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher},
		Value: copies / time.Value}
	moments.SD *= out.Value / time.Value // the same share
	return out, moments
}

// continues reports whether a row has the identity of the collected ones.
func (c *csvReader) continues(row []string) bool {
	if len(c.lines) == 0 || len(c.lines) >= maxTogether {
		return false
	}
	for i, at := range c.columns.identity {
		if row[at] != c.same[i] {
			return false
		}
	}
	return true
}

func (c *csvReader) begin(row []string) (err error) {
	c.same = c.same[:0]
	for _, at := range c.columns.identity {
		c.same = append(c.same, row[at])
	}
	c.pending, err = c.columns.trial(row, c.Options)
	return err
}

func (c *csvReader) flush() error {
	if len(c.lines) == 0 {
		return nil
	}
	line := c.lines[0]
	err := c.emit(Result{Trial: c.pending})
	var bad badValue
	if errors.As(err, &bad) {
		line = c.lines[bad.index]
	}
	c.lines, c.pending = c.lines[:0], record.Trial{}
	if err != nil {
		return c.at(line, "%w", err)
	}
	return nil
}

func (c *csvReader) finish() error {
	if c.rows == 0 {
		return c.at(0, "it has a header but no rows")
	}
	if err := c.flush(); err != nil {
		return err
	}
	return c.tracks.emit(c.Options, c.emit)
}

// bounded aborts reading a row that is too long.
type bounded struct {
	r    io.Reader
	left int
}

var errLongRow = errors.New("a row of more than 64 KiB")

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLongRow
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
