package reader

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Autocannon is the format of autocannon's JSON.
const Autocannon = "autocannon"

// AutocannonTool returns the tool. Its text rounds the number of requests, so only its JSON is read.
func AutocannonTool() Tool {
	return Tool{Name: Autocannon, Doc: "output of autocannon --json, one or more runs per file",
		Read:  runsOf(readAutocannon),
		Marks: jsonLike("JSON with `pipelining`, `non2xx` and `2xx`", `\{`, "connections", "pipelining", "non2xx", "2xx")}
}

func readAutocannon(out []byte, b Bounds) ([]loadRun, error) {
	runs, err := documents(b, out, b.Items, autocannonReport.run)
	return some(runs, err, out, "results of autocannon", "use the output of autocannon --json")
}

// autocannonReport is the part of the JSON that we use. Its fields are described in autocannon's README, "result".
type autocannonReport struct {
	URL         string             `json:"url"`
	Connections float64            `json:"connections"`
	Pipelining  float64            `json:"pipelining"`
	Duration    float64            `json:"duration"`   // s
	Errors      float64            `json:"errors"`     // of connections, and timeouts: requests without an answer
	Mismatches  float64            `json:"mismatches"` // answers with another body than was expected
	S1          float64            `json:"1xx"`
	S2          float64            `json:"2xx"`
	S3          float64            `json:"3xx"`
	S4          float64            `json:"4xx"`
	S5          float64            `json:"5xx"`
	Latency     map[string]float64 `json:"latency"` // whole ms, rounded down
	Requests    struct {
		Average float64 `json:"average"` // per second
		Total   float64 `json:"total"`   // answers
	} `json:"requests"`
	Throughput struct {
		Average float64 `json:"average"` // B/s
	} `json:"throughput"`
}

// autocannonSample is the time between two samples of the rate, in s. The last one is incomplete.
const autocannonSample = 1

func (r autocannonReport) run() []loadRun {
	out := loadRun{tool: Autocannon, seconds: r.Duration, received: r.Throughput.Average, params: record.Params{},
		load: "autocannon states no connections\nhint: set them with --load N (autocannon -c; 10 by default)"}
	for code, n := range map[string]float64{"100": r.S1, "200": r.S2, "300": r.S3, "400": r.S4, "500": r.S5} {
		out.answered(code, n)
	}
	answers := out.count
	out.answered("0", r.Errors)
	if r.Mismatches > 0 {
		out.fail("body", r.Mismatches)
	}
	// Its rate is the mean of samples, and leaves out requests without an answer.
	out.account.Rates = []Rated{
		{Of: "answers", Rate: r.Requests.Average, Count: r.Requests.Total, Seconds: r.Duration,
			Slack: rounded(r.Duration, autocannonSample, 0.02)},
		{Of: "answers by status", Rate: answers, Count: r.Requests.Total, Seconds: 1, Slack: 1e-9},
	}
	if u, err := url.Parse(r.URL); err == nil && u.Path != "" && u.Path != "/" {
		out.params["path"] = u.Path
	}
	if r.Pipelining > 1 {
		out.params["pipelining"] = strconv.FormatFloat(r.Pipelining, 'f', -1, 64)
	}
	if clients := r.Connections * max(1, r.Pipelining); clients > 0 {
		out.clients = strconv.FormatFloat(clients, 'f', -1, 64)
	}
	for _, name := range sortedKeys(r.Latency) {
		out.latency(name, r.Latency[name])
	}
	if n := r.Latency["totalCount"]; n > 1.01*r.Requests.Total {
		out.paced, out.params[record.ParamRate] = true, "fixed" // the rate isn't stated
		out.account.Doubts = append(out.account.Doubts, fmt.Sprintf("%.0f latencies for %.0f answers: autocannon adds "+
			"latencies at a fixed rate, unless --ignoreCoordinatedOmission is set", n, r.Requests.Total))
	}
	return []loadRun{out}
}

// latency takes a statistic in ms. A mean below 1 ms is left out: latencies are rounded down to whole ms before. So are
// percentiles below the median.
func (r *loadRun) latency(name string, ms float64) {
	switch name {
	case "totalCount", "average":
	case "mean":
		if ms >= 1 {
			r.latencies.mean = ms * 1e-3
		}
	case "stddev":
		r.latencies.stddev = ms * 1e-3
	case "p0_001", "p0_01", "p0_1", "p1", "p2_5", "p10", "p25":
	default:
		r.latencies.set(strings.ReplaceAll(name, "_", "."), ms*1e-3)
	}
}
