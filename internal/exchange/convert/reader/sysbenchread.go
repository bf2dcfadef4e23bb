package reader

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// sysbenchFigure is a line of a part of an output, which places it in its run.
type sysbenchFigure struct {
	rule[sysbenchRun]
	part   sysbenchPart
	placed bool // false: lines of other programs may be alike
}

// sysbenchFigures are the printf formats of sysbench 0.4 to 1.1, its scripts and its built-in tests.
func sysbenchFigures() []sysbenchFigure {
	var out []sysbenchFigure
	in := func(part sysbenchPart, pattern string, take func(r *sysbenchRun, m []string)) {
		out = append(out, sysbenchFigure{on(pattern, take), part, true})
	}
	number := func(part sysbenchPart, pattern string, to func(r *sysbenchRun) *float64, factor float64) {
		in(part, pattern, func(r *sysbenchRun, m []string) { *to(r) = stated(m[1]) * factor })
	}
	in(sysbenchHead, `^Number of threads: ([0-9]+)`, func(r *sysbenchRun, m []string) { r.threads = m[1] })
	in(sysbenchHead, `^Target transaction rate: ([0-9]+)/sec`, func(r *sysbenchRun, m []string) { r.rate = m[1] })
	in(sysbenchStatistics, `^ +transactions: +([0-9]+) +\(([0-9.]+) per sec\.\)`, func(r *sysbenchRun, m []string) {
		r.done, r.transactions = stated(m[1]), stated(m[2])
	})
	number(sysbenchStatistics, `^ +queries: +[0-9]+ +\(([0-9.]+) per sec\.\)`,
		func(r *sysbenchRun) *float64 { return &r.queries }, 1)
	for _, pattern := range []string{`^ +ignored errors: +([0-9]+) `, `^ +deadlocks: +([0-9]+) +\(`} { // the second of 0.4
		number(sysbenchStatistics, pattern, func(r *sysbenchRun) *float64 { return &r.ignored }, 1)
	}
	in(sysbenchStatistics, `^ +(read|write|other): +([0-9]+)$`, func(r *sysbenchRun, m []string) {
		*map[string]*float64{"read": &r.reads, "write": &r.writes, "other": &r.others}[m[1]] = stated(m[2])
	})
	number(sysbenchStatistics, `^ +reconnects: +([0-9]+) `, func(r *sysbenchRun) *float64 { return &r.reconnects }, 1)
	number(sysbenchStatistics, `^ +(?:events per second|events/s \(eps\)): +([0-9.]+)`,
		func(r *sysbenchRun) *float64 { return &r.events }, 1)
	in(sysbenchStatistics, `^([0-9.]+) Mi?B transferred \(([0-9.]+) Mi?B/sec\)`, func(r *sysbenchRun, m []string) {
		r.bytes, r.moved = stated(m[1])*mebibyte, stated(m[2])*mebibyte
	})
	in(sysbenchStatistics, `^Read \S+ +Written \S+ +Total transferred \S+ +\(([0-9.]+)([KMG]?)b/sec\)`,
		func(r *sysbenchRun, m []string) { r.moved = stated(m[1]) * wrkBytes(m[2]+"B") }) // of 0.4, whose b are bytes
	in(sysbenchStatistics, `^ +(read|write|fsync): +IOPS=([0-9.]+)(?: ([0-9.]+) MiB/s \(|$)`, // of 1.1
		func(r *sysbenchRun, m []string) {
			r.events += stated(m[2])
			if to := map[string]*float64{"read": &r.read, "write": &r.written}[m[1]]; to != nil {
				*to = stated(m[3]) * mebibyte
			}
		})
	number(sysbenchStatistics, `^ +read, MiB/s: +([0-9.]+)`, func(r *sysbenchRun) *float64 { return &r.read }, mebibyte)
	number(sysbenchStatistics, `^ +written, MiB/s: +([0-9.]+)`,
		func(r *sysbenchRun) *float64 { return &r.written }, mebibyte)
	number(sysbenchGeneral, `^ +(?:total time|time elapsed): +([0-9.]+)s`,
		func(r *sysbenchRun) *float64 { return &r.seconds }, 1)
	number(sysbenchGeneral, `^ +total number of events: +([0-9]+)`, func(r *sysbenchRun) *float64 { return &r.total }, 1)
	in(sysbenchGeneral, `^ +(min|avg|max): +([0-9.]+)(ms|s)?$`, func(r *sysbenchRun, m []string) {
		*map[string]*float64{"min": &r.least, "avg": &r.mean, "max": &r.most}[m[1]] = sysbenchTime(m[2], m[3])
	})
	in(sysbenchGeneral, `^ +(?:approx\. +)?([0-9]+)(?:th)? percentile: +([0-9.]+)(ms|s)?$`,
		func(r *sysbenchRun, m []string) { r.percent, r.tail = stated(m[1]), sysbenchTime(m[2], m[3]) })
	number(0, `^(?:Total operations: [0-9]+ \( *|Operations performed: [0-9]+ \( *)([0-9.]+) (?:per second|ops/sec)\)`,
		func(r *sysbenchRun) *float64 { return &r.events }, 1)
	out[len(out)-1].placed = false
	return out
}

// sysbenchReportLines are the patterns of periodic reports: version 1.0, older versions, files, memory.
type sysbenchReportLines struct{ report, oldReport, fileReport, memoryReport *regexp.Regexp }

func newSysbenchReportLines() sysbenchReportLines {
	return sysbenchReportLines{
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
	r := sysbenchReader{lines: newSysbenchReportLines(), figures: sysbenchFigures(), facts: sysbenchFacts()}
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
	for i := range r.runs {
		r.runs[i].tpcc = tpcc
	}
	return some(r.runs, cmp.Or(bad, err), out, "sysbench output", "it has statistics such as `transactions:`, reports "+
		"such as `[ 1s ] thds: 8 tps: 100.00`, or the same as CSV")
}

// sysbenchReader parses lines into runs.
type sysbenchReader struct {
	lines   sysbenchReportLines
	figures []sysbenchFigure
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
	for _, f := range s.figures {
		if m := f.pattern.FindStringSubmatch(line); m != nil {
			f.take(r, m)
			break
		}
	}
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
	for _, f := range s.figures {
		if f.placed && f.pattern.MatchString(line) {
			return f.part, false, true
		}
	}
	return 0, false, false
}

const mebibyte = 1 << 20

// sysbenchTime parses a time: in ms of 1.0, with its unit of older versions.
func sysbenchTime(printed, unit string) float64 {
	return inSeconds(printed, cmp.Or(unit, "ms"))
}
