package reader

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// sysbenchInterval is a periodic report of a run (--report-interval). Rates are per second.
type sysbenchInterval struct {
	at                                       float64 // end of the interval, s since the start of the run
	threads                                  float64
	rate, queries, errors, reconnects, bytes float64
	reads, writes, others                    float64 // of queries
}

// sysbenchReports are those of one run, in order.
type sysbenchReports []sysbenchInterval

// sysbenchColumns returns the CSV columns of sysbench.report_csv, which writes no header.
func sysbenchColumns() []string {
	return []string{"time", "threads", "tps", "qps", "reads", "writes", "other", "latency", "errors", "reconnects"}
}

// report parses a report, either a line of text or a row of CSV; false for other lines. A header sets the columns of
// the following rows.
func (s *sysbenchReader) report(line string) (p sysbenchInterval, ok bool, err error) {
	if m := s.lines.report.FindStringSubmatch(line); m != nil {
		return sysbenchInterval{at: stated(m[1]), threads: stated(m[2]), rate: stated(m[3]), queries: stated(m[4]),
			errors: stated(m[6]), reconnects: stated(m[7])}, true, nil
	}
	if m := s.lines.oldReport.FindStringSubmatch(line); m != nil {
		return sysbenchInterval{at: stated(m[1]), threads: stated(m[2]), rate: stated(m[3]), errors: stated(m[6]),
			reconnects: stated(m[7])}, true, nil
	}
	if m := s.lines.fileReport.FindStringSubmatch(line); m != nil {
		return sysbenchInterval{at: stated(m[1]), bytes: (stated(m[2]) + stated(m[3])) * mebibyte}, true, nil
	}
	if m := s.lines.memoryReport.FindStringSubmatch(line); m != nil {
		return sysbenchInterval{at: stated(m[1]), bytes: stated(m[2]) * mebibyte}, true, nil
	}
	cells := strings.Split(line, ",")
	if columns := sysbenchHeader(cells); columns != nil {
		s.columns = columns
		return p, false, nil
	}
	columns := s.columns
	if columns == nil {
		columns = sysbenchColumns()
	}
	if _, err := Number(cells[0]); err != nil || len(cells) < 2 {
		return p, false, nil
	}
	if len(cells) != len(columns) {
		if s.columns == nil {
			return p, false, nil
		}
		return p, false, fmt.Errorf("the row %s has %d cells, its header has %d", Brief(line), len(cells), len(columns))
	}
	p, err = sysbenchRow(columns, cells)
	return p, err == nil, err
}

// sysbenchHeader returns the columns of a header under our names; nil if it is none. Users choose the names in headers,
// so unknown columns are ignored.
func sysbenchHeader(cells []string) []string {
	words := map[string]string{
		"time": "time", "seconds": "time", "s": "time", "thds": "threads", "threads": "threads", "tps": "tps", "eps": "tps",
		"qps": "qps", "r": "reads", "w": "writes", "o": "other",
		"err/s": "errors", "errors": "errors", "err": "errors", "errors/s": "errors", "reconn/s": "reconnects",
		"reconn": "reconnects", "reconnects": "reconnects", "reconnects/s": "reconnects",
	}
	var out []string
	for _, c := range cells {
		out = append(out, words[strings.Trim(strings.ToLower(c), " \"")])
	}
	if !slices.Contains(out, "time") || !slices.Contains(out, "tps") {
		return nil
	}
	return out
}

func sysbenchRow(columns, cells []string) (p sysbenchInterval, err error) {
	for i, c := range columns {
		to := map[string]*float64{"time": &p.at, "threads": &p.threads, "tps": &p.rate, "qps": &p.queries,
			"reads": &p.reads, "writes": &p.writes, "other": &p.others, "errors": &p.errors,
			"reconnects": &p.reconnects}[c]
		if to == nil {
			continue
		}
		if *to, err = Number(cells[i]); err != nil || *to < 0 {
			return p, fmt.Errorf("%s of the row %s is not a number from 0", c, Brief(strings.Join(cells, ",")))
		}
	}
	return p, nil
}

// goOn reports whether a report can be the next of these: time must increase.
func (r sysbenchReports) goOn(next sysbenchInterval) bool {
	return len(r) == 0 || next.at > r[len(r)-1].at
}

// threads returns their number as text; "" if not stated. It is the maximum, because the last seconds may have fewer as
// the run ends.
func (r sysbenchReports) threads() string {
	most := 0.0
	for _, p := range r {
		most = max(most, p.threads)
	}
	if most == 0 {
		return ""
	}
	return strconv.FormatFloat(most, 'f', -1, 64)
}

// seconds returns the length of the i-th report's interval. The first is as long as the second, because earlier reports
// may be cut off.
func (r sysbenchReports) seconds(i int) float64 {
	switch {
	case i > 0:
		return r[i].at - r[i-1].at
	case len(r) > 1:
		return min(r[0].at, r[1].at-r[0].at)
	}
	return r[0].at
}

func (r sysbenchReports) sum(of func(sysbenchInterval) float64) float64 {
	sum := 0.0
	for i, p := range r {
		sum += of(p) * r.seconds(i)
	}
	return sum
}

func (r sysbenchReports) mean(of func(sysbenchInterval) float64) float64 {
	s := 0.0
	for i := range r {
		s += r.seconds(i)
	}
	if !(s > 0) {
		return 0
	}
	return r.sum(of) / s
}

// timeline returns the activity in each step; without series if the reports are not equally spaced, or too few to add
// to the total.
func (r sysbenchReports) timeline() timeline {
	t := timeline{}
	for i := range r {
		t.DurationS += r.seconds(i)
	}
	if len(r) < 2 {
		return t
	}
	step := r.seconds(1)
	if step < leastStep || t.DurationS > longestRun {
		return t
	}
	for i := range r {
		if math.Abs(r.seconds(i)-step) > step/100 {
			t.Doubt = "its reports are not equally spaced, or some are missing: no timeline"
			return t
		}
	}
	t.StepNs = int64(step * 1e9)
	for _, of := range []struct {
		name, unit string
		rate       func(sysbenchInterval) float64
	}{
		{"ops", "op", func(p sysbenchInterval) float64 { return p.rate }},
		{"bytes", "B", func(p sysbenchInterval) float64 { return p.bytes }},
		{"errors", "op", func(p sysbenchInterval) float64 { return p.errors + p.reconnects }},
	} {
		if counts := r.counts(of.rate); counts != nil {
			t.Series = append(t.Series, stepSeries{of.name, of.unit, counts})
		}
	}
	return t
}

// Minimum step and maximum duration, in seconds.
const (
	leastStep  = 1e-3
	longestRun = 1e9
)

// counts converts rates to whole numbers per step with the same sum; nil if all are 0.
func (r sysbenchReports) counts(rate func(sysbenchInterval) float64) []int64 {
	out := make([]int64, len(r))
	sum, had := 0.0, int64(0)
	for i, p := range r {
		sum += rate(p) * r.seconds(i)
		if !(sum < mostOperations) {
			return nil
		}
		next := int64(math.Round(sum))
		out[i], had = next-had, next
	}
	if had == 0 {
		return nil
	}
	return out
}
