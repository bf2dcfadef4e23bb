package export

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// writeBench writes a line for each run, in the form of https://golang.org/design/14313-benchmark-format: configuration
// above it, the workload with its parameters and load as the name, and each metric with its unit. The directions of
// metrics stand first.
func writeBench(w io.Writer, log *session.Log) (left int, err error) {
	cells, left := cellsOf(log)
	out := writer{to: w}
	out.write(benchUnits(cells))
	config := map[string]string{}
	for _, c := range cells {
		name := benchName(c)
		for i := range c.trials {
			t := &c.trials[i]
			now := benchConfig(t)
			for _, key := range slices.Sorted(maps.Keys(merged(config, now))) {
				if config[key] != now[key] {
					out.write(strings.TrimRight(key+": "+now[key], " ") + "\n")
				}
			}
			config = now
			out.write(benchLine(name, t))
		}
	}
	return left, out.err
}

func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// benchUnits returns the directions of all metrics that have one.
func benchUnits(cells []cell) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, c := range cells {
		for _, m := range trialset.MetricsOf(c.trials) {
			unit := benchUnit(m)
			if !seen[unit] && (m.Better == record.Higher || m.Better == record.Lower) {
				seen[unit] = true
				fmt.Fprintf(&b, "Unit %s better=%s\n", unit, m.Better)
			}
		}
	}
	return b.String()
}

// benchUnit names a metric as benchstat's unit: several metrics of a run may share a unit.
func benchUnit(m record.Metric) string {
	return strings.Join(strings.Fields(strings.TrimSuffix(m.Name+"-"+m.Unit, "-")), "_")
}

// benchConfig returns what holds for a run beside its cell: its machine, its session, labels and versions.
func benchConfig(t *record.Trial) map[string]string {
	out := map[string]string{}
	workload := trialset.WorkloadOf(*t)
	for key, value := range t.Keys {
		switch {
		case key == record.KeyWorkload || key == record.KeyLoad || key == record.KeyBoot || key == record.KeyImported,
			strings.HasPrefix(key, workload+"."), strings.HasPrefix(key, record.FactorPrefix), strings.HasPrefix(key,
				record.SecretPrefix):
			continue
		case key == record.KeyFile:
			key = "session"
		}
		if key = benchKey(key); key != "" && value != "" {
			out[key] = printable(strings.Join(strings.Fields(value), " "))
		}
	}
	return out
}

// benchKey returns a key as the format allows it: it begins with a lower-case letter and has neither capitals, colons
// nor spaces.
func benchKey(key string) string {
	key = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == ':' {
			return '_'
		}
		return unicode.ToLower(r)
	}, key)
	if key == "" || !unicode.IsLower([]rune(key)[0]) {
		return ""
	}
	return key
}

// benchName returns a cell's name: the workload, its parameters and its load. The load is the last, since the format
// takes a number at the end, as in `d=d-8`, for GOMAXPROCS.
func benchName(c cell) string {
	parts := []string{"Benchmark" + word(capital(c.key.Workload))}
	for _, name := range slices.Sorted(maps.Keys(c.params)) {
		if v := c.params[name]; v != "" {
			parts = append(parts, word(name)+"="+word(v))
		}
	}
	if c.key.Load != "" {
		parts = append(parts, "load="+word(record.LoadText(c.key.Load)))
	}
	return strings.Join(parts, "/")
}

func benchLine(name string, t *record.Trial) string {
	var b strings.Builder
	b.WriteString(name + " 1")
	for _, v := range t.Values {
		b.WriteString(" " + strconv.FormatFloat(v.Value, 'g', -1, 64) + " " + benchUnit(v.Metric))
	}
	return b.String() + "\n"
}

// word returns a text without what ends a word of the format, or a part of a name.
func word(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '/' {
			return '_'
		}
		return r
	}, text)
}

// printable returns a text with a mark in the place of characters that no line may hold, such as those that control a
// terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// capital returns a text that begins with a capital, as names of benchmarks have to.
func capital(text string) string {
	r := []rune(text)
	if len(r) == 0 {
		return "Cell"
	}
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}
