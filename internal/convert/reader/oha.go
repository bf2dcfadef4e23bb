package reader

import (
	"errors"
	"regexp"
	"strings"

	"plimsoll/internal/record"
)

// Oha is the format of oha's output, as text and as JSON.
const Oha = "oha"

// OhaTool returns the tool.
func OhaTool() Tool {
	return Tool{Name: Oha, Doc: "output of oha, as text or --output-format json, one or more runs per file",
		Read: runsOf(readOha), Marks: either(
			lineLike("a line `  Success rate:` under `Summary:`", `^ +Success rate:\s+[0-9.]+%`),
			jsonLike("JSON with `latencyPercentiles` and `statusCodeDistribution`", `\{`, "requestsPerSec", "latencyPercentiles",
				"statusCodeDistribution"),
		)}
}

// ohaRun is one run. Its text and its JSON hold the same.
type ohaRun struct {
	rate, received float64
	seconds, cut   float64 // of the run, and requests cut off at its end
	statuses       map[string]float64
	errors         float64
	latencies      latencies
}

// unfinished is a request that was under way at the end of a run by time, which is no failure.
const unfinished = "aborted due to deadline"

// readOha reads all runs of an output.
func readOha(out []byte, b Bounds) ([]ohaRun, error) {
	asJSON := func(out []byte, b Bounds) ([]ohaRun, error) {
		return documents(b, out, b.Items, ohaReport.run)
	}
	return jsonOrText(out, b, asJSON, readOhaText, "oha output", "use oha --no-tui, or --output-format json")
}

// ohaReport is the part of the JSON that we use. Times are in s.
type ohaReport struct {
	Summary struct {
		Total          float64 `json:"total"`
		Slowest        float64 `json:"slowest"`
		Fastest        float64 `json:"fastest"`
		Average        float64 `json:"average"`
		RequestsPerSec float64 `json:"requestsPerSec"`
		SizePerSec     float64 `json:"sizePerSec"`
	} `json:"summary"`
	Percentiles map[string]float64 `json:"latencyPercentiles"`
	Statuses    map[string]float64 `json:"statusCodeDistribution"`
	Errors      map[string]float64 `json:"errorDistribution"`
}

func (r ohaReport) run() []ohaRun {
	out := ohaRun{seconds: r.Summary.Total, rate: r.Summary.RequestsPerSec, received: r.Summary.SizePerSec,
		statuses: r.Statuses}
	for why, n := range r.Errors {
		if why == unfinished {
			out.cut += n
		} else {
			out.errors += n
		}
	}
	out.latencies = latencies{mean: r.Summary.Average, least: r.Summary.Fastest, most: r.Summary.Slowest}
	for _, name := range sortedKeys(r.Percentiles) {
		out.latencies.set(name, r.Percentiles[name])
	}
	return []ohaRun{out}
}

// ohaLines are the patterns of its text, of printer.rs of oha 1.16.
type ohaLines struct{ figure, percentile, status, failure *regexp.Regexp }

func newOhaLines() ohaLines {
	return ohaLines{
		figure:     regexp.MustCompile(`^  ([A-Z][A-Za-z/]+):\s+([0-9.]+) ?([A-Za-zµ]*)$`),
		percentile: regexp.MustCompile(`^ +([0-9.]+)% in ([0-9.]+) ([a-zµ]+)$`),
		status:     regexp.MustCompile(`^ +\[([0-9]{3})\] ([0-9]+) responses$`),
		failure:    regexp.MustCompile(`^ +\[([0-9]+)\] (\D.*)$`),
	}
}

func readOhaText(out []byte, b Bounds) ([]ohaRun, error) {
	lines := newOhaLines()
	return splitRuns(b, out, ohaResult, func(line string) (ohaRun, bool) {
		return ohaRun{statuses: map[string]float64{}}, line == "Summary:"
	}, func(r *ohaRun, line string) bool { return r.line(lines, line) })
}

// ohaResult matches lines that look like results.
const ohaResult = `^(?:  (?:Slowest|Fastest|Average|Requests/sec|Size/sec|Total|Success rate):| +[0-9.]+% (?:in|on) |` +
	` +\[[0-9]+\] )`

// line parses a line of a run; false if it is none of oha's.
func (r *ohaRun) line(lines ohaLines, line string) bool {
	if m := lines.figure.FindStringSubmatch(line); m != nil {
		return r.figure(m[1], m[2], m[3])
	} else if m := lines.percentile.FindStringSubmatch(line); m != nil {
		r.latencies.set(m[1], inSeconds(m[2], m[3]))
	} else if m := lines.status.FindStringSubmatch(line); m != nil {
		r.statuses[m[1]] += stated(m[2])
	} else if m := lines.failure.FindStringSubmatch(line); m != nil && m[2] == unfinished {
		r.cut += stated(m[1])
	} else if m != nil {
		r.errors += stated(m[1])
	} else {
		return strings.HasPrefix(line, "  Success rate:")
	}
	return true
}

// figure takes a line of the summary; false if its unit is not known.
func (r *ohaRun) figure(name, printed, unit string) bool {
	switch name {
	case "Requests/sec":
		r.rate = stated(printed)
	case "Total":
		r.seconds = inSeconds(printed, unit)
	case "Size/sec":
		r.received = inBytes(printed, unit)
	default:
		s := inSeconds(printed, unit)
		r.latencies.set(strings.ToLower(name), s)
		return s > 0 || stated(printed) == 0
	}
	return true
}

// Values returns the values of one run, under the names of the workload http.
func (r ohaRun) Values() ([]record.Value, error) {
	if n := r.Outcomes(); !(r.rate > 0) || r.rate > largest || n.Done+n.Errors == 0 {
		return nil, errors.New("oha completed no requests\nhint: see its standard error")
	}
	return requests(r.rate, r.Outcomes(), false, r.latencies, r.received), nil
}

// Outcomes counts answers of errors and requests without an answer.
func (r ohaRun) Outcomes() record.LoadUse {
	statuses := map[string]float64{"0": r.errors}
	for code, n := range r.statuses {
		statuses[code] += n
	}
	return statusOutcomes(statuses)
}

// ohaSlack is by how much its rate may differ from the requests in their time, which it prints with four digits.
const ohaSlack = 0.05

// Account returns the requests in their time; those cut off at the end are among them.
func (r ohaRun) Account() Account {
	n := r.Outcomes()
	return Account{Reached: r.rate, Rates: []Rated{{Of: "requests", Rate: r.rate, Count: float64(n.Done+n.Errors) + r.cut,
		Seconds: r.seconds, Slack: rounded(float64(n.Done+n.Errors), r.cut, ohaSlack)}}}
}

// Params returns none: the output does not name the URL.
func (r ohaRun) Params() record.Params { return record.Params{} }

// Load returns an error: the output does not state the connections, nor a rate.
func (r ohaRun) Load() (record.LoadPoint, error) {
	return record.LoadPoint{}, noLoad("oha does not print its connections\nhint: set them with --load N (oha -c; 50 by " +
		"default), or a rate with --load rate=N (oha -q)")
}
