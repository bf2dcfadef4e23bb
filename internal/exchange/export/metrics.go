package export

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// family is a metric of OpenMetrics with its samples.
type family struct {
	name, unit, help string
	samples          []string
}

// writeMetrics writes the estimates of all cells as gauges of OpenMetrics 1.0, the ends of their intervals as gauges of
// their own. Names end with their units.
func writeMetrics(w io.Writer, log *session.Log) (left int, err error) {
	cells, left := cellsOf(log)
	all := map[string]*family{}
	add := func(name string, m measured, what string, labels string, v float64) {
		unit := metricUnit(m.Unit)
		full := strings.Join(nonEmpty("plimsoll", metricName(m.Name), name, unit), "_")
		f := all[full]
		if f == nil {
			f = &family{name: full, unit: unit, help: fmt.Sprintf("%s%s, in %s", what, m.Name, cmp.Or(m.Unit, "plain numbers"))}
			all[full] = f
		}
		f.samples = append(f.samples, full+labels+" "+strconv.FormatFloat(v, 'g', -1, 64)+"\n")
	}
	for _, c := range cells {
		labels := labelsOf(c)
		for _, m := range c.metrics() {
			what := "estimate of "
			if m.atLeast {
				what = "lower bound of "
			}
			add("", m, what, labels, m.Value)
			if m.Bounded() {
				add("lower", m, "lower end of the 95% CI of ", labels, *m.Lo)
				add("upper", m, "upper end of the 95% CI of ", labels, *m.Hi)
			}
		}
	}
	out := writer{to: w}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out.write(all[name].text())
	}
	out.write("# EOF\n")
	return left, out.err
}

func (f *family) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# TYPE %s gauge\n", f.name)
	if f.unit != "" {
		fmt.Fprintf(&b, "# UNIT %s %s\n", f.name, f.unit)
	}
	fmt.Fprintf(&b, "# HELP %s %s\n", f.name, escaped(f.help))
	for _, s := range f.samples {
		b.WriteString(s)
	}
	return b.String()
}

// labelsOf returns the identity of a cell: its machine, workload, load and parameters, and the labels of its session.
func labelsOf(c cell) string {
	of := map[string]string{"machine": c.key.Machine, "workload": c.key.Workload, "load": record.LoadText(c.key.Load)}
	set := func(name, value string) {
		if name = metricName(name); of[name] != "" || strings.HasPrefix(name, "__") || name == "" {
			name = "param_" + name
		}
		of[name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(c.params)) {
		set(name, c.params[name])
	}
	for key, value := range c.trials[0].Keys {
		if name, ok := strings.CutPrefix(key, record.LabelPrefix); ok {
			set("label_"+name, value)
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if of[name] != "" {
			parts = append(parts, fmt.Sprintf(`%s="%s"`, name, escaped(of[name])))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// escaped escapes a label's value.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(printable(text))
}

// metricName returns a name of letters, digits and underscores, which no digit begins.
func metricName(name string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, name)
	if out != "" && out[0] >= '0' && out[0] <= '9' {
		out = "_" + out
	}
	return out
}

// metricUnit returns a unit in Prometheus' words.
func metricUnit(unit string) string {
	if word, ok := map[string]string{
		"op/s": "operations_per_second", "B/s": "bytes_per_second", "s": "seconds", "B": "bytes", "%": "percent",
		"W": "watts", "J": "joules",
	}[unit]; ok {
		return word
	}
	return strings.Trim(metricName(strings.NewReplacer("/", "_per_", "%", "percent").Replace(unit)), "_")
}

func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(t string) bool { return t == "" })
}
