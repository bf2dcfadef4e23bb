package convert

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
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

// meanMisfit tells of a mean latency that its percentiles cannot have: a share of the operations takes at most, and at
// least, what the percentile around it says. Either may be right, and a percentile the end of a histogram.
func meanMisfit(values []record.Value) string {
	at := slices.IndexFunc(values, func(v record.Value) bool { return v.Name == record.Latency })
	if at < 0 {
		return ""
	}
	type point struct{ percent, s float64 }
	var points []point
	for _, v := range values {
		if percent, ok := percentileOf(v.Name); ok {
			points = append(points, point{percent, v.Value})
		}
	}
	if len(points) == 0 {
		return ""
	}
	slices.SortFunc(points, func(a, b point) int {
		if a.percent < b.percent {
			return -1
		}
		return 1
	})
	least, most, before := 0.0, 0.0, point{}
	rounded := wholeMs // tools that print whole milliseconds cut them off
	for _, p := range points {
		least += (p.percent - before.percent) / 100 * before.s
		most += (p.percent - before.percent) / 100 * p.s
		before = p
		if ms := p.s * 1e3; math.Abs(ms-math.Round(ms)) > 1e-6 && p.percent < 100 {
			rounded = 0
		}
	}
	least += (100 - before.percent) / 100 * before.s
	if before.percent < 100 {
		most = math.Inf(1)
	}
	switch mean := values[at].Value; {
	case mean > most*roundedPercentile+rounded:
		return fmt.Sprintf("%s of %.4g s exceeds %.4g s, the most that its percentiles and %s allow: one of them is "+
			"no such figure",
			record.Latency, mean, most, reader.LatencyMax)
	case mean*roundedPercentile+rounded < least:
		return fmt.Sprintf("%s of %.4g s is below %.4g s, the least that its percentiles allow: one of them is "+
			"no such figure",
			record.Latency, mean, least)
	}
	return ""
}

// wholeMs is by how much whole milliseconds may be too small, in s.
const wholeMs = 1e-3
