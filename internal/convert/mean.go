package convert

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"plimsoll/internal/convert/reader"
	"plimsoll/internal/record"
)

// mean is a value as printed, or a mean as papers print it.
type mean struct {
	mean float64
	record.Moments
}

// maxValues exceeds the number of values behind any mean.
const maxValues = 1_000_000

// meanForm matches a mean as papers print it: "12.5 ± 0.4 (n=5)".
func meanForm() *regexp.Regexp {
	return regexp.MustCompile(`^(\S+) *(?:±|\+/-|\+-) *([^\s(]+)(?: *\( *n *= *([0-9]+) *\))?$`)
}

// parseMean parses a value, alone or as a mean in the form, or its deviation and number in cells of their own.
func parseMean(form *regexp.Regexp, text, sd, n string) (out mean, err error) {
	const hint = "\nhint: use a decimal point and no thousands separators; a mean is 12.5 ± 0.4 (n=5), or has " +
		"columns sd and n"
	if m := form.FindStringSubmatch(text); m != nil {
		if sd != "" || n != "" && m[3] != "" {
			return out, fmt.Errorf("value %s states what the column sd or n does too\nhint: state it once", reader.Brief(text))
		}
		text, sd = m[1], m[2]
		if m[3] != "" {
			n = m[3]
		}
	}
	if out.mean, err = reader.Number(text); err != nil {
		return out, fmt.Errorf("value %s is not a number"+hint, reader.Brief(text))
	}
	if sd == "" && n == "" {
		return out, nil
	}
	if out.SD, err = reader.Number(sd); err != nil || out.SD < 0 {
		return out, fmt.Errorf("standard deviation %s is not a number from 0"+hint, reader.Brief(sd))
	}
	if out.N, err = strconv.Atoi(strings.TrimSpace(n)); err != nil || out.N < 2 || out.N > maxValues {
		return out, fmt.Errorf("a mean with a deviation, of n=%s: n must be a whole number from 2"+hint, reader.Brief(n))
	}
	return out, nil
}

// readingError returns the moments of a value that was read off a chart with an error, which is in the value's unit or
// a share of the value such as 1%.
func readingError(text, unit string, of record.Value) (record.Moments, error) {
	number, percent := strings.CutSuffix(text, "%")
	sd, err := reader.Number(strings.TrimSpace(number))
	if err != nil || sd < 0 {
		return record.Moments{}, fmt.Errorf("%s %s is not a number from 0\nhint: it is in the unit of the value, or a share "+
			"of it such as 1%%", colError, reader.Brief(text))
	}
	if percent {
		return record.Moments{N: 1, SD: sd / 100 * math.Abs(of.Value), Read: true}, nil
	}
	v, err := inBase(colError, unit, record.Neutral, sd)
	return record.Moments{N: 1, SD: v.Value, Read: true}, err
}
