// Package convert translates between trials and other programs. It parses the output of tools into values (Parse) and
// their results into trials (All), and exports trials for other programs (Outputs).
package convert

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/exchange/convert/reader"
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
// start of out. The formats that are parsed as a whole give several values, whatever the ask's metric. Beside them are
// what the output says against itself, and what it states and was not read, as an import tells them.
func Parse(out []byte, ask Ask) (values []record.Value, told []string, err error) {
	if err := ask.Check(); err != nil {
		return nil, nil, err
	}
	if err := input.Alien(out[:min(len(out), sniffBytes)]); err != nil {
		return nil, nil, fmt.Errorf("the output: %w", err)
	}
	out = input.Unmarked(out)
	if t, whole := toolOf(ask.Format); whole {
		return oneRun(t, out)
	}
	if ask.Format == Go {
		return goParsed(out, ask)
	}
	values, err = partsOf(out, ask)
	return values, nil, err
}

func partsOf(out []byte, ask Ask) ([]record.Value, error) {
	parts, err := ask.parts()
	if err != nil {
		return nil, err
	}
	var values []record.Value
	for _, p := range parts {
		num, behind, err := p.find(out)
		if err == nil {
			err = p.contradicted(behind)
		}
		if err != nil {
			return nil, err
		}
		v, err := p.in(num)
		if err != nil {
			return nil, err
		}
		if err := checkRate(v, len(values) == 0); err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// checkRate rejects a rate that no run has: a negative one, and 0 as the primary metric, whose run did nothing.
func checkRate(v record.Value, primary bool) error {
	_, per, _ := strings.Cut(v.Unit, "/")
	switch {
	case v.Better != record.Higher || per != "s":
	case v.Value < 0:
		return fmt.Errorf("%s is %g %s: a rate can't be negative", v.Name, v.Value, v.Unit)
	case v.Value == 0 && primary:
		return fmt.Errorf("%s is 0 %s: the run did nothing", v.Name, v.Unit)
	}
	return nil
}

// finder finds a number, in the requested unit, in a tool's output, and returns what stands behind it.
type finder func(out []byte) (f float64, behind string, err error)

// lastMatch finds a group of the pattern's last match: tools that report progress print their total last. Of several
// groups it is the last match that has it.
func lastMatch(re *regexp.Regexp, group int, several bool, out []byte) (f float64, behind string, err error) {
	if !strings.Contains(re.String(), `\r`) {
		out = bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n")) // $ is the end of a line, whatever ends it
	}
	matches := re.FindAllSubmatchIndex(out, -1)
	if several {
		matches = slices.DeleteFunc(matches, func(m []int) bool { return m[2*group] < 0 })
	}
	if len(matches) == 0 {
		return 0, "", fmt.Errorf("nothing matches %q in %s\nhint: (?m) at its beginning makes ^ and $ match at each line",
			re, reader.Excerpt(out))
	}
	last := matches[len(matches)-1]
	from, to := max(0, last[2*group]), max(0, last[2*group+1])
	if f, err = reader.Number(string(out[from:to])); err != nil {
		return 0, "", fmt.Errorf("the group of %q: %w, in %s", re, err, reader.Excerpt(out))
	}
	if whole := wholeNumber(re.String(), out, from, to); whole != strings.TrimSpace(string(out[from:to])) {
		return 0, "", fmt.Errorf("the group of %q has %q of %q, in %s\nhint: let it match the whole number, such as (\\S+); "+
			"numbers have a decimal point and no thousands separators", re, out[from:to], whole, reader.Excerpt(out))
	}
	return f, string(out[to:min(len(out), to+unitBytes)]), nil
}

// unitBytes is how much behind a number is looked at for its unit.
const unitBytes = 16

// wholeNumber returns a number with what it is cut from: figures beside it, with a point, a comma or a sign in between,
// an exponent, and a prefix of thousands behind it, as in 1,234.5, 12,5, 1.5e+06, -3 and 12.5k. A comma that the
// pattern has too separates numbers.
func wholeNumber(pattern string, out []byte, from, to int) string {
	before := regexp.MustCompile(`(?:[0-9.]*[0-9][._']?|[0-9.]+[eE][-+]?|(?:^|[\s:=(])-)$`)
	behind := regexp.MustCompile(`^(?:[._']?[0-9]+)*(?:,[0-9]+)*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?:[kKMGT]([\s,;)]|$))?`)
	for from < to && out[from] == ' ' {
		from++
	}
	for to > from && out[to-1] == ' ' {
		to--
	}
	whole := string(out[from:to])
	if at := before.FindIndex(out[max(0, from-unitBytes):from]); at != nil {
		whole = strings.TrimLeft(string(out[max(0, from-unitBytes)+at[0]:to]), " \t\r\n:=(")
	}
	more := string(behind.Find(out[to:min(len(out), to+unitBytes)]))
	if strings.Contains(pattern, ",") {
		more, _, _ = strings.Cut(more, ",")
	}
	return whole + strings.TrimRight(more, " \t\r\n,;)")
}

// contradicted returns an error if a number has a unit behind it, of the quantity that is asked for, and it is another
// one: tools choose the unit by the size of the number.
func (p part) contradicted(behind string) error {
	printed := regexp.MustCompile(`^ ?([A-Za-z\x{b5}\x{3bc}]+(?:/(?:sec|s))?)(?:$|[^A-Za-z/0-9])`).
		FindStringSubmatch(behind)
	if printed == nil || p.Unit == "" {
		return nil
	}
	is, factor := Base(printed[1])
	asked, want := Base(p.Unit)
	asked, _, _ = strings.Cut(asked, "/op")
	if is != asked || factor == want {
		return nil
	}
	return fmt.Errorf("the number of %s is in %s, and --unit says %s\nhint: print it in one unit, or state that of the "+
		"output", reader.Brief(cmp.Or(p.Name, plainValue)), printed[1], p.Unit)
}
