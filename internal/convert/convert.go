// Package convert translates between trials and other programs. It parses the output of tools into values (Parse) and
// their results into trials (All), and exports trials for other programs (Outputs).
package convert

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"plimsoll/internal/convert/reader"
	"plimsoll/internal/record"
)

// The formats that Parse reads.
const (
	Regexp = "regexp" // text; Pattern has one capture group, and the last match counts
	JSON   = "json"   // one or more JSON documents; Pattern is a JSONPath
	Go     = "go"     // Go benchmark lines; Pattern selects a benchmark by name
)

// Ask selects a value in a tool's output.
type Ask struct {
	Format  string        // Regexp, JSON, Go, or one of those parsed as a whole: Whole
	Pattern string        // see the formats
	Metric  record.Metric // Unit is the tool's: see Base
}

// Check returns an error if Parse cannot use a, so that a bad pattern is found before anything runs.
func (a Ask) Check() error {
	if _, whole := toolOf(a.Format); whole {
		if a.Pattern != "" {
			return fmt.Errorf("%s does not use a pattern\nhint: leave it out", a.Format)
		}
		return nil
	}
	_, err := a.finder()
	return err
}

// Parse finds the value selected by ask in out. The value is in the base unit of Ask.Metric.Unit. An error quotes the
// start of out. The formats that are parsed as a whole give several values, whatever the ask's metric.
func Parse(out []byte, ask Ask) ([]record.Value, error) {
	if t, whole := toolOf(ask.Format); whole {
		if err := ask.Check(); err != nil {
			return nil, err
		}
		return oneRun(t, out)
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

// finder finds a number, in the requested unit, in a tool's output.
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
	return nil, fmt.Errorf("unknown output format %q\nhint: the formats are %s, %s, %s, %s", a.Format, Regexp, JSON, Go,
		strings.Join(Whole(), ", "))
}

// regexpFinder finds the capture group of the pattern's last match: tools that report progress print their total last.
func regexpFinder(pattern string) (finder, error) {
	if pattern == "" {
		return nil,
			errors.New("a regular expression is required\nhint: such as 'rate: ([0-9.]+)', with one group around the number")
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w\nhint: use the syntax of Go's regexp package", err)
	}
	if n := re.NumSubexp(); n != 1 {
		return nil, fmt.Errorf("%q has %d capture groups instead of one\nhint: put ( ) around the number only; (?: ) "+
			"groups without capturing", pattern, n)
	}
	return func(out []byte) (float64, error) { return lastMatch(re, out) }, nil
}

func lastMatch(re *regexp.Regexp, out []byte) (float64, error) {
	matches := re.FindAllSubmatch(out, -1)
	if len(matches) == 0 {
		return 0, fmt.Errorf("nothing matches %q in %s\nhint: (?m) at its beginning makes ^ and $ match at each line", re,
			reader.Excerpt(out))
	}
	f, err := reader.Number(string(matches[len(matches)-1][1]))
	if err != nil {
		return 0, fmt.Errorf("the group of %q: %w, in %s", re, err, reader.Excerpt(out))
	}
	return f, nil
}
