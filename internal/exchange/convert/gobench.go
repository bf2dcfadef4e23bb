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

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// goPattern compiles the pattern that selects benchmarks by their names.
func goPattern(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w\nhint: the pattern is a regular expression that selects a benchmark by its name", err)
	}
	return re, nil
}

// goParsed returns the values of the benchmarks that are asked for, and which lines of them are no results.
func goParsed(out []byte, ask Ask) ([]record.Value, []string, error) {
	var err error
	if isGoEvents(out) {
		if out, err = goOutput(out); err != nil {
			return nil, nil, err
		}
	}
	values, left, err := goValues(out, ask)
	if err != nil {
		return nil, nil, err
	}
	re, err := goPattern(ask.Pattern)
	return values, append(left, goUnread(out, re)...), err
}

// goValues returns the values of the benchmarks whose names, with or without "Benchmark", match the pattern, each the
// mean of its lines (go test -count prints several). A unit selects one of a line's values; "s" also means seconds per
// operation, and "op/s" its inverse if the line has no "op/s". Without one all values are taken, the time first. Those
// of several benchmarks are named NAME:VALUE. Values that aren't numbers are left out, with a note.
//
// The format is that of https://golang.org/design/14313-benchmark-format.
func goValues(out []byte, ask Ask) (values []record.Value, left []string, err error) {
	re, err := goPattern(ask.Pattern)
	if err != nil {
		return nil, nil, err
	}
	names, by, err := choose(benchLines(out), re)
	if err != nil {
		return nil, nil, fmt.Errorf("%w, in %s", err, reader.Excerpt(out))
	}
	better, err := goDirections(out)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		lines := by[name]
		if err := checkLines(lines); err != nil {
			return nil, nil, err
		}
		if ask.Metric.Unit == "" {
			lines, left = finiteOnly(lines, left)
		}
		got, err := ofBenchmark(lines, ask.Metric, better)
		if err != nil {
			return nil, nil, err
		}
		for _, v := range got {
			if len(names) > 1 {
				v.Name = fmt.Sprintf("%.*s:%s", reader.NameMax, name, v.Name)
			}
			values = append(values, v)
		}
	}
	if len(values) > maxParts {
		return nil, nil, fmt.Errorf("%d values of %d Go benchmarks, over the limit of %d: %s\n"+
			"hint: select some by a pattern, or one value of each by a unit", len(values), len(names), maxParts, list(names))
	}
	return values, left, nil
}

// goDirections returns the better direction of each unit for which a line such as "Unit p99-ns better=lower" states it.
func goDirections(out []byte) (map[string]record.Better, error) {
	g := goReader{better: map[string]record.Better{}}
	for text := range strings.Lines(string(out)) {
		if f := strings.Fields(text); len(f) > 2 && f[0] == "Unit" {
			if err := g.unit(f[1], f[2:]); err != nil {
				return nil, err
			}
		}
	}
	return g.better, nil
}

// checkLines rejects a line that states a unit twice, and what no benchmark can measure.
func checkLines(lines []benchLine) error {
	for _, l := range lines {
		if units := unitsOf(l.values); len(units) < len(l.values) {
			return fmt.Errorf("a line of benchmark %s states a unit twice: it has %s", reader.Brief(l.name), list(units))
		}
		for _, v := range l.values {
			if impossible(v) {
				return fmt.Errorf("%s is %g %s", reader.Brief(l.name), v.value, reader.Brief(v.unit))
			}
		}
	}
	return nil
}

// impossible reports whether a value is a time, an amount or a rate below 0, or a time that isn't a number.
func impossible(v benchValue) bool {
	name, _, better := goMetric(v.unit)
	return name == record.Elapsed && !figure.IsFinite(v.value) || v.value < 0 && better != record.Neutral
}

// finiteOnly leaves out the units of which a line states NaN or infinity, with a note.
func finiteOnly(lines []benchLine, left []string) (kept []benchLine, told []string) {
	bad := map[string]bool{}
	for _, l := range lines {
		for _, v := range l.values {
			if !figure.IsFinite(v.value) && !bad[v.unit] {
				bad[v.unit] = true
				left = append(left, notNumber(v, l.name))
			}
		}
	}
	for _, l := range lines {
		l.values = slices.DeleteFunc(slices.Clone(l.values), func(v benchValue) bool { return bad[v.unit] })
		kept = append(kept, l)
	}
	return kept, left[:min(len(left), maxLeft)]
}

// notNumber is the note on a value that is left out.
func notNumber(v benchValue, name string) string {
	return fmt.Sprintf("%g %s of %s is left out", v.value, reader.Brief(v.unit), reader.Brief(name))
}

// ofBenchmark returns the value of one benchmark in the unit asked for, or all if there is none. What the output states
// on the direction of a unit counts unless the user does.
func ofBenchmark(lines []benchLine, asked record.Metric, better map[string]record.Better) ([]record.Value, error) {
	units := []string{asked.Unit}
	if asked.Unit == "" {
		units = unitsOf(lines[0].values)
		slices.SortStableFunc(units, func(a, b string) int { return goRank(a) - goRank(b) })
	}
	var out []record.Value
	for _, unit := range units {
		mean, err := meanOf(lines, unit)
		if err != nil {
			return nil, err
		}
		name := ""
		if asked.Unit != "" {
			name = asked.Name
		}
		m := named(name, unit, asked.Better)
		if m.Name == plainValue {
			m.Name = unit
		}
		if stated := better[unit]; asked.Better == "" && stated != "" {
			m.Better = stated
		}
		v, err := part{Metric: m}.in(mean)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// goRank puts the time of an operation before what else a line states.
func goRank(unit string) int {
	if base, _ := Base(unit); base == "s/op" {
		return 0
	}
	return 1
}

// benchLine is one result of a Go benchmark, with units as printed.
type benchLine struct {
	name   string // without "Benchmark"
	pkg    string // that it belongs to; "": not stated
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
	pkg := ""
	for text := range strings.Lines(string(out)) {
		if key, value, ok := configuration(text); ok && key == "pkg" {
			pkg = value
		}
		if l, ok := benchLineOf(text); ok {
			l.pkg = pkg
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

// The reasons for lines of benchmarks that ran and gave no result.
const (
	goFailed  = "it failed"
	goSkipped = "it was skipped"
)

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
		if f[1] == "---" && len(f) > 2 { // go test prints this behind the name
			for said, why := range map[string]string{"FAIL:": goFailed, "SKIP:": goSkipped} {
				if f[2] == said {
					return l, why
				}
			}
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

// resultless returns the benchmark that a line says has no result, and says so; "" if it says nothing of the kind.
func resultless(text string) (name, says string) {
	name, failed := strings.CutPrefix(text, "--- FAIL: Benchmark")
	why := goFailed
	if !failed {
		var l benchLine
		l, why = parseBench(text)
		name = l.name
	}
	if why != goFailed && why != goSkipped {
		return name, ""
	}
	name = strings.TrimSpace(name)
	return name, fmt.Sprintf("%s has no result: %s", reader.Brief(name), why)
}

// brokenOff returns a note if benchmarks may be missing after a line, else "". go test prints such a line for a package
// that failed. Go prints another for a goroutine that panicked.
func brokenOff(text string) string {
	f := strings.Fields(text)
	switch {
	case len(f) > 2 && strings.HasPrefix(text, "FAIL\t"):
		return fmt.Sprintf("package %s failed: some of its benchmarks may be missing", reader.Brief(f[1]))
	case len(f) > 2 && f[0] == "goroutine" && strings.HasPrefix(f[2], "[running"):
		return "the benchmarks ended in a panic: those behind it are missing"
	}
	return ""
}

// goUnread says which lines of the benchmarks that a pattern selects are no results.
func goUnread(out []byte, re *regexp.Regexp) []string {
	var told []string
	for text := range strings.Lines(string(out)) {
		name, said := resultless(text)
		if cut := brokenOff(text); cut != "" && len(told) < maxLeft && !slices.Contains(told, cut) {
			told = append(told, cut)
		}
		if _, why := parseBench(text); said == "" && why != "" && why != noBench {
			said = fmt.Sprintf("a line that looks like a result was not read: benchmark %s: %s", reader.Brief(name), why)
		}
		selected := re.MatchString(name) || re.MatchString("Benchmark"+name)
		if said != "" && selected && len(told) < maxLeft && !slices.Contains(told, said) {
			told = append(told, said)
		}
	}
	return told
}

// choose returns the names of the benchmarks that match, in order, and their lines.
func choose(lines []benchLine, re *regexp.Regexp) (names []string, by map[string][]benchLine, err error) {
	var there []string
	by = map[string][]benchLine{}
	seen := map[string]bool{}
	for _, l := range lines {
		if !seen[l.name] {
			seen[l.name], there = true, append(there, l.name)
		}
		if re.MatchString(l.name) || re.MatchString("Benchmark"+l.name) {
			if had := by[l.name]; had == nil {
				names = append(names, l.name)
			} else if had[0].pkg != l.pkg {
				return nil, nil, fmt.Errorf("%s is a benchmark of %s and of %s, and these are two\nhint: run one package "+
					"after the other", reader.Brief(l.name), reader.Brief(had[0].pkg), reader.Brief(l.pkg))
			}
			by[l.name] = append(by[l.name], l)
		}
	}
	switch {
	case len(there) == 0:
		return nil, nil, errors.New("no Go benchmark line")
	case len(names) == 0:
		return nil, nil, fmt.Errorf("no Go benchmark matches %q among %s", re, list(there))
	}
	return names, by, nil
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
