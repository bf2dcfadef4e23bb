package convert

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"plimsoll/internal/convert/reader"
)

// goFinder finds the one benchmark whose name, with or without "Benchmark", matches the pattern, and returns the mean
// of its lines (go test -count prints several). The unit selects one of a line's values; "s" also means seconds per
// operation, and "op/s" its inverse if the line has no "op/s".
//
// The format is that of https://golang.org/design/14313-benchmark-format.
func goFinder(pattern, unit string) (finder, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w\nhint: the pattern is a regular expression that selects a benchmark by its name", err)
	}
	if unit == "" {
		return nil, errors.New("a Go benchmark has several values: set a unit to select one\nhint: units are such as " +
			"ns/op, MB/s, B/op or op/s")
	}
	return func(out []byte) (float64, error) {
		chosen, err := choose(benchLines(out), re)
		if err != nil {
			return 0, fmt.Errorf("%w, in %s", err, reader.Excerpt(out))
		}
		return meanOf(chosen, unit)
	}, nil
}

// benchLine is one result of a Go benchmark, with units as printed.
type benchLine struct {
	name   string // without "Benchmark"
	values []benchValue
}

type benchValue struct {
	value float64
	unit  string
}

// benchLines parses the lines that are results, and skips all others: tests may print anything in between. It is our
// own because linking the library for it, x/perf/benchfmt, adds 1 ms to every process's start, and a trial's process
// should start in 5; a test holds the two to the same answers.
func benchLines(out []byte) []benchLine {
	var lines []benchLine
	for text := range strings.Lines(string(out)) {
		if l, ok := benchLineOf(text); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

func benchLineOf(text string) (benchLine, bool) {
	l, why := parseBench(text)
	return l, why == ""
}

// noBench is the reason for lines that are not meant to be results.
const noBench = "no benchmark"

// parseBench parses a line, or returns the reason why it is not a result. go test -v prints the name alone when a
// benchmark starts, and a sentence may begin with the word.
func parseBench(text string) (l benchLine, why string) {
	rest, ok := strings.CutPrefix(text, "Benchmark")
	f := strings.Fields(text)
	if !ok || len(f) == 1 {
		return l, noBench
	}
	l.name = strings.TrimPrefix(f[0], "Benchmark")
	first, _ := utf8.DecodeRuneInString(rest)
	sentence := unicode.IsLower(first) || unicode.IsSpace(first)
	if n, err := strconv.ParseInt(f[1], 10, 64); err != nil || n < 0 {
		if sentence {
			return l, noBench
		}
		return l, fmt.Sprintf("%s is not a number of iterations", reader.Brief(f[1]))
	}
	if len(f) == 2 {
		return l, "nothing was measured"
	}
	for i := 2; i < len(f); i += 2 {
		v, err := strconv.ParseFloat(f[i], 64)
		if err != nil {
			return l, fmt.Sprintf("%s is not a number", reader.Brief(f[i]))
		}
		if i+1 == len(f) {
			return l, fmt.Sprintf("%s has no unit", f[i])
		}
		l.values = append(l.values, benchValue{v, f[i+1]})
	}
	return l, ""
}

// choose returns the lines of the one benchmark that matches.
func choose(lines []benchLine, re *regexp.Regexp) ([]benchLine, error) {
	var there, names []string
	var chosen []benchLine
	for _, l := range lines {
		there = appendNew(there, l.name)
		if re.MatchString(l.name) || re.MatchString("Benchmark"+l.name) {
			names = appendNew(names, l.name)
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

// meanOf returns the mean in the requested unit.
func meanOf(lines []benchLine, unit string) (float64, error) {
	var sum float64
	for _, l := range lines {
		f, ok := pick(l.values, unit)
		if !ok {
			return 0, fmt.Errorf("benchmark %.*s has no %s: it has %s", reader.NameMax, l.name, unit, list(unitsOf(l.values)))
		}
		sum += f
	}
	return sum / float64(len(lines)), nil
}

// pick returns a line's value in the requested unit.
func pick(values []benchValue, unit string) (float64, bool) {
	base, factor := Base(unit)
	perOp, hasPerOp := 0.0, false
	for _, v := range values {
		if v.unit == unit {
			return v.value, true
		}
		switch u, f := Base(v.unit); u {
		case base:
			return v.value * f / factor, true
		case "s/op":
			perOp, hasPerOp = v.value*f, true
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

func unitsOf(values []benchValue) []string {
	var us []string
	for _, v := range values {
		us = appendNew(us, v.unit)
	}
	return us
}

func appendNew(set []string, s string) []string {
	if slices.Contains(set, s) {
		return set
	}
	return append(set, s)
}

func list(names []string) string {
	var b strings.Builder
	for i, n := range names[:min(len(names), reader.ListMax)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.*s", reader.NameMax, n)
	}
	if more := len(names) - reader.ListMax; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}
