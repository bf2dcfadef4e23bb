package reader

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// sysbenchLines are the patterns of its lines: the printf formats of sysbench 1.0.20, its scripts and its built-in
// tests.
type sysbenchLines struct {
	threads, rate, transactions, queries, ignored, reconnects, events, operations, moved, read, written, seconds, total,
	latency, percentile, deadlocks, mix, oldMoved, moves *regexp.Regexp

	report, oldReport, fileReport, memoryReport *regexp.Regexp
}

func newSysbenchLines() sysbenchLines {
	return sysbenchLines{
		threads:      regexp.MustCompile(`^Number of threads: ([0-9]+)`),
		rate:         regexp.MustCompile(`^Target transaction rate: ([0-9]+)/sec`),
		transactions: regexp.MustCompile(`^ +transactions: +([0-9]+) +\(([0-9.]+) per sec\.\)`),
		queries:      regexp.MustCompile(`^ +queries: +[0-9]+ +\(([0-9.]+) per sec\.\)`),
		ignored:      regexp.MustCompile(`^ +ignored errors: +([0-9]+) `),
		reconnects:   regexp.MustCompile(`^ +reconnects: +([0-9]+) `),
		events:       regexp.MustCompile(`^ +(?:events per second|events/s \(eps\)): +([0-9.]+)`),
		operations: regexp.MustCompile(
			`^(?:Total operations: [0-9]+ \( *|Operations performed: [0-9]+ \( *)([0-9.]+) (?:per second|ops/sec)\)`,
		),
		moved:      regexp.MustCompile(`^[0-9.]+ Mi?B transferred \(([0-9.]+) Mi?B/sec\)`),
		oldMoved:   regexp.MustCompile(`^Read \S+ +Written \S+ +Total transferred \S+ +\(([0-9.]+)([KMG]?)b/sec\)`),
		read:       regexp.MustCompile(`^ +read, MiB/s: +([0-9.]+)`),
		written:    regexp.MustCompile(`^ +written, MiB/s: +([0-9.]+)`),
		moves:      regexp.MustCompile(`^ +(read|write|fsync): +IOPS=([0-9.]+)(?: ([0-9.]+) MiB/s \(|$)`), // of 1.1
		seconds:    regexp.MustCompile(`^ +(?:total time|time elapsed): +([0-9.]+)s`),
		total:      regexp.MustCompile(`^ +total number of events: +([0-9]+)`),
		deadlocks:  regexp.MustCompile(`^ +deadlocks: +([0-9]+) +\(`), // of 0.4
		mix:        regexp.MustCompile(`^ +(read|write|other): +([0-9]+)$`),
		latency:    regexp.MustCompile(`^ +(min|avg|max): +([0-9.]+)(ms|s)?$`),
		percentile: regexp.MustCompile(`^ +(?:approx\. +)?([0-9]+)(?:th)? percentile: +([0-9.]+)(ms|s)?$`),
		report: regexp.MustCompile(`^\[ *([0-9.]+)s *\] thds: ([0-9]+) (?:tps|eps): ([0-9.]+)(?: qps: ([0-9.]+) ` +
			`\([^)]*\))? lat \(ms, *([0-9.]+)%\): [0-9.]+` +
			`(?: err/s:? ([0-9.]+) reconn/s: ([0-9.]+))?$`),
		oldReport: regexp.MustCompile(`^\[ *([0-9.]+)s *\] threads: ([0-9]+), tps: ([0-9.]+), reads(?:/s)?: ([0-9.]+), ` +
			`writes(?:/s)?: ([0-9.]+), response time: [0-9.]+ms \([0-9.]+%\)(?:, errors: ([0-9.]+), reconnects: +([0-9.]+))?$`),
		fileReport:   regexp.MustCompile(`^\[ *([0-9.]+)s *\] reads: ([0-9.]+) MiB/s writes: ([0-9.]+) MiB/s fsyncs: `),
		memoryReport: regexp.MustCompile(`^\[ *([0-9.]+)s *\] ([0-9.]+) MiB/sec$`),
	}
}

// readSysbench parses all runs of an output, ignoring other lines. Any part of a run may be missing: the head with its
// threads, the reports of each second, as lines or as CSV, or the final statistics.
func readSysbench(out []byte, b Bounds) ([]sysbenchRun, error) {
	r := sysbenchReader{lines: newSysbenchLines(), facts: sysbenchFacts()}
	var bad error
	next, fatal, command, tpcc := "", "", "", false
	versionOf := regexp.MustCompile(`^sysbench ([0-9]+\.[0-9]+)`)
	err := b.scan(out, sysbenchResult, func(line string) bool {
		if line == "" {
			return true
		}
		read := true
		if version := versionOf.FindStringSubmatch(line); version != nil {
			next = version[1]
		}
		command = cmp.Or(commandOfSysbench(line), command)
		if n := len(r.runs); n > 0 && strings.Contains(line, "FATAL: ") {
			r.runs[n-1].fatal = cmp.Or(r.runs[n-1].fatal, line)
		} else if strings.Contains(line, "FATAL: ") { // standard error stands above the output
			fatal = cmp.Or(fatal, line)
		}
		had := len(r.runs)
		if bad == nil {
			read, bad = r.line(line)
		}
		if len(r.runs) > had {
			r.runs[had].version, next = next, ""
			r.runs[had].fatal, fatal = fatal, ""
			r.runs[had].told.test, command = cmp.Or(r.runs[had].told.test, command), ""
		}
		tpcc = tpcc || isTPCC(line)
		return read
	})
	if err = cmp.Or(bad, err); err != nil {
		return nil, err
	}
	for i := range r.runs {
		r.runs[i].tpcc = tpcc
	}
	if len(r.runs) == 0 {
		return nil, fmt.Errorf("no sysbench output in %s\nhint: it has statistics such as `transactions:`, reports such as "+
			"`[ 1s ] thds: 8 tps: 100.00`, or the same as CSV", Excerpt(out))
	}
	return r.runs, nil
}

// sysbenchReader parses lines into runs.
type sysbenchReader struct {
	lines   sysbenchLines
	runs    []sysbenchRun
	columns []string // of reports as CSV; nil: sysbench's own
	facts   []sysbenchFact
}

// line adds a line to its run: a part that cannot follow those read begins another run.
func (s *sysbenchReader) line(line string) (read bool, err error) {
	report, isReport, err := s.report(line)
	if err != nil {
		return false, err
	}
	part, heading, known := s.partOf(line, isReport)
	var told sysbenchTold
	if !isReport || strings.Contains(line, "MiB/s") {
		if tells := told.take(s.facts, line); tells && !known {
			part, known = sysbenchHead, true
		}
	}
	if !known {
		return sysbenchPassed(line), nil
	}
	last := len(s.runs) - 1
	begins := last < 0 || part < s.runs[last].part || part == s.runs[last].part && heading ||
		isReport && !s.runs[last].reports.goOn(report)
	if begins {
		s.runs = append(s.runs, sysbenchRun{})
		last++
	}
	r := &s.runs[last]
	r.part, r.told = part, r.told.and(told)
	r.sql = r.sql || heading && strings.HasSuffix(line, "statistics:") && part == sysbenchStatistics
	if isReport {
		r.reports = append(r.reports, report)
		return true, nil
	}
	r.line(s.lines, line)
	return true, nil
}

// sysbenchResult matches lines that look like results: figures with a name, and reports.
const sysbenchResult = `^(?: +[a-zA-Z0-9][A-Za-z0-9 ,./()-]*: +[0-9.]+|\[ *[0-9.]+s *\] )`

// sysbenchPassed reports whether a figure is one that is passed over: counts of which there is a rate, and fairness.
func sysbenchPassed(line string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
	return slices.Contains([]string{"read", "write", "other", "total", "sum", "events (avg/stddev)",
		"execution time (avg/stddev)", "total number of events", "reads/s", "writes/s",
		"fsyncs/s",
		"total time taken by event execution", "read/write requests", "other operations"}, name)
}

// partOf returns the part that a line belongs to, and whether it is the first line of that part.
func (s *sysbenchReader) partOf(line string, isReport bool) (part sysbenchPart, heading, known bool) {
	if isReport {
		return sysbenchReport, false, true
	}
	for _, h := range []struct {
		begins string
		part   sysbenchPart
	}{
		{"Running the test with following options:", sysbenchHead},
		{"SQL statistics:", sysbenchStatistics}, {"OLTP test statistics:", sysbenchStatistics},
		{"CPU speed:", sysbenchStatistics}, {"File operations:", sysbenchStatistics},
		{"Total operations: ", sysbenchStatistics},
		{"General statistics:", sysbenchGeneral}, {"Test execution summary:", sysbenchGeneral},
		{"Threads fairness:", sysbenchFairness},
	} {
		if strings.HasPrefix(line, h.begins) {
			return h.part, true, true
		}
	}
	for _, l := range []struct {
		patterns []*regexp.Regexp
		part     sysbenchPart
	}{
		{[]*regexp.Regexp{s.lines.threads, s.lines.rate}, sysbenchHead},
		{[]*regexp.Regexp{s.lines.transactions, s.lines.queries, s.lines.ignored, s.lines.deadlocks, s.lines.mix,
			s.lines.reconnects, s.lines.events,
			s.lines.moved, s.lines.oldMoved, s.lines.moves, s.lines.read, s.lines.written}, sysbenchStatistics},
		{[]*regexp.Regexp{s.lines.seconds, s.lines.total, s.lines.latency, s.lines.percentile}, sysbenchGeneral},
	} {
		for _, p := range l.patterns {
			if p.MatchString(line) {
				return l.part, false, true
			}
		}
	}
	return 0, false, false
}

// line parses one line of the head or the statistics.
func (r *sysbenchRun) line(lines sysbenchLines, line string) {
	match := func(p *regexp.Regexp) []string { return p.FindStringSubmatch(line) }
	if m := match(lines.threads); m != nil {
		r.threads = m[1]
	} else if m := match(lines.rate); m != nil {
		r.rate = m[1]
	} else if m := match(lines.transactions); m != nil {
		r.done, r.transactions = stated(m[1]), stated(m[2])
	} else if m := match(lines.ignored); m != nil {
		r.ignored = stated(m[1])
	} else if m := match(lines.deadlocks); m != nil {
		r.ignored = stated(m[1])
	} else if m := match(lines.mix); m != nil {
		r.mix(m[1], stated(m[2]))
	} else if m := match(lines.oldMoved); m != nil {
		r.moved = stated(m[1]) * wrkBytes(m[2]+"B") // of 0.4, whose b are bytes
	} else if m := match(lines.moves); m != nil {
		r.events += stated(m[2])
		switch m[1] {
		case "read":
			r.read = stated(m[3]) * mebibyte
		case "write":
			r.written = stated(m[3]) * mebibyte
		}
	} else if m := match(lines.reconnects); m != nil {
		r.reconnects = stated(m[1])
	} else if m := match(lines.latency); m != nil {
		r.latency(m[1], sysbenchTime(m[2], m[3]))
	} else if m := match(lines.percentile); m != nil {
		r.percent, r.tail = stated(m[1]), sysbenchTime(m[2], m[3])
	}
	for _, figure := range []struct {
		pattern *regexp.Regexp
		to      *float64
		factor  float64
	}{
		{lines.queries, &r.queries, 1},
		{lines.events, &r.events, 1},
		{lines.operations, &r.events, 1},
		{lines.moved, &r.moved, mebibyte},
		{lines.read, &r.read, mebibyte},
		{lines.written, &r.written, mebibyte},
		{lines.seconds, &r.seconds, 1},
		{lines.total, &r.total, 1},
	} {
		if m := match(figure.pattern); m != nil {
			*figure.to = stated(m[1]) * figure.factor
		}
	}
}

const mebibyte = 1 << 20

// sysbenchTime parses a time: in ms of 1.0, with its unit of older versions.
func sysbenchTime(printed, unit string) float64 {
	return inSeconds(printed, cmp.Or(unit, "ms"))
}

// mix takes the number of queries of a kind.
func (r *sysbenchRun) mix(kind string, n float64) {
	switch kind {
	case "read":
		r.reads = n
	case "write":
		r.writes = n
	default:
		r.others = n
	}
}

func (r *sysbenchRun) latency(which string, s float64) {
	switch which {
	case "min":
		r.least = s
	case "avg":
		r.mean = s
	default:
		r.most = s
	}
}
