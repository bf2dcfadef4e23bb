package reader

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Sysbench is the format of sysbench's output.
const Sysbench = "sysbench"

// SysbenchTool reads the output of sysbench.
func SysbenchTool() Tool {
	return Tool{Name: Sysbench, Doc: "output of sysbench, or any part of it, one or more runs per file",
		Read:  runsOf(readSysbench),
		Marks: Marks{Looks: "statistics such as `SQL statistics:`, or reports `[ 1s ] thds: 8 tps: …`", Match: isSysbench}}
}

// isSysbench reports whether a file has a heading or a report of sysbench, or the header of its CSV. Rows without a
// header could be any table's.
func isSysbench(head []byte) bool {
	lines := `^(?:sysbench [0-9]+\.[0-9]|(?:SQL|OLTP test) statistics:$|CPU speed:$|File operations:$|Total ` +
		`operations: [0-9]+ ` +
		`\(|General statistics:$|\[ *[0-9]+s ] (?:thds: |threads: [0-9]+, tps: |reads: |[0-9]+\.[0-9]+ ` +
		`MiB/sec)|time,th(?:d|read)s,tps,qps)`
	return AnyLine(lines)(bytes.ReplaceAll(head, []byte("\r"), nil))
}

// sysbenchRun is the output of one run. Times are in s.
type sysbenchRun struct {
	part                    sysbenchPart // last part read
	threads, rate           string
	transactions, queries   float64 // per second
	events                  float64 // per second, if a test words it differently
	total, seconds          float64 // events, and their duration
	ignored, done           float64 // errors, and transactions
	reconnects              float64
	moved, read, written    float64 // B/s
	bytes                   float64 // moved in all; 0: not stated
	least, mean, most, tail float64 // latency
	percent                 float64 // percentile of the tail
	reports                 sysbenchReports
	reads, writes, others   float64 // queries
	version                 string  // such as 1.0; "": not stated
	fatal                   string  // the line that says so
	tpcc                    bool    // the output names TPC-C
	intended                bool    // ignored errors are no failures
	told                    sysbenchTold
	sql                     bool // it has the heading of a script's statistics
}

// isTPCC reports whether a line names TPC-C, as the script, its tables or a command do.
func isTPCC(line string) bool {
	line = strings.ToLower(line)
	return strings.Contains(line, "tpcc") || strings.Contains(line, "tpc-c")
}

// The mix of sysbench-tpcc: queries for each transaction, of which about 28 are 13 reads, 13.5 writes, and its begin
// and commit. No other script that sysbench has comes near.
func (r sysbenchRun) hasMixOfTPCC() bool {
	near := func(n, least, most float64) bool { return n >= least*r.done && n <= most*r.done }
	return r.done > 0 && near(r.reads, 12, 14.5) && near(r.writes, 12.5, 15) && near(r.others, 1.9, 2.2)
}

// TPC-C rolls back 1 % of its New-Orders, which are 10 of the 23 transactions that sysbench's script deals.
const (
	tpccRollbacks = 0.0043
	tpccScatter   = 0.0005
)

// Intending returns the run with its ignored errors taken as intended: if the user says so, or if it is of TPC-C, as it
// says itself or the user does, and they are the share that the specification rolls back.
func (r sysbenchRun) Intending(always, tpcc bool) Run {
	all, share := r.summed(), 0.0
	if all.done > 0 {
		share = all.ignored / (all.done + all.ignored)
	}
	r.intended = always || (tpcc || r.tpcc || all.hasMixOfTPCC()) && math.Abs(share-tpccRollbacks) <= tpccScatter
	return r
}

// intendedShare returns the share of intended roll-backs, %.
func (r sysbenchRun) intendedShare() float64 {
	if !r.intended || r.ignored == 0 {
		return 0
	}
	return 100 * r.ignored / (r.done + r.ignored)
}

// sysbenchPart is a part of an output; they come in this order, and any may be missing.
type sysbenchPart int

const (
	sysbenchHead sysbenchPart = iota
	sysbenchReport
	sysbenchStatistics
	sysbenchGeneral
	sysbenchFairness
)

// carried returns the rate per second: transactions of a database, else a test's own count, else its events, else from
// its reports.
func (r sysbenchRun) carried() float64 {
	switch {
	case r.transactions > 0:
		return r.transactions
	case r.events > 0:
		return r.events
	case r.seconds > 0:
		return r.total / r.seconds
	}
	return r.reports.mean(func(p sysbenchInterval) float64 { return p.rate })
}

// summed returns the run with totals from its reports if there are no final statistics.
func (r sysbenchRun) summed() sysbenchRun {
	if r.part >= sysbenchStatistics || len(r.reports) == 0 {
		return r
	}
	r.queries = r.reports.mean(func(p sysbenchInterval) float64 { return p.queries })
	r.done = r.reports.sum(func(p sysbenchInterval) float64 { return p.rate })
	r.reads = r.reports.sum(func(p sysbenchInterval) float64 { return p.reads })
	r.writes = r.reports.sum(func(p sysbenchInterval) float64 { return p.writes })
	r.others = r.reports.sum(func(p sysbenchInterval) float64 { return p.others })
	r.ignored = r.reports.sum(func(p sysbenchInterval) float64 { return p.errors })
	r.reconnects = r.reports.sum(func(p sysbenchInterval) float64 { return p.reconnects })
	r.moved = r.reports.mean(func(p sysbenchInterval) float64 { return p.bytes })
	return r
}

func (r sysbenchRun) Values() ([]record.Value, error) {
	rate := r.carried()
	r = r.summed()
	if !r.known() {
		return nil, fmt.Errorf("sysbench %s is not read\nhint: 0.4, 0.5 and 1.0 are", r.version)
	}
	if rate > largest || rate <= 0 && r.moved <= 0 && r.ignored+r.reconnects == 0 {
		//nolint:staticcheck // it quotes sysbench
		return nil, errors.New("sysbench completed nothing\nhint: see its standard error, or the text after FATAL:")
	}
	out, better := carried(rate, r.rate != "", r.latencies())
	out.add("queries", "op/s", better, r.queries)
	out.add("moved", "B/s", better, r.moved)
	out.add("read", "B/s", better, r.read)
	out.add("written", "B/s", better, r.written)
	out.add(record.Failed, "%", record.Lower, failedShare(r.Outcomes()))
	out.add("rollbacks", "%", record.Neutral, r.intendedShare())
	return out, nil
}

// outcomes counts the transactions abandoned because of an error, and the broken connections.
func (r sysbenchRun) Outcomes() record.LoadUse {
	r = r.summed()
	if r.intended {
		return outcomes(cmp.Or(r.done, r.total)+r.ignored, map[string]float64{"reconnects": r.reconnects})
	}
	return outcomes(cmp.Or(r.done, r.total), map[string]float64{"ignored": r.ignored, "reconnects": r.reconnects})
}

// sysbenchSlack is by how much a rate may differ from what was done in its time, which it prints with two decimals.
const sysbenchSlack = 0.02

// known reports whether the version is one whose lines are known, so far as it is stated.
func (r sysbenchRun) known() bool {
	return slices.Contains([]string{"", "0.4", "0.5", "1.0", "1.1"}, r.version)
}

// The end of sysbench's histogram: what took longer counts as that.
const sysbenchLongest = 100

// doubts returns what a run says against itself.
func (r sysbenchRun) doubts() []string {
	if r.tail >= sysbenchLongest {
		return []string{fmt.Sprintf("the %gth percentile of latency is %.0f s at least, where sysbench's histogram "+
			"ends: it is left out", r.percent, r.tail)}
	}
	return nil
}

// Account returns the rate that was asked for, whose arrivals are random, and what was done in its time.
func (r sysbenchRun) Account() Account {
	rate := r.carried()
	broken := ""
	if r.fatal != "" {
		broken = "sysbench ended early: " + Brief(r.fatal)
	}
	return Account{Broken: broken, Doubts: r.doubts(), Asked: stated(r.rate), Random: r.rate != "", Reached: rate,
		Rates: []Rated{{Of: "transactions",
			Rate: r.transactions, Count: r.done, Seconds: r.seconds, Slack: rounded(r.transactions, 0.01, sysbenchSlack)},
			{Of: "events", Rate: r.events, Count: r.total, Seconds: r.seconds, Slack: rounded(r.events, 0.01, sysbenchSlack)},
			{Of: "bytes", Rate: r.moved, Count: r.bytes, Seconds: r.seconds, Slack: rounded(r.moved, 0.01*mebibyte,
				sysbenchSlack)}}}
}

func (r sysbenchRun) latencies() []record.Value {
	out := Values{}
	if r.percent > 0 && r.percent < 100 && r.tail < sysbenchLongest {
		out.add(percentileName(r.percent), "s", record.Lower, r.tail)
	}
	out.add(record.Latency, "s", record.Lower, r.mean)
	out.add(LatencyMin, "s", record.Lower, r.least)
	out.add(LatencyMax, "s", record.Lower, r.most)
	return out
}

// Load returns the threads, which reports state too.
func (r sysbenchRun) Load() (record.LoadPoint, error) {
	return clientsLoad(cmp.Or(r.threads, r.reports.threads()))
}

// Timeline returns the series of the reports, and the duration of the run.
func (r sysbenchRun) Timeline() timeline {
	t := r.reports.timeline()
	t.DurationS = cmp.Or(r.seconds, t.DurationS)
	return t
}
