package convert

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"plimsoll/internal/record"
)

// Sysbench is the format of what sysbench prints.
const Sysbench = "sysbench"

func sysbenchTool() tool {
	return tool{Sysbench, "what sysbench prints, one run or several a file", runsOf(readSysbench)}
}

// sysbenchRun is what one run printed. Times are in s.
type sysbenchRun struct {
	threads, rate           string
	transactions, queries   float64 // a second
	events                  float64 // a second, where a test says it in words of its own
	total, seconds          float64 // events, and how long they took
	ignored, done           float64 // errors, and transactions
	moved, read, written    float64 // B/s
	reconnects              float64
	least, mean, most, tail float64 // latency
	percent                 float64 // that the tail is of
}

// sysbenchLines are the patterns of its lines: the printf formats of sysbench 1.0.20, of its scripts and of its built-in tests.
type sysbenchLines struct{ threads, rate, transactions, queries, ignored, reconnects, events, operations, moved, read, written, seconds, total, latency, percentile *regexp.Regexp }

func newSysbenchLines() sysbenchLines {
	return sysbenchLines{
		threads:      regexp.MustCompile(`^Number of threads: ([0-9]+)`),
		rate:         regexp.MustCompile(`^Target transaction rate: ([0-9]+)/sec`),
		transactions: regexp.MustCompile(`^ +transactions: +([0-9]+) +\(([0-9.]+) per sec\.\)`),
		queries:      regexp.MustCompile(`^ +queries: +[0-9]+ +\(([0-9.]+) per sec\.\)`),
		ignored:      regexp.MustCompile(`^ +ignored errors: +([0-9]+) `),
		reconnects:   regexp.MustCompile(`^ +reconnects: +([0-9]+) `),
		events:       regexp.MustCompile(`^ +(?:events per second|events/s \(eps\)): +([0-9.]+)`),
		operations:   regexp.MustCompile(`^Total operations: [0-9]+ \( *([0-9.]+) per second\)`),
		moved:        regexp.MustCompile(`^[0-9.]+ MiB transferred \(([0-9.]+) MiB/sec\)`),
		read:         regexp.MustCompile(`^ +read, MiB/s: +([0-9.]+)`),
		written:      regexp.MustCompile(`^ +written, MiB/s: +([0-9.]+)`),
		seconds:      regexp.MustCompile(`^ +(?:total time|time elapsed): +([0-9.]+)s`),
		total:        regexp.MustCompile(`^ +total number of events: +([0-9]+)`),
		latency:      regexp.MustCompile(`^ +(min|avg|max): +([0-9.]+)$`),
		percentile:   regexp.MustCompile(`^ +([0-9]+)th percentile: +([0-9.]+)$`),
	}
}

// readSysbench reads all runs of an output, which may have other lines between them.
func readSysbench(out []byte) ([]sysbenchRun, error) {
	lines := newSysbenchLines()
	runs := splitRuns(out, func(line string) (sysbenchRun, bool) {
		return sysbenchRun{}, strings.HasPrefix(line, "Running the test with following options:")
	}, func(r *sysbenchRun, line string) { r.line(lines, line) })
	if len(runs) == 0 {
		return nil, fmt.Errorf("no output of sysbench's, in %s\nhint: it begins with `Running the test with following options:`", Excerpt(out))
	}
	return runs, nil
}

// line takes one line after the first.
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
	} else if m := match(lines.reconnects); m != nil {
		r.reconnects = stated(m[1])
	} else if m := match(lines.latency); m != nil {
		r.latency(m[1], milliseconds(m[2]))
	} else if m := match(lines.percentile); m != nil {
		r.percent, r.tail = stated(m[1]), milliseconds(m[2])
	}
	const mib = 1 << 20
	for _, figure := range []struct {
		pattern *regexp.Regexp
		to      *float64
		factor  float64
	}{
		{lines.queries, &r.queries, 1},
		{lines.events, &r.events, 1},
		{lines.operations, &r.events, 1},
		{lines.moved, &r.moved, mib},
		{lines.read, &r.read, mib},
		{lines.written, &r.written, mib},
		{lines.seconds, &r.seconds, 1},
		{lines.total, &r.total, 1},
	} {
		if m := match(figure.pattern); m != nil {
			*figure.to = stated(m[1]) * figure.factor
		}
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

// carried is what it did a second: transactions of a database, else what a test counts, else its events.
func (r sysbenchRun) carried() float64 {
	switch {
	case r.transactions > 0:
		return r.transactions
	case r.events > 0:
		return r.events
	case r.seconds > 0:
		return r.total / r.seconds
	}
	return 0
}

// values are those of one run.
func (r sysbenchRun) values() ([]record.Value, error) {
	rate := r.carried()
	if rate <= 0 || rate > largest {
		return nil, errors.New("sysbench did nothing\nhint: what it printed on its standard error, or after FATAL:, says why")
	}
	out, better := carried(rate, r.rate != "", r.latencies())
	out.add("queries", "op/s", better, r.queries)
	out.add("moved", "B/s", better, r.moved)
	out.add("read", "B/s", better, r.read)
	out.add("written", "B/s", better, r.written)
	out.add(record.Failed, "%", record.Lower, failedShare(r.outcomes()))
	return out, nil
}

// outcomes counts the transactions that were given up for an error, and the connections that broke in one.
func (r sysbenchRun) outcomes() record.LoadUse {
	return outcomes(cmp.Or(r.done, r.total), map[string]float64{"ignored": r.ignored, "reconnects": r.reconnects})
}

func (r sysbenchRun) latencies() []record.Value {
	out := positive{}
	if r.percent > 0 && r.percent < 100 {
		out.add(percentileName(r.percent), "s", record.Lower, r.tail)
	}
	out.add(record.Latency, "s", record.Lower, r.mean)
	out.add(latencyMin, "s", record.Lower, r.least)
	out.add(latencyMax, "s", record.Lower, r.most)
	return out
}

func (r sysbenchRun) params() record.Params {
	if r.rate == "" {
		return record.Params{}
	}
	return record.Params{"rate": r.rate}
}

func (r sysbenchRun) load() (record.LoadPoint, error) { return clientsLoad(r.threads) }
