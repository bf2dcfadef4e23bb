package reader

import (
	"fmt"
	"regexp"
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
	loadRun
	total    float64
	duration float64 // s, of the attack and the wait for its last response
	attack   float64 // s, of sending; 0: not stated
	earliest string  // time of the first request; "": not stated
	over     bool    // printed over the report before it, as by -every
	success  float64 // share of requests, as it is stated; 0: not
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
	Success   float64                 `json:"success"` // share
	Statuses  map[string]float64      `json:"status_codes"`
	Earliest  string                  `json:"earliest"`
}

func (r vegetaReport) run() []vegetaRun {
	out := vegetaRun{total: r.Requests, attack: r.Duration * 1e-9, duration: (r.Duration + r.Wait) * 1e-9,
		earliest: r.Earliest}
	out.rate, out.received, out.success = r.Rate, r.BytesIn.Total, r.Success
	for code, n := range r.Statuses {
		out.answered(code, n)
	}
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
		return vegetaRun{total: stated(n[0]), loadRun: loadRun{rate: stated(n[1])}, over: over}, true
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
		r.count, r.failed = 0, nil
		for _, pair := range strings.Fields(printed) {
			code, count, _ := strings.Cut(pair, ":")
			r.answered(code, stated(count))
		}
	case "Latencies":
		for i, statistic := range strings.Split(of, ", ") {
			if i < len(n) {
				r.latencies.set(statistic, seconds(n[i]))
			}
		}
	case "Success":
		percent, _ := strings.CutSuffix(n[0], "%")
		r.success = stated(percent) / 100
	default:
		return name == "Bytes Out" || name == "Bucket"
	}
	return true
}

// fields splits figures at their commas; there are at least two.
func fields(printed string) []string {
	return append(strings.Split(strings.ReplaceAll(printed, " ", ""), ","), "", "")
}

// Values returns the values of one report, whose rate is that of requests in all of its time.
func (r vegetaRun) Values() ([]record.Value, error) {
	of := r.loadRun
	of.nothing = "vegeta sent no requests"
	if r.duration > 0 {
		of.rate, of.received = r.total/r.duration, r.received/r.duration
	} else {
		of.received = 0
	}
	if !(r.total > 0) {
		of.rate = 0
	}
	return of.Values()
}

// vegetaSlack is by how much the rate of sending may differ from the requests in their time: of few, one more or less.
const vegetaSlack = 0.02

// Account returns the rate of sending, and the requests in their time. Failed ones are counted by themselves.
func (r vegetaRun) Account() Account {
	return Account{Reached: r.rate, Rates: []Rated{{Of: "requests", Rate: r.rate, Count: r.total, Seconds: r.attack,
		Slack: rounded(r.total, 1, vegetaSlack)}},
		Means: []Meant{{Of: "success", Stated: r.success, Follows: successful(r.Outcomes()), Slack: rounded(r.success,
			1e-4, 1e-3)}}}
}

// Load returns an error: the rate is that of the times of sending, which as many intervals as requests less one make,
// and not exactly the one that was asked for.
func (r vegetaRun) Load() (record.LoadPoint, error) {
	asked := r.rate * max(0, r.total-1) / r.total
	return record.LoadPoint{},
		noLoad(fmt.Sprintf("vegeta does not print the rate that it was told\nhint: set it, such as --load rate=%.0f, or "+
			"--load N of -rate 0 with N workers", asked))
}
