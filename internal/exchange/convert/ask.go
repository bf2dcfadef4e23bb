package convert

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// Names of values that have none of their own, by their unit and direction.
const (
	timePerOp  = "time_per_op"
	plainValue = "value"
)

// maxParts bounds the values of one output: a trial's line is small.
const maxParts = 24

// part is one of the values that are asked for.
type part struct {
	record.Metric // its unit is the tool's
	find          finder
}

// parts returns the values that are asked for: one, or each that the pattern names.
func (a Ask) parts() ([]part, error) {
	var parts []part
	var err error
	switch a.Format {
	case Regexp:
		parts, err = regexpParts(a.Pattern)
	case JSON:
		parts, err = jsonParts(a.Pattern)
	default:
		err = fmt.Errorf("unknown output format %q\nhint: the formats are %s, %s, %s, %s", a.Format, Regexp, JSON, Go,
			strings.Join(Whole(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return parts, a.describe(parts)
}

// describe sets the metrics of parts. Units and directions are the same for all, or NAME=VALUE of each.
func (a Ask) describe(parts []part) error {
	names := map[string]bool{}
	for _, p := range parts {
		if names[p.Name] {
			return fmt.Errorf("two values are named %s\nhint: give each a name of its own", reader.Brief(p.Name))
		}
		names[p.Name] = true
	}
	units, err := each(a.Metric.Unit, names)
	if err != nil {
		return fmt.Errorf("unit: %w", err)
	}
	betters, err := each(string(a.Metric.Better), names)
	if err != nil {
		return fmt.Errorf("better: %w", err)
	}
	for i := range parts {
		p := &parts[i]
		name := p.Name
		if len(parts) == 1 && a.Metric.Name != "" {
			p.Name = a.Metric.Name
		}
		p.Metric = named(p.Name, units(name), record.Better(betters(name)))
	}
	return nil
}

// each returns what a text says of every name: the same of all, or NAME=VALUE of each.
func each(text string, names map[string]bool) (func(name string) string, error) {
	if !strings.Contains(text, "=") {
		return func(string) string { return text }, nil
	}
	of := map[string]string{}
	for _, pair := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok || !names[name] {
			return nil, fmt.Errorf("%s is not NAME=VALUE with a name of the pattern\nhint: such as tps=op/s,p99=ms",
				reader.Brief(pair))
		}
		of[name] = value
	}
	return func(name string) string { return of[name] }, nil
}

// named returns a metric with the direction and the name that follow from its unit, if it has none. An unknown
// direction stays empty.
func named(name, unit string, better record.Better) record.Metric {
	base, _ := baseUnit(unit)
	if better == "" {
		better = direction(name, unit)
		if better == record.Neutral && base == "s" {
			better = record.Lower
		}
		if better == record.Neutral {
			better = ""
		}
	}
	if name == "" {
		switch {
		case base == "s/op":
			name = timePerOp
		case strings.HasSuffix(base, "/op"):
			name = base
		case better == record.Higher && base != "s":
			name = record.Throughput
		default:
			name = plainValue
		}
	}
	return record.Metric{Name: name, Unit: unit, Better: better}
}

// Undirected returns the values of which nothing tells whether more is better.
func (a Ask) Undirected() []string {
	if a.Format == Go {
		if a.Metric.Unit != "" && named(a.Metric.Name, a.Metric.Unit, a.Metric.Better).Better == "" {
			return []string{a.Metric.Unit}
		}
		return nil
	}
	var out []string
	for _, p := range a.known() {
		if p.Better == "" {
			out = append(out, p.Name)
		}
	}
	return out
}

// Names returns the metrics that are asked for, as far as they are known before there is an output.
func (a Ask) Names() []string {
	var out []string
	for _, p := range a.known() {
		out = append(out, p.Name)
	}
	return out
}

// known returns the values that are asked for one by one; of other formats the output tells.
func (a Ask) known() []part {
	if _, whole := toolOf(a.Format); whole || a.Format == Go {
		return nil
	}
	parts, err := a.parts()
	if err != nil {
		return nil
	}
	return parts
}

// in returns a number in the base unit of its metric.
func (p part) in(num float64) (record.Value, error) {
	base, factor := Base(p.Unit)
	v := record.Value{Metric: p.Metric, Value: num * factor}
	v.Unit = base
	if math.IsInf(v.Value, 0) {
		return v, fmt.Errorf("%g %s is too large a number", num, p.Unit)
	}
	return v, nil
}

// regexpParts returns the group of an expression, or all of its groups if each has a name.
func regexpParts(pattern string) ([]part, error) {
	if pattern == "" {
		return nil,
			errors.New("a regular expression is required\nhint: such as 'rate: ([0-9.]+)', with one group around the number")
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w\nhint: use the syntax of Go's regexp package", err)
	}
	groups := re.SubexpNames()[1:]
	if len(groups) != 1 && (len(groups) == 0 || slices.Contains(groups, "")) {
		return nil, fmt.Errorf("%q has %d capture groups instead of one\nhint: put ( ) around the number only; (?: ) "+
			"groups without capturing; several values have names, as in 'tps: (?P<tps>\\S+)|p99: (?P<p99>\\S+)'", pattern,
			len(groups))
	}
	if len(groups) > maxParts {
		return nil, fmt.Errorf("%d values of one output, over the limit of %d\nhint: leave some out", len(groups), maxParts)
	}
	var out []part
	for i, name := range groups {
		out = append(out, part{record.Metric{Name: name}, func(text []byte) (float64, string, error) {
			return lastMatch(re, i+1, len(groups) > 1, text)
		}})
	}
	return out, nil
}

// jsonParts returns the value at a path, or those of NAME=PATH; NAME=PATH.
func jsonParts(pattern string) ([]part, error) {
	begins := regexp.MustCompile(`(?:^|;)\s*([A-Za-z][A-Za-z0-9_.]*)\s*=\s*([$@])`)
	at := begins.FindAllStringSubmatchIndex(pattern, -1)
	if len(at) == 0 || strings.TrimSpace(pattern[:at[0][0]]) != "" {
		find, err := jsonFinder(pattern)
		return []part{{record.Metric{}, find}}, err
	}
	if len(at) > maxParts {
		return nil, fmt.Errorf("%d values of one output, over the limit of %d\nhint: leave some out", len(at), maxParts)
	}
	var out []part
	for i, m := range at {
		end := len(pattern)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		find, err := jsonFinder(strings.TrimSpace(strings.TrimRight(pattern[m[4]:end], "; ")))
		if err != nil {
			return nil, err
		}
		out = append(out, part{record.Metric{Name: pattern[m[2]:m[3]]}, find})
	}
	return out, nil
}
