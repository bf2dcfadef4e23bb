package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/record"
)

// The columns that a table of measurements has at least: the CSV that import reads (docs/import.md).
func dataColumns() []string { return []string{"machine", "metric", "value", "unit"} }

// paramPrefix begins the columns of parameters, which a selector may leave out.
const paramPrefix = "param."

// aboutValue reports whether a column is of a value, and not of its run.
func aboutValue(column string) bool {
	return slices.Contains([]string{"value", "sd", "n", "reading_error", "better"}, column)
}

// repeated reports whether a column tells the repetitions of a cell apart, or says more about a value.
func repeated(column string) bool {
	return column == "replicate" || column == "pair" || aboutValue(column)
}

// atColumn tells a step of a run from the whole run.
const atColumn = "at"

// measurements are the rows of tables of measurements.
type measurements []row

// point is a figure, with its place on an axis if it is one of several.
type point struct{ x, y float64 }

// curve is the figures of a name in a formula: one, or those along an axis, ascending.
type curve []point

// isSelection reports whether a name in a formula selects measurements, and is no fact's.
func isSelection(name string) bool { return strings.Contains(name, "=") }

// selector is one condition of a selection.
type selector struct {
	column, value string
	from, to      float64
	axis          bool // from and to say which; else value is the cell
}

// selectors parses {METRIC COLUMN=VALUE ...}. A VALUE of * is an axis, and so is 20..30; one may have spaces.
func selectors(name string) (metric string, out []selector, err error) {
	for _, word := range strings.Fields(name) {
		column, value, ok := strings.Cut(word, "=")
		switch {
		case ok:
			out = append(out, selector{column: column, value: value})
		case len(out) > 0:
			out[len(out)-1].value += " " + word
		case metric != "":
			return "", nil, fmt.Errorf("%q selects two metrics\nhint: {METRIC COLUMN=VALUE ...}", shortened(name))
		default:
			metric = word
		}
	}
	if metric == "" {
		return "", nil, fmt.Errorf("%q selects no metric\nhint: such as {throughput machine=m5d.8xlarge load=16}",
			shortened(name))
	}
	axes := 0
	for i := range out {
		if out[i].span() {
			axes++
		}
	}
	if axes > 1 {
		return "", nil, fmt.Errorf("%q has two axes\nhint: only one column may have * or a range", shortened(name))
	}
	return metric, out, nil
}

// span sets the ends of a selector that is an axis, and reports whether it is one.
func (s *selector) span() bool {
	if s.value == "*" {
		s.from, s.to, s.axis = math.Inf(-1), math.Inf(1), true
		return true
	}
	a, b, ok := strings.Cut(s.value, "..")
	if !ok {
		return false
	}
	from, errFrom := strconv.ParseFloat(a, 64)
	to, errTo := strconv.ParseFloat(b, 64)
	s.from, s.to, s.axis = from, to, errFrom == nil && errTo == nil
	return s.axis
}

// of returns the cell of a row that a selector is about, and whether the row has such a column.
func (s selector) of(r row) (string, bool) {
	if cell, ok := r.cells[s.column]; ok {
		return cell, true
	}
	cell, ok := r.cells[paramPrefix+s.column]
	return cell, ok
}

// place returns where a row stands for a selector; false if it is not selected.
func (s selector) place(r row) (x float64, ok bool) {
	cell, has := s.of(r)
	switch {
	case !has:
		return 0, false
	case !s.axis:
		return 0, cell == s.value
	}
	x, err := strconv.ParseFloat(cell, 64)
	return x, err == nil && !math.IsInf(x, 0) && x >= s.from && x <= s.to
}

// placed returns where a row stands on the axis of the conditions, 0 without one; false if they do not select it.
func placed(r row, conditions []selector) (x float64, ok bool) {
	for _, s := range conditions {
		at, selected := s.place(r)
		if !selected {
			return 0, false
		}
		if s.axis {
			x = at
		}
	}
	return x, true
}

// void marks the rows of runs that failed, by the rule of import.
func (m measurements) void() {
	if !slices.ContainsFunc(m, func(r row) bool { return record.CountsErrors(r.cells["metric"]) }) {
		return
	}
	runs, of := map[string]*record.Trial{}, make([]*record.Trial, len(m))
	for i, r := range m {
		key := r.run()
		if runs[key] == nil {
			runs[key] = &record.Trial{}
		}
		of[i] = runs[key]
		if f, err := parseFigure(r.cells["value"]); err == nil && r.cells[atColumn] == "" {
			of[i].Values = append(of[i].Values, record.Value{
				Metric: record.Metric{Name: r.cells["metric"], Unit: r.cells["unit"]}, Value: f.Value})
		}
	}
	failed := map[*record.Trial]bool{}
	for _, run := range runs {
		failed[run] = trialset.TrustStated(*run).Void != ""
	}
	for i := range m {
		m[i].failed = failed[of[i]]
	}
}

// run identifies the run of a row.
func (r row) run() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", r.file)
	for _, column := range slices.Sorted(maps.Keys(r.cells)) {
		if column != "metric" && column != "unit" && column != atColumn && !aboutValue(column) {
			fmt.Fprintf(&b, " %q=%q", column, r.cells[column])
		}
	}
	return b.String()
}

// find returns what a selection finds. Repetitions of one cell are one figure, their geometric mean as in show.
func (m measurements) find(name string) (curve, error) {
	metric, conditions, err := selectors(name)
	if err != nil {
		return nil, err
	}
	timed := slices.ContainsFunc(conditions, func(s selector) bool { return s.column == atColumn })
	values := map[float64][]float64{}
	failed := 0
	var first *row
	for i, r := range m {
		if r.cells["metric"] != metric || !timed && r.cells[atColumn] != "" {
			continue
		}
		x, ok := placed(r, conditions)
		if !ok {
			continue
		}
		if r.failed && !record.CountsErrors(metric) {
			failed++
			continue
		}
		if first == nil {
			first = &m[i]
		}
		if other := differs(*first, r, conditions); other != "" {
			return nil, fmt.Errorf("%q selects several cells: %s is %q and %q, %s and %s\nhint: add %s=… to it",
				shortened(name), other, first.cells[other], r.cells[other], first.place, r.place,
				strings.TrimPrefix(other, paramPrefix))
		}
		f, err := parseFigure(r.cells["value"])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.place, err)
		}
		values[x] = append(values[x], f.Value)
	}
	if failed > 0 && len(values) == 0 {
		return nil, fmt.Errorf("%q selects failed runs only\nhint: a run fails if over 0.1%% of its operations do",
			shortened(name))
	}
	var out curve
	for x, all := range values {
		out = append(out, point{x, typical(all)})
	}
	slices.SortFunc(out, func(a, b point) int {
		if a.x < b.x {
			return -1
		}
		return 1
	})
	return out, nil
}

// have reports whether a row is of a metric.
func (m measurements) have(metric string) bool {
	return slices.ContainsFunc(m, func(r row) bool { return r.cells["metric"] == metric })
}

// unit returns the unit of a selection's rows, which share one.
func (m measurements) unit(name string) string {
	metric, conditions, err := selectors(name)
	if err != nil {
		return ""
	}
	for _, r := range m {
		if _, ok := placed(r, conditions); ok && r.cells["metric"] == metric {
			return r.cells["unit"]
		}
	}
	return ""
}

// unmet returns the first condition of a selection that leaves no rows, with advice.
func (m measurements) unmet(name string) (text, hint string) {
	metric, conditions, err := selectors(name)
	if err != nil {
		return err.Error(), ""
	}
	of := func(rows measurements, column string) []string {
		seen := map[string]bool{}
		for _, r := range rows {
			if cell, ok := (selector{column: column}).of(r); ok && cell != "" {
				seen[cell] = true
			}
		}
		return slices.Sorted(maps.Keys(seen))
	}
	rows := m
	for _, s := range append([]selector{{column: "metric", value: metric}}, conditions...) {
		left := measurements{}
		for _, r := range rows {
			if _, ok := s.place(r); ok {
				left = append(left, r)
			}
		}
		if len(left) > 0 {
			rows = left
			continue
		}
		cells := of(rows, s.column)
		text = fmt.Sprintf("no row left has %s=%s", s.column, s.value)
		switch near := nearest.Of(s.value, cells); {
		case len(m) == 0:
			return "there are no measurements", "they are a table with the columns " + strings.Join(dataColumns(), ", ")
		case len(cells) == 0:
			return "no row left has a column " + s.column, "conditions are COLUMN=VALUE by the header"
		case near != "":
			return text, fmt.Sprintf("did you mean %s=%s?", s.column, near)
		}
		return text, "there are " + shortened(strings.Join(cells, ", "))
	}
	return "only steps of a timeline are selected", "add " + atColumn + "=* for its steps"
}

// differs returns a column in which two selected rows differ beside their place on an axis; "" if they are repetitions
// of one cell.
func differs(a, b row, conditions []selector) string {
	along := slices.IndexFunc(conditions, func(s selector) bool { return s.axis })
	ignored := func(column string) bool {
		return repeated(column) ||
			along >= 0 && (column == conditions[along].column || column == paramPrefix+conditions[along].column)
	}
	for _, column := range slices.Sorted(maps.Keys(a.cells)) {
		if a.cells[column] != b.cells[column] && !ignored(column) {
			return column
		}
	}
	for _, column := range slices.Sorted(maps.Keys(b.cells)) {
		if _, both := a.cells[column]; !both && b.cells[column] != "" && !ignored(column) {
			return column
		}
	}
	return ""
}

// typical returns the geometric mean of values over 0, else their mean.
func typical(values []float64) float64 {
	sum, logs := 0.0, 0.0
	for _, v := range values {
		sum += v
		logs += math.Log(v)
	}
	if slices.Min(values) <= 0 {
		return sum / float64(len(values))
	}
	return math.Exp(logs / float64(len(values)))
}

// ys returns the figures of curves.
func ys(all []curve) []float64 {
	var out []float64
	for _, c := range all {
		for _, p := range c {
			out = append(out, p.y)
		}
	}
	return out
}
