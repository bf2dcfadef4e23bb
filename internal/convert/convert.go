// Package convert translates between trials and other programs. It parses the output of tools into values (Parse) and
// their results into trials (All), and exports trials for other programs (Outputs).
package convert

import (
	"fmt"
	"regexp"
	"slices"

	"plimsoll/internal/convert/reader"
	"plimsoll/internal/input"
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
	if a.Format == Go {
		_, err := goPattern(a.Pattern)
		return err
	}
	_, err := a.parts()
	return err
}

// Parse finds the value selected by ask in out. The value is in the base unit of Ask.Metric.Unit. An error quotes the
// start of out. The formats that are parsed as a whole give several values, whatever the ask's metric.
func Parse(out []byte, ask Ask) ([]record.Value, error) {
	if err := ask.Check(); err != nil {
		return nil, err
	}
	if err := input.Alien(out[:min(len(out), sniffBytes)]); err != nil {
		return nil, fmt.Errorf("the output: %w", err)
	}
	out = input.Unmarked(out)
	if t, whole := toolOf(ask.Format); whole {
		return oneRun(t, out)
	}
	if ask.Format == Go {
		return goValues(out, ask)
	}
	parts, err := ask.parts()
	if err != nil {
		return nil, err
	}
	var values []record.Value
	for _, p := range parts {
		num, err := p.find(out)
		if err != nil {
			return nil, err
		}
		v, err := p.in(num)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// finder finds a number, in the requested unit, in a tool's output.
type finder func(out []byte) (float64, error)

// lastMatch finds a group of the pattern's last match: tools that report progress print their total last. Of several
// groups it is the last match that has it.
func lastMatch(re *regexp.Regexp, group int, several bool, out []byte) (float64, error) {
	matches := re.FindAllSubmatch(out, -1)
	if several {
		matches = slices.DeleteFunc(matches, func(m [][]byte) bool { return m[group] == nil })
	}
	if len(matches) == 0 {
		return 0, fmt.Errorf("nothing matches %q in %s\nhint: (?m) at its beginning makes ^ and $ match at each line", re,
			reader.Excerpt(out))
	}
	f, err := reader.Number(string(matches[len(matches)-1][group]))
	if err != nil {
		return 0, fmt.Errorf("the group of %q: %w, in %s", re, err, reader.Excerpt(out))
	}
	return f, nil
}
