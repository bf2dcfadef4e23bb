package convert

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// goFinder reads the one benchmark whose name, with or without "Benchmark",
// matches the pattern, and the mean of its lines (go test -count prints
// several). The unit selects which of a line's values counts; "s" also means
// seconds an operation, and "op/s" its inverse where the line has no "op/s".
//
// The format is that of https://golang.org/design/14313-benchmark-format.
func goFinder(pattern, unit string) (finder, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w\nhint: the pattern is a regular expression that selects a benchmark by its name", err)
	}
	if unit == "" {
		return nil, errors.New("a Go benchmark has several values, and no unit says which is wanted\nhint: the unit is such as ns/op, MB/s, B/op or op/s")
	}
	return func(out []byte) (float64, error) {
		lines, err := benchLines(out)
		if err != nil {
			return 0, err
		}
		chosen, err := choose(lines, re)
		if err != nil {
			return 0, fmt.Errorf("%w, in %s", err, Excerpt(out))
		}
		return meanOf(chosen, unit)
	}, nil
}

func benchLines(out []byte) ([]*benchfmt.Result, error) {
	r := benchfmt.NewReader(bytes.NewReader(out), "output")
	var lines []*benchfmt.Result
	for r.Scan() {
		// A syntax error is a line that only looks like a benchmark: tests
		// may print anything between theirs.
		if res, ok := r.Result().(*benchfmt.Result); ok {
			lines = append(lines, res.Clone())
		}
	}
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("read Go benchmarks: %w", err)
	}
	return lines, nil
}

// choose keeps the lines of the one benchmark that matches.
func choose(lines []*benchfmt.Result, re *regexp.Regexp) ([]*benchfmt.Result, error) {
	var there, names []string
	var chosen []*benchfmt.Result
	for _, l := range lines {
		name := l.Name.String()
		there = appendNew(there, name)
		if re.MatchString(name) || re.MatchString("Benchmark"+name) {
			names = appendNew(names, name)
			chosen = append(chosen, l)
		}
	}
	switch {
	case len(there) == 0:
		return nil, errors.New("no Go benchmark line")
	case len(names) == 0:
		return nil, fmt.Errorf("no Go benchmark matches %q among %s", re, list(there))
	case len(names) > 1:
		return nil, fmt.Errorf("%q matches more than one Go benchmark: %s", re, list(names))
	}
	return chosen, nil
}

// meanOf returns the mean, in the unit that was asked for.
func meanOf(lines []*benchfmt.Result, unit string) (float64, error) {
	var sum float64
	for _, l := range lines {
		f, ok := pick(l.Values, unit)
		if !ok {
			return 0, fmt.Errorf("benchmark %.*s has no %s: it has %s", nameMax, l.Name, unit, list(unitsOf(l.Values)))
		}
		sum += f
	}
	return sum / float64(len(lines)), nil
}

// pick returns a line's value in the unit that was asked for.
func pick(values []benchfmt.Value, unit string) (float64, bool) {
	base, factor := Base(unit)
	perOp, hasPerOp := 0.0, false
	for _, v := range values {
		if v.OrigUnit == unit {
			return v.OrigValue, true
		}
		// benchfmt leaves the unit of a 0 as it was printed.
		u, f := Base(v.Unit)
		switch u {
		case base:
			return v.Value * f / factor, true
		case "s/op":
			perOp, hasPerOp = v.Value*f, true
		}
	}
	switch {
	case hasPerOp && base == "s":
		return perOp / factor, true
	case hasPerOp && base == "op/s" && perOp > 0:
		return 1 / perOp / factor, true
	}
	return 0, false
}

func unitsOf(values []benchfmt.Value) []string {
	var us []string
	for _, v := range values {
		u := v.Unit
		if v.OrigUnit != "" {
			u = v.OrigUnit
		}
		us = appendNew(us, u)
	}
	return us
}

func appendNew(set []string, s string) []string {
	if slices.Contains(set, s) {
		return set
	}
	return append(set, s)
}

// The bounds of a list in an error message: a trial's line is small.
const (
	listMax = 20
	nameMax = 80 // bytes
)

func list(names []string) string {
	var b strings.Builder
	for i, n := range names[:min(len(names), listMax)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.*s", nameMax, n)
	}
	if more := len(names) - listMax; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}
