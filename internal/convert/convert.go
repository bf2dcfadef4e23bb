// Package convert stands between trials and other programs. It turns what tools
// print into values (Parse) and their results into trials (All), and writes
// trials for others to read (Outputs).
package convert

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// The formats that Parse reads.
const (
	Regexp = "regexp" // text; Pattern has one capture group, and the last match counts
	JSON   = "json"   // one or more JSON documents; Pattern is a JSONPath
	Go     = "go"     // Go benchmark lines; Pattern selects a benchmark by name
)

// Ask is what to look for in a tool's output.
type Ask struct {
	Format  string        // Regexp, JSON, Go, or one of those read as a whole: Whole
	Pattern string        // see the formats
	Metric  record.Metric // Unit is the one that the tool prints: see Base
}

// Check tells whether Parse can use a, so that a bad pattern is found before
// anything runs.
func (a Ask) Check() error {
	if _, whole := toolOf(a.Format); whole {
		if a.Pattern != "" {
			return fmt.Errorf("%s's values have no pattern\nhint: leave it out", a.Format)
		}
		return nil
	}
	_, err := a.finder()
	return err
}

// Parse finds the value that ask describes in out. The value is in the base
// unit of Ask.Metric.Unit. An error quotes the beginning of out. The formats that are read
// as a whole give several values, whatever the ask's metric.
func Parse(out []byte, ask Ask) ([]record.Value, error) {
	if t, whole := toolOf(ask.Format); whole {
		if err := ask.Check(); err != nil {
			return nil, err
		}
		return t.one(out)
	}
	find, err := ask.finder()
	if err != nil {
		return nil, err
	}
	unit, factor := Base(ask.Metric.Unit)
	num, err := find(out)
	if err != nil {
		return nil, err
	}
	m := ask.Metric
	m.Unit = unit
	v := num * factor
	if math.IsInf(v, 0) {
		return nil, fmt.Errorf("%g %s is too large a number", num, ask.Metric.Unit)
	}
	return []record.Value{{Metric: m, Value: v}}, nil
}

// finder finds a number, in the unit that was asked for, in a tool's output.
type finder func(out []byte) (float64, error)

func (a Ask) finder() (finder, error) {
	switch a.Format {
	case Regexp:
		return regexpFinder(a.Pattern)
	case JSON:
		return jsonFinder(a.Pattern)
	case Go:
		return goFinder(a.Pattern, a.Metric.Unit)
	}
	return nil, fmt.Errorf("no output format is named %q\nhint: the formats are %s, %s, %s, %s", a.Format, Regexp, JSON, Go, strings.Join(Whole(), ", "))
}

// number reads a finite number as tools print it.
func number(text string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%s is not a number", Excerpt([]byte(text)))
	}
	return f, nil
}

// excerptBytes is how much of a tool's output an error quotes.
const excerptBytes = 200

// Excerpt quotes the first 200 bytes of out and says how much was left off.
func Excerpt(out []byte) string {
	switch {
	case len(out) == 0:
		return "nothing"
	case len(out) <= excerptBytes:
		return strconv.Quote(string(out))
	}
	return fmt.Sprintf("%q and %d bytes more", out[:excerptBytes], len(out)-excerptBytes)
}
