package reader

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Vegeta is the format of vegeta report, as text and as JSON.
const Vegeta = "vegeta"

// VegetaTool returns the tool.
func VegetaTool() Tool {
	return Tool{Name: Vegeta, Doc: "output of vegeta report, as text or -type=json, one or more reports per file",
		Read: runsOf(readVegeta), Marks: either(
			lineLike("a line `Requests      [total, rate, throughput]`", `^(?:\x1b\[H\x1b\[2J)?Requests +\[total, rate`),
			jsonLike("JSON with `latencies` and `status_codes`", `\{`, "latencies", "bytes_in", "status_codes"),
		)}
}

// vegetaRun is one report.
type vegetaRun struct {
	total, rate float64
	duration    float64 // s, of the attack and the wait for its last response
	attack      float64 // s, of sending; 0: not stated
	received    float64 // bytes
	statuses    map[string]float64
	latencies   latencies
	earliest    string // time of the first request; "": not stated
	over        bool   // printed over the report before it, as by -every
}

// states returns the last report of each attack: with -every the ones before are of its beginnings.
func states(b Bounds, runs []vegetaRun) []vegetaRun {
	var out []vegetaRun
	for i, r := range runs {
		if last := len(out) - 1; i > 0 && r.total >= out[last].total &&
			(r.over || r.earliest != "" && r.earliest == out[last].earliest) {
			out[last] = r
			continue
		}
		out = append(out, r)
	}
	if n := len(runs) - len(out); n > 0 {
		b.leave(fmt.Sprintf("left out: reports of attacks that went on, as of vegeta report -every (%d)", n))
	}
	return out
}

// readVegeta reads all reports of an output.
func readVegeta(out []byte, b Bounds) ([]vegetaRun, error) {
	asJSON := func(out []byte, b Bounds) ([]vegetaRun, error) {
		return documents(b, out, b.Items, vegetaReport.run)
	}
	runs, err := jsonOrText(out, b, asJSON, readVegetaText, "vegeta report",
		"use the output of vegeta report or vegeta report -type=json")
	return states(b, runs), err
}

// vegetaReport is the part of the JSON that we use. Times are in ns.
type vegetaReport struct {
	Latencies map[string]float64      `json:"latencies"`
	BytesIn   struct{ Total float64 } `json:"bytes_in"`
	Duration  float64                 `json:"duration"`
	Wait      float64                 `json:"wait"`
	Requests  float64                 `json:"requests"`
	Rate      float64                 `json:"rate"`
	Statuses  map[string]float64      `json:"status_codes"`
	Earliest  string                  `json:"earliest"`
}

func (r vegetaReport) run() []vegetaRun {
	out := vegetaRun{total: r.Requests, rate: r.Rate, attack: r.Duration * 1e-9, duration: (r.Duration + r.Wait) * 1e-9,
		received: r.BytesIn.Total,
		statuses: r.Statuses, earliest: r.Earliest}
	for _, name := range sortedKeys(r.Latencies) {
		if name != "total" {
			out.latencies.set(name, r.Latencies[name]*1e-9)
		}
	}
	return []vegetaRun{out}
}

// vegetaCleared is printed by -every before each report: it clears the screen.
const vegetaCleared = "\x1b[H\x1b[2J"

func readVegetaText(out []byte, b Bounds) ([]vegetaRun, error) {
	row := regexp.MustCompile(`^([A-Z][A-Za-z ]+?) +\[(.*?)\] +(.*)$`)
	return splitRuns(b, out, `^[A-Z][A-Za-z ]+ +\[.*\] +[0-9]`, func(line string) (vegetaRun, bool) {
		line, over := strings.CutPrefix(line, vegetaCleared)
		m := row.FindStringSubmatch(line)
		if m == nil || m[1] != "Requests" {
			return vegetaRun{}, false
		}
		n := fields(m[3])
		return vegetaRun{total: stated(n[0]), rate: stated(n[1]), statuses: map[string]float64{}, over: over}, true
	}, func(r *vegetaRun, line string) bool {
		m := row.FindStringSubmatch(line)
		return m != nil && r.row(m[1], m[2], m[3])
	})
}

// row takes a line of a report: its name, the names of its figures, and these. False if it is none of vegeta's.
func (r *vegetaRun) row(name, of, printed string) bool {
	n := fields(printed)
	switch name {
	case "Duration":
		r.duration, r.attack = seconds(n[0]), seconds(n[1])
	case "Bytes In":
		r.received = stated(n[0])
	case "Status Codes":
		for _, pair := range strings.Fields(printed) {
			code, count, _ := strings.Cut(pair, ":")
			r.statuses[code] = stated(count)
		}
	case "Latencies":
		for i, statistic := range strings.Split(of, ", ") {
			if i < len(n) {
				r.latencies.set(statistic, seconds(n[i]))
			}
		}
	default:
		return name == "Success" || name == "Bytes Out" || name == "Bucket"
	}
	return true
}

// fields splits figures at their commas; there are at least two.
func fields(printed string) []string {
	return append(strings.Split(strings.ReplaceAll(printed, " ", ""), ","), "", "")
}

// Values returns the values of one report, under the names of the workload http.
func (r vegetaRun) Values() ([]record.Value, error) {
	rate := r.rate
	if r.duration > 0 {
		rate = r.total / r.duration
	}
	if !(r.total > 0) || !(rate > 0) || rate > largest {
		return nil, errors.New("vegeta sent no requests\nhint: see its standard error")
	}
	received := 0.0
	if r.duration > 0 {
		received = r.received / r.duration
	}
	return requests(rate, r.Outcomes(), false, r.latencies, received), nil
}

// Outcomes counts requests without an answer, which have the code 0, and answers of errors.
func (r vegetaRun) Outcomes() record.LoadUse { return statusOutcomes(r.statuses) }

// vegetaSlack is by how much the rate of sending may differ from the requests in their time: of few, one more or less.
const vegetaSlack = 0.02

// Account returns the rate of sending, and the requests in their time. Failed ones are counted by themselves.
func (r vegetaRun) Account() Account {
	return Account{Reached: r.rate, Rates: []Rated{{Of: "requests", Rate: r.rate, Count: r.total, Seconds: r.attack,
		Slack: rounded(r.total, 1, vegetaSlack)}}}
}

// Params returns none: a report does not name its targets.
func (r vegetaRun) Params() record.Params { return record.Params{} }

// Load returns an error: the rate is that of the times of sending, which as many intervals as requests less one make,
// and not exactly the one that was asked for.
func (r vegetaRun) Load() (record.LoadPoint, error) {
	asked := r.rate * max(0, r.total-1) / r.total
	return record.LoadPoint{},
		noLoad(fmt.Sprintf("vegeta does not print the rate that it was told\nhint: set it, such as --load rate=%.0f, or "+
			"--load N of -rate 0 with N workers", asked))
}

// statusOutcomes counts answers by HTTP status: 2xx and 3xx are done, 0 has no answer.
func statusOutcomes(statuses map[string]float64) record.LoadUse {
	done, failed := 0.0, map[string]float64{}
	for code, n := range statuses {
		switch status, err := strconv.Atoi(code); {
		case err == nil && status >= 200 && status < 400:
			done += n
		case err == nil && status == 0:
			failed["socket"] += n
		default:
			failed["status"] += n
		}
	}
	return outcomes(done, failed)
}
