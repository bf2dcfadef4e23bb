package reader

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"

	"plimsoll/internal/record"
)

// RedisBenchmark is the format of redis-benchmark (valkey-benchmark): its text, -q and --csv.
const RedisBenchmark = "redis-benchmark"

// RedisBenchmarkTool returns the tool.
func RedisBenchmarkTool() Tool {
	return Tool{Name: RedisBenchmark, Doc: "output of redis-benchmark, also of -q or --csv, one run per test",
		Fails: `Error: |^Could not connect to |^All clients disconnected`,
		Read:  runsOf(readRedisBenchmark), Marks: either(
			lineLike("a line `====== SET ======`", `(?:^|\r)={6} .+ ={6}\r?$`),
			lineLike("a line `SET: 1000.00 requests per second`", `(?:^|\r)\S[^\r\n]*: [0-9.]+ requests per second`),
			lineLike("CSV with `\"test\",\"rps\"`", `^"test","rps"`),
		)}
}

// redisRun is one test.
type redisRun struct {
	bare      // it ends at an error, or does not count them
	test      string
	rate      float64
	latencies latencies
	text      *redisText // nil: nothing of it is stated
}

// redisText is what only the text of a test states.
type redisText struct {
	clients, payload string
	threads          string // "": one
	count, seconds   float64
	refused          string // the first error of the server while it ran
}

// stated returns what the text states, nothing if there is none.
func (r redisRun) stated() redisText {
	if r.text == nil {
		return redisText{}
	}
	return *r.text
}

// redisFigures are the lines below a test's heading, of versions 3 to 8.
func redisFigures() rules[redisRun] {
	text := func(pattern string, take func(of *redisText, m []string)) rule[redisRun] {
		return on(pattern, func(r *redisRun, m []string) {
			if r.text == nil {
				r.text = &redisText{}
			}
			take(r.text, m)
		})
	}
	return rules[redisRun]{
		text(`^ +([0-9]+) parallel clients$`, func(of *redisText, m []string) { of.clients = m[1] }),
		text(`^ +([0-9]+) requests completed in ([0-9.]+) seconds$`, func(of *redisText, m []string) {
			of.count, of.seconds = stated(m[1]), stated(m[2])
		}),
		text(`^ +threads: ([0-9]+)$`, func(of *redisText, m []string) { of.threads = m[1] }),
		text(`^ +([0-9]+) bytes payload$`, func(of *redisText, m []string) { of.payload = m[1] }),
		on(`^(?: +throughput summary: )?([0-9.]+) requests per second$`, func(r *redisRun, m []string) {
			r.rate = stated(m[1])
		}),
	}
}

// readRedisBenchmark reads the tests of an output.
func readRedisBenchmark(out []byte, b Bounds) ([]redisRun, error) {
	r := redisReader{figures: redisFigures(),
		heading: regexp.MustCompile(`^={6} (.+) ={6}$`),
		quiet:   regexp.MustCompile(`^(\S.*): ([0-9.]+) requests per second(?:, p50=([0-9.]+) msec)?$`),
		names:   regexp.MustCompile(`^ +avg +min +p50 +p95 +p99 +max$`),
		means:   regexp.MustCompile(`^ +[0-9.]+(?: +[0-9.]+){5}$`),
		shared:  regexp.MustCompile(`^ *[0-9.]+% <= [0-9.]+ milliseconds$`),
	}
	err := b.scan(out, redisResult, r.line)
	if r.runs, err = some(r.runs, err, out, "redis-benchmark output", "use its text, or that of -q or --csv"); err != nil {
		return nil, err
	}
	if r.shares > 0 {
		b.leave(fmt.Sprintf("latencies are left out, %d lines such as 99.00%% <= 1 milliseconds: versions before 6.2 print "+
			"how many requests took less than a bound, which is no percentile\nhint: use redis-benchmark 6.2 or later",
			r.shares))
	}
	if r.refused != "" {
		b.leave("a test ended early and is left out: " + Brief(r.refused))
	}
	// The rate of too few requests is infinite.
	return nonzero(b, r.runs, func(r redisRun) float64 { return r.rate }, func(r redisRun) string {
		return Brief(r.test) + " is left out: it states no rate, since it completed no requests or too few to time them"
	}), nil
}

// redisReader parses lines into tests.
type redisReader struct {
	figures rules[redisRun]

	heading, quiet, names, means, shared *regexp.Regexp

	runs    []redisRun
	columns []string // of CSV; nil: no header was read
	named   bool     // the last line has the names of the latencies
	refused string   // error of the server, in the following test
	shares  int      // lines of how many requests took less than a bound
}

// redisResult matches lines that look like results.
const redisResult = `(?:^"|requests per second|requests completed in|^={6} |latency_ms)`

// line takes a line; false if it is none of redis-benchmark's.
func (r *redisReader) line(line string) bool {
	named := r.named
	r.named = r.names.MatchString(line)
	if strings.Contains(line, redisRefusal) {
		r.refused = cmp.Or(r.refused, line[strings.Index(line, redisRefusal):])
		return true
	}
	if m := r.heading.FindStringSubmatch(line); m != nil {
		r.begin(redisRun{test: m[1]})
		return true
	}
	if m := r.quiet.FindStringSubmatch(line); m != nil {
		run := redisRun{test: m[1], rate: stated(m[2])}
		run.latencies.set("p50", stated(m[3])*1e-3)
		r.begin(run)
		return true
	}
	if strings.HasPrefix(line, `"`) {
		return r.row(line)
	}
	if r.shared.MatchString(line) {
		r.shares++
		return true
	}
	if r.named || len(r.runs) == 0 {
		return r.named
	}
	run := &r.runs[len(r.runs)-1]
	if !named || !r.means.MatchString(line) {
		return r.figures.line(run, line)
	}
	for i, v := range strings.Fields(line) {
		run.latencies.set([]string{"avg", "min", "p50", "p95", "p99", "max"}[i], stated(v)*1e-3)
	}
	return true
}

// row takes a row of CSV. Versions before 6.2 print no header and only rates.
func (r *redisReader) row(line string) bool {
	cells, err := csv.NewReader(strings.NewReader(line)).Read()
	switch {
	case err != nil || len(cells) < 2:
		return false
	case cells[0] == "test":
		r.columns = cells
		return true
	}
	run := redisRun{test: cells[0], rate: stated(cells[1])}
	for i, name := range r.columns {
		if statistic, ok := strings.CutSuffix(name, "_latency_ms"); ok && i < len(cells) {
			run.latencies.set(statistic, stated(cells[i])*1e-3)
		}
	}
	r.begin(run)
	return true
}

// redisRefusal begins an error of the server, which -e of versions before 7 goes on after: what it counts then are
// errors. Tests are printed when they end.
const redisRefusal = "Error from server: "

// begin adds a test, in which the errors before it were.
func (r *redisReader) begin(run redisRun) {
	if r.refused != "" {
		run.text, r.refused = &redisText{refused: r.refused}, ""
	}
	r.runs = append(r.runs, run)
}

// Values returns the values of one test, under the names of the workload http.
func (r redisRun) Values() ([]record.Value, error) {
	if !(r.rate > 0) || r.rate > largest {
		return nil, fmt.Errorf("redis-benchmark states no rate of %s: it completed no requests, or too few to time "+
			"them\nhint: see its standard error; leave the test out, or give it more requests with -n", Brief(r.test))
	}
	return requests(r.rate, record.LoadUse{}, false, r.latencies, 0), nil
}

// Params returns the test and the size of its values.
func (r redisRun) Params() record.Params {
	out, of := record.Params{"test": r.test}, r.stated()
	if of.payload != "" {
		out["payload"] = of.payload + "B"
	}
	if of.threads != "" {
		out["threads"] = of.threads
	}
	return out
}

// redisSlack is by how much a rate may differ from its requests in their time, which has two decimals.
const redisSlack = 0.02

// Account returns the requests in their time, which the text states.
func (r redisRun) Account() Account {
	broken, of := "", r.stated()
	if of.refused != "" {
		broken = "the server answered with errors: " + Brief(of.refused)
	}
	return Account{
		Broken: broken,
		Rates: []Rated{{Of: "requests of " + Brief(r.test), Rate: r.rate, Count: of.count, Seconds: of.seconds,
			Slack: rounded(of.seconds, 0.01, redisSlack)}},
	}
}

// Load returns the clients, which only the text states.
func (r redisRun) Load() (record.LoadPoint, error) {
	clients := r.stated().clients
	if clients == "" {
		return record.LoadPoint{}, noLoad("redis-benchmark prints its clients only as text\nhint: set them with --load N " +
			"(redis-benchmark -c; 50 by default)")
	}
	return clientsLoad(clients)
}
