package convert

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// The columns of CSV. Those of parameters are paramColumn and their name.
const (
	colMachine   = "machine"
	colWorkload  = "workload"
	colReplicate = "replicate"
	colLoad      = "load"
	colMetric    = "metric"
	colValue     = "value"
	colUnit      = "unit"
	colLoadKind  = "load_kind"
	colPair      = "pair"
	colBetter    = "better"
	colSD        = "sd"
	colN         = "n"
	colError     = "reading_error"
	colAt        = "at"
	paramColumn  = "param."
)

func neededColumns() []string {
	return []string{colMachine, colWorkload, colReplicate, colLoad, colMetric, colValue, colUnit}
}

func optionalColumns() []string {
	return []string{colLoadKind, colPair, colBetter, colSD, colN, colError, colAt}
}

// ofValues returns the columns that tell values of one run apart, or about them.
func ofValues() []string {
	return []string{colMetric, colValue, colUnit, colBetter, colSD, colN, colError, colAt}
}

// maxColumns exceeds the columns of any real header.
const maxColumns = 256

// columns is the header of a CSV file.
type columns struct {
	names    []string
	index    map[string]int
	params   []string // names of the parameters' columns
	identity []int    // columns that distinguish trials
	mean     *regexp.Regexp
}

// header reads and validates the first row.
func (c *csvReader) header() error {
	row, err := c.read()
	if errors.Is(err, io.EOF) {
		return errors.New("no header line")
	}
	if err != nil {
		return err
	}
	if len(row) > maxColumns {
		return c.at(c.line(), "the header has %d columns, over the limit of %d", len(row), maxColumns)
	}
	if c.columns, err = newColumns(row); err != nil {
		return c.at(c.line(), "%w", err)
	}
	if err := c.columns.missing(c.Options); err != nil {
		return c.at(c.line(), "%w", err)
	}
	return nil
}

func newColumns(row []string) (columns, error) {
	c := columns{index: map[string]int{}, mean: meanForm()}
	for i, name := range row {
		name = strings.Clone(strings.TrimSpace(name))
		if _, ok := c.index[name]; ok {
			return c, fmt.Errorf("the header has the column %s twice", reader.Brief(name))
		}
		param, isParam := strings.CutPrefix(name, paramColumn)
		switch {
		case isParam && param != "":
			c.params = append(c.params, param)
		case !slices.Contains(neededColumns(), name) && !slices.Contains(optionalColumns(), name):
			return c, unknownColumn(name, row)
		}
		if !slices.Contains(ofValues(), name) {
			c.identity = append(c.identity, i)
		}
		c.index[name] = i
		c.names = append(c.names, name)
	}
	return c, nil
}

func unknownColumn(name string, row []string) error {
	for _, sep := range []string{";", "\t"} {
		if len(row) == 1 && strings.Contains(name, sep) {
			return fmt.Errorf("the columns are separated by %q\nhint: separate them by commas", sep)
		}
	}
	return fmt.Errorf("unknown column %s\nhint: the columns are %s, optionally %s, and param.NAME for anything else "+
		"that distinguishes runs", reader.Brief(name),
		strings.Join(neededColumns(), ", "), strings.Join(optionalColumns(), ", "))
}

// missing returns an error for columns that neither the file nor an option provides.
func (c columns) missing(o Options) error {
	given := map[string]bool{
		colMachine: o.Machine != "" || o.Folder != "", colWorkload: o.Workload != "", colReplicate: o.Replicate != Unnumbered,
		colLoad: o.Load.Kind != "",
	}
	var out []string
	hint := "the first line must name the columns: " + strings.Join(neededColumns(), ",")
	for _, name := range neededColumns() {
		if _, ok := c.index[name]; ok || given[name] {
			continue
		}
		if _, can := given[name]; can && len(out) == 0 {
			hint = fmt.Sprintf("set it for all rows with --%s", name)
		}
		out = append(out, name)
	}
	if len(out) == 0 {
		return nil
	}
	return fmt.Errorf("no column %s\nhint: %s", strings.Join(out, ", "), hint)
}

// cell returns the text of a row in a column, "" if there is no such column.
func (c columns) cell(row []string, name string) string {
	if at, ok := c.index[name]; ok {
		return row[at]
	}
	return ""
}

func (c columns) word(row []string, name string) string {
	return strings.TrimSpace(c.cell(row, name))
}

// trial returns the identity of a row's trial.
func (c columns) trial(row []string, o Options) (record.Trial, error) {
	machine, errMachine := filled(colMachine, c.word(row, colMachine), o.Machine)
	machine = cmp.Or(machine, o.Folder)
	workload, errWorkload := filled(colWorkload, c.word(row, colWorkload), o.Workload)
	params, errParams := c.paramsOf(row, o)
	replicate, errReplicate := replicateOf(c.word(row, colReplicate), o)
	load, errLoad := c.loadOf(row, o, params)
	pair, errPair := pairOf(c.word(row, colPair))
	if err := firstOf(errMachine, errWorkload, errParams, errReplicate, errLoad, errPair,
		o.holds(machine, load)); err != nil {
		return record.Trial{}, err
	}
	return record.Trial{Keys: newKeys(csvName, machine, workload, params, load), Load: load,
		Slot: record.Slot{Replicate: replicate, Pair: pair}}, nil
}

// loadOf returns a row's load; the load of the options if the row has none.
func (c columns) loadOf(row []string, o Options, params record.Params) (record.LoadPoint, error) {
	level, kind := c.word(row, colLoad), c.word(row, colLoadKind)
	if level == "" && kind == "" {
		if load, ok := o.given(); ok {
			return load, nil
		}
	}
	load, err := loadOf(level, kind, params)
	if err != nil {
		return load, err
	}
	return load, o.contradicts(load)
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// paramsOf returns a row's parameters, without empty ones.
func (c columns) paramsOf(row []string, o Options) (record.Params, error) {
	out := record.Params{}
	for name, value := range o.Params {
		out[name] = value
	}
	for _, name := range c.params {
		value := c.cell(row, paramColumn+name)
		if given := o.Params[name]; given != "" && value != "" && given != value {
			return nil, fmt.Errorf("param.%s is %s here, but %s in --param", name, reader.Brief(value), reader.Brief(given))
		}
		if value != "" {
			out[name] = value
		}
	}
	return out, nil
}

// MaxReplicate exceeds any real number of repetitions.
const MaxReplicate = 1_000_000_000

func replicateOf(text string, o Options) (int, error) {
	if text == "" && o.Replicate != Unnumbered {
		return o.Replicate, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 0 || n > MaxReplicate:
		return 0, fmt.Errorf("replicate %s is not a whole number from 0 to %d\nhint: number independent repetitions",
			reader.Brief(text), MaxReplicate)
	case o.Replicate != Unnumbered && n != o.Replicate:
		return 0, fmt.Errorf("replicate is %d here, but %d in --replicate\nhint: leave out --replicate", n, o.Replicate)
	}
	return n, nil
}

// pairOf returns the number shared by trials that ran side by side; nil if the file does not tell.
func pairOf(text string) (*int, error) {
	if text == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > MaxReplicate {
		return nil, fmt.Errorf("pair %s is not a whole number from 0 to %d\nhint: runs that ran side by side share a "+
			"number; leave it empty for others", reader.Brief(text), MaxReplicate)
	}
	return &n, nil
}

// value returns a row's value, with its moments if it is a mean; N is 0 if it is not.
func (c columns) value(row []string) (v record.Value, m record.Moments, err error) {
	stated, err := parseMean(c.mean, c.word(row, colValue), c.word(row, colSD), c.word(row, colN))
	if err != nil {
		return v, m, err
	}
	better := record.Better(c.word(row, colBetter))
	if !slices.Contains([]record.Better{"", record.Higher, record.Lower, record.Neutral}, better) {
		return v, m, fmt.Errorf("better is %s\nhint: use %s, %s or %s", reader.Brief(string(better)), record.Higher,
			record.Lower, record.Neutral)
	}
	unit := c.word(row, colUnit)
	if v, err = measured(c.word(row, colMetric), unit, better, stated.mean); err != nil {
		return v, m, err
	}
	if text := c.word(row, colError); text != "" {
		if stated.N > 0 {
			return v, m, fmt.Errorf("a value that is a mean of n=%d has a %s too\nhint: state one of the two", stated.N,
				colError)
		}
		m, err = readingError(text, unit, v)
		return v, m, err
	}
	if stated.N == 0 {
		return v, m, nil
	}
	sd, err := inBase(colSD, unit, record.Neutral, stated.SD)
	stated.SD = sd.Value
	return v, stated.Moments, err
}

// chunk is the number of items of a column that are contiguous. Growth copies none of them, so that even the largest
// input takes no more memory than its items.
const chunk = 1 << 12

// column is a list that grows without copying.
type column[T any] struct {
	chunks [][]T
}

func (c *column[T]) add(item T) {
	last := len(c.chunks) - 1
	if last < 0 || len(c.chunks[last]) == chunk {
		c.chunks = append(c.chunks, make([]T, 0, chunk))
		last++
	}
	c.chunks[last] = append(c.chunks[last], item)
}

func (c *column[T]) at(i int) *T { return &c.chunks[i/chunk][i%chunk] }

func (c *column[T]) len() int {
	last := len(c.chunks) - 1
	if last < 0 {
		return 0
	}
	return last*chunk + len(c.chunks[last])
}
