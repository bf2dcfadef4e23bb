package reader

import (
	"strings"

	"plimsoll/internal/record"
)

// Oha is the format of oha's output, as text and as JSON.
const Oha = "oha"

// OhaTool returns the tool.
func OhaTool() Tool {
	return Tool{Name: Oha, Doc: "output of oha, as text or --output-format json, one or more runs per file",
		Read: runsOf(readOha), Marks: either(
			lineLike("a line `  Success rate:` under `Summary:`", ohaBegins),
			jsonLike("JSON with `latencyPercentiles` and `statusCodeDistribution`", `\{`, "requestsPerSec", "latencyPercentiles",
				"statusCodeDistribution"),
		)}
}

// ohaBegins is the line of oha that hey does not have; before 0.6 it is a fraction.
const ohaBegins = `^ +Success rate:\s+[0-9.]+`

// ohaRun is one run. Its text and its JSON hold the same.
type ohaRun struct {
	loadRun
	took, cut float64 // s, and requests cut off at the end
}

// newOha returns a run without figures. The output does not name the URL, nor state the connections or a rate.
func newOha() ohaRun {
	return ohaRun{loadRun: loadRun{tool: Oha, nothing: "oha completed no requests", load: "oha does not print its " +
		"connections\nhint: set them with --load N (oha -c; 50 by default), or a rate with --load rate=N (oha -q)"}}
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
	out := newOha()
	out.took, out.rate, out.received = r.Summary.Total, r.Summary.RequestsPerSec, r.Summary.SizePerSec
	out.latencies = latencies{mean: r.Summary.Average, least: r.Summary.Fastest, most: r.Summary.Slowest}
	for why, n := range r.Errors {
		out.failure(why, n)
	}
	for code, n := range r.Statuses {
		out.answered(code, n)
	}
	for _, name := range sortedKeys(r.Percentiles) {
		out.latencies.set(name, r.Percentiles[name])
	}
	return []ohaRun{out}
}

// readOhaText reads the text of printer.rs of oha 1.16.
func readOhaText(out []byte, b Bounds) ([]ohaRun, error) {
	return splitRuns(b, out, ohaResult, func(line string) (ohaRun, bool) {
		return newOha(), line == "Summary:"
	}, rules[ohaRun]{
		try(`^  ([A-Z][A-Za-z/]+):\s+([0-9.]+) ?([A-Za-zµ]*)$`, func(r *ohaRun, m []string) bool {
			return r.figure(m[1], m[2], m[3])
		}),
		on(`^ +([0-9.]+)% in ([0-9.]+) ([a-zµ]+)$`, func(r *ohaRun, m []string) {
			r.latencies.set(m[1], inSeconds(m[2], m[3]))
		}),
		on(`^ +\[([0-9]{3})\] ([0-9]+) responses$`, func(r *ohaRun, m []string) { r.answered(m[1], stated(m[2])) }),
		on(`^ +\[([0-9]+)\] (\D.*)$`, func(r *ohaRun, m []string) { r.failure(m[2], stated(m[1])) }),
		on(`^  Success rate:`, func(*ohaRun, []string) {}),
	}.line)
}

// ohaResult matches lines that look like results.
const ohaResult = `^(?:  (?:Slowest|Fastest|Average|Requests/sec|Size/sec|Total|Success rate):| +[0-9.]+% (?:in|on) |` +
	` +\[[0-9]+\] )`

// failure counts requests without an answer.
func (r *ohaRun) failure(why string, n float64) {
	if why == unfinished {
		r.cut += n
	} else {
		r.answered("0", n)
	}
}

// figure takes a line of the summary; false if its unit is not known.
func (r *ohaRun) figure(name, printed, unit string) bool {
	switch name {
	case "Requests/sec":
		r.rate = stated(printed)
	case "Total":
		r.took = inSeconds(printed, unit)
	case "Size/sec":
		r.received = inBytes(printed, unit)
	default:
		s := inSeconds(printed, unit)
		r.latencies.set(strings.ToLower(name), s)
		return s > 0 || stated(printed) == 0
	}
	return true
}

// Values returns the values of one run, of which the answers must be stated.
func (r ohaRun) Values() ([]record.Value, error) {
	if n := r.Outcomes(); n.Done+n.Errors == 0 {
		r.rate = 0
	}
	return r.loadRun.Values()
}

// ohaSlack is by how much its rate may differ from the requests in their time, which it prints with four digits.
const ohaSlack = 0.05

// Account returns the requests in their time; those cut off at the end are among them.
func (r ohaRun) Account() Account {
	return Account{Reached: r.rate, Rates: []Rated{{Of: "requests", Rate: r.rate, Count: r.count + r.cut,
		Seconds: r.took, Slack: rounded(r.count, r.cut, ohaSlack)}}}
}
