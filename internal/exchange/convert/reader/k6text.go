package reader

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// k6Lines are the patterns of k6's summary, of versions 0.40 to 1.8: a metric's name and dots, then its figures.
type k6Lines struct {
	metric, statistic, arrivals, varying, share, count, amount, checks, crossed, shared, looping, running *regexp.Regexp
}

func newK6Lines() k6Lines {
	return k6Lines{
		metric:    regexp.MustCompile(`^ +(?:[✓✗] )?([a-z_]+)\.*: +(.*)$`),
		statistic: regexp.MustCompile(`([a-z]+|p\([0-9.]+\))=([0-9][0-9a-zµ.]*)`),
		arrivals:  regexp.MustCompile(`: ([0-9.]+) iterations/s for ([0-9.a-zµ]+)`),
		varying:   regexp.MustCompile(`^ +\* .*: Up to [0-9.]+ iterations/s for `),
		share:     regexp.MustCompile(`^[0-9.]+% +(?:✓ +)?([0-9]+)`),
		count:     regexp.MustCompile(`^([0-9]+) +([0-9.]+)/s`),
		amount:    regexp.MustCompile(`([0-9.]+) ([kMGT]?B)/s`),
		shared:    regexp.MustCompile(`: ([0-9]+) iterations (?:shared among ([0-9]+)|for each of ([0-9]+)) VUs`),
		crossed:   regexp.MustCompile(`^ +✗ (?:'|[a-z_]+\.{2,}:)|thresholds on metrics .* have been crossed`),
		looping:   regexp.MustCompile(`^ +\* .*: [0-9]+ looping VUs for ([0-9.a-zµ]+)`),
		running:   regexp.MustCompile(`^running \(([0-9a-z.]+)\), .* complete and ([0-9]+) interrupted iterations`),
		checks:    regexp.MustCompile(`^[0-9.]+% +(?:✓ ([0-9]+) +✗ ([0-9]+)|([0-9]+) out of [0-9]+)$`),
	}
}

// readK6Text reads the summaries of an output: one ends with its file, at the scenarios of the next, or at a metric
// that it has already.
func readK6Text(out []byte, b Bounds) ([]k6Run, error) {
	t := k6Text{lines: newK6Lines(), seen: map[string]bool{}}
	if err := b.scan(out, k6Result, t.line); err != nil {
		return nil, err
	}
	t.end()
	return t.runs, nil
}

// k6Text parses lines into runs.
type k6Text struct {
	lines     k6Lines
	runs      []k6Run
	next      k6Run
	seen      map[string]bool // metrics of the next run
	scenarios int             // of it, by arrivals
	part      bool            // in what the total has of one group or scenario
}

// k6Result matches lines that look like metrics.
const k6Result = `^ +(?:[✓✗] )?[A-Za-z_][A-Za-z0-9_]*\.{2,}: +[0-9a-z]`

// k6Passed reports whether a metric of k6 is one that is passed over: parts of a request, and of other protocols.
func k6Passed(name string) bool {
	return slices.ContainsFunc([]string{"http_req_", "data_sent", "group_duration", "ws_", "grpc_", "browser_", "checks",
		"data_received", "vus"}, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// line takes a line; false if it is no metric of k6, or one whose figures are not known.
func (t *k6Text) line(line string) bool {
	if strings.HasPrefix(line, "     scenarios: (") {
		t.end()
		t.part = false
	}
	if _, title, ok := strings.Cut(line, "\u2588 "); ok {
		t.part = strings.HasPrefix(title, "GROUP: ") || strings.HasPrefix(title, "SCENARIO: ")
	}
	if m := t.lines.arrivals.FindStringSubmatch(line); m != nil {
		t.next.arrivals, t.next.arrivalsFor = stated(m[1]), seconds(m[2])
		t.scenarios++
	}
	if m := t.lines.shared.FindStringSubmatch(line); m != nil {
		t.next.due += stated(m[1]) * max(1, stated(m[3]))
		t.scenarios++
	}
	if m := t.lines.looping.FindStringSubmatch(line); m != nil {
		t.next.closed, t.next.planned = true, max(t.next.planned, seconds(m[1]))
	}
	if m := t.lines.running.FindStringSubmatch(line); m != nil {
		t.next.lasted, t.next.interrupted = seconds(m[1]), stated(m[2])
	}
	t.next.varying = t.next.varying || t.lines.varying.MatchString(line)
	t.next.aborted = t.next.aborted || strings.Contains(line, "test run was aborted") ||
		strings.Contains(line, "test aborted")
	t.next.crossed = t.next.crossed || t.lines.crossed.MatchString(line)
	m := t.lines.metric.FindStringSubmatch(line)
	if m == nil || t.part {
		return t.part
	}
	if t.seen[m[1]] {
		t.end()
	}
	t.seen[m[1]] = true
	return t.next.metric(t.lines, m[1], m[2])
}

// end ends a run, if it has figures. Several scenarios have no load in common.
func (t *k6Text) end() {
	if t.scenarios > 1 {
		t.next.arrivals, t.next.arrivalsFor, t.next.due, t.next.vus = 0, 0, 0, k6VUs{}
	}
	if t.next.requests.n > 0 || t.next.iterations.n > 0 {
		t.runs = append(t.runs, t.next)
	}
	t.next, t.seen, t.scenarios = k6Run{}, map[string]bool{}, 0
}

// metric takes a metric's figures; false if it is none of those of k6, or its figures are none.
func (r *k6Run) metric(lines k6Lines, name, printed string) bool {
	switch name {
	case "http_req_duration":
		return lines.set(&r.request, printed)
	case "iteration_duration":
		return lines.set(&r.iteration, printed)
	case "http_reqs":
		r.requests = lines.counted(printed)
		return r.requests.n > 0
	case "iterations":
		r.iterations = lines.counted(printed)
		return r.iterations.n > 0
	case "dropped_iterations":
		r.dropped = lines.counted(printed).n
	case "checks", "checks_succeeded", "checks_failed":
		lines.checked(r, name, printed)
	case "http_req_failed":
		if m := lines.share.FindStringSubmatch(printed); m != nil {
			r.failed = stated(m[1])
		}
	case "data_received":
		if m := lines.amount.FindStringSubmatch(printed); m != nil {
			r.received = inBytes(m[1], m[2])
		}
	case "vus":
		r.vus.least, r.vus.most = lines.extremes(printed)
	case "vus_max":
		_, r.vus.reserved = lines.extremes(printed)
	default:
		return k6Passed(name)
	}
	return true
}

// set takes statistics; false if one of them is no time.
func (l k6Lines) set(to *latencies, printed string) bool {
	all := l.statistic.FindAllStringSubmatch(printed, -1)
	read := len(all) > 0
	for _, m := range all {
		if m[1] == "count" { // of --summary-trend-stats
			continue
		}
		s := seconds(m[2])
		to.set(m[1], s)
		read = read && (s > 0 || strings.HasPrefix(m[2], "0"))
	}
	return read
}

// checked takes the numbers of checks: of old versions both, of new ones a line each.
func (l k6Lines) checked(r *k6Run, name, printed string) {
	m := l.checks.FindStringSubmatch(printed)
	switch {
	case m == nil:
	case name == "checks":
		r.checks, r.unchecked = stated(m[1]), stated(m[2])
	case name == "checks_succeeded":
		r.checks = stated(m[3])
	default:
		r.unchecked = stated(m[3])
	}
}

func (l k6Lines) counted(printed string) k6Count {
	m := l.count.FindStringSubmatch(printed)
	if m == nil {
		return k6Count{}
	}
	return k6Count{stated(m[1]), stated(m[2])}
}

// extremes returns the least and the most of a gauge.
func (l k6Lines) extremes(printed string) (least, most float64) {
	for _, m := range l.statistic.FindAllStringSubmatch(printed, -1) {
		switch m[1] {
		case "min":
			least = stated(m[2])
		case "max":
			most = stated(m[2])
		}
	}
	return least, most
}

// unixSeconds parses a time of RFC 3339; 0 if it is none.
func unixSeconds(text string) float64 {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0
	}
	return float64(t.Unix()) + float64(t.Nanosecond())*1e-9
}
