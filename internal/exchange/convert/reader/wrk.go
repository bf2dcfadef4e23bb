package reader

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"plimsoll/internal/record"
)

// Wrk is the output format of wrk and wrk2.
const Wrk = "wrk"

// WrkTool reads the output of wrk and wrk2.
func WrkTool() Tool {
	return Tool{Name: Wrk, Doc: "output of wrk or wrk2, one or more runs per file", Read: runsOf(readWrk),
		Fails: `^unable to (?:connect to|resolve) `,
		// The output of autocannon begins with the same line and draws tables.
		Marks: lineLike("a line `Running 30s test @ URL`", `^Running \S+ test @ \S+`).without(`│ Stat`)}
}

// wrkRun is the output of one run. Times are in s.
type wrkRun struct {
	url, threads, connections string
	latencies                 latencies
	requests, rate, bytes     float64
	seconds, read             float64 // of the requests, and bytes in them
	socket, status            float64 // errors
	paced                     bool    // by wrk2: requests followed a rate, which is not printed
	uncorrected               bool    // wrk2's latencies from the time of sending follow, with -U
	asked                     float64 // s that it was to last
	uncalibrated              bool    // a thread of wrk2 got no answer while it was to find its pace
}

// readWrk parses all runs of an output, ignoring other lines.
func readWrk(out []byte, b Bounds) ([]wrkRun, error) {
	begin := regexp.MustCompile(`^Running (\S+) test @ (\S+)`)
	calibration := regexp.MustCompile(`Thread calibration: mean lat\.: ([0-9.]+)ms`)
	figures := wrkFigures()
	runs, err := splitRuns(b, out, wrkResult, func(line string) (wrkRun, bool) {
		if m := begin.FindStringSubmatch(line); m != nil {
			return wrkRun{asked: wrkAsked(m[1]), url: m[2]}, true
		}
		return wrkRun{}, false
	}, func(r *wrkRun, line string) bool {
		if m := calibration.FindStringSubmatch(line); m != nil {
			r.uncalibrated = r.uncalibrated || milliseconds(m[1]) > wrkNoAnswer
		}
		read := figures.line(r, line)
		r.paced = r.paced || strings.Contains(line, "Thread calibration: ") ||
			strings.Contains(line, "HdrHistogram - Recorded Latency")
		r.uncorrected = r.uncorrected || strings.Contains(line, "HdrHistogram - Uncorrected Latency")
		return read
	})
	return some(runs, err, out, "wrk output", "it begins with `Running … test @ URL`")
}

// wrkResult matches lines that look like results.
const wrkResult = `^(?: +Latency +[0-9]|Requests/sec:|Transfer/sec:| *[0-9.]+%:? +[0-9.]+\S*$| +[0-9]+ requests ` +
	`in| +Socket ` +
	`errors:| +Non-2xx)`

// wrkFigures are the printf formats of wrk.c of wrk 4.2 and wrk2.
func wrkFigures() rules[wrkRun] {
	const time = `([0-9.]+(?:us|ms|s|m|h))`
	return rules[wrkRun]{
		on(`^ +([0-9]+) threads and ([0-9]+) connections`, func(r *wrkRun, m []string) {
			r.threads, r.connections = m[1], m[2]
		}),
		on(`^ +Latency +`+time+` +`+time+` +`+time+` `, func(r *wrkRun, m []string) {
			r.latencies.mean, r.latencies.stddev, r.latencies.most = wrkTime(m[1]), wrkTime(m[2]), wrkTime(m[3])
		}),
		try(`^ *([0-9.]+)% +`+time+`$`, func(r *wrkRun, m []string) bool {
			if !r.uncorrected && r.rate == 0 {
				r.latencies.percentiles = append(r.latencies.percentiles, percentile{stated(m[1]), wrkTime(m[2])})
			}
			return r.uncorrected || r.rate == 0
		}),
		on(`^ +([0-9]+) requests in `+time+`, ([0-9.]+)(B|KB|MB|GB|TB) read$`, func(r *wrkRun, m []string) {
			r.requests, r.seconds, r.read = stated(m[1]), wrkTime(m[2]), stated(m[3])*wrkBytes(m[4])
		}),
		on(`^ +Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)`,
			func(r *wrkRun, m []string) {
				r.socket = stated(m[1]) + stated(m[2]) + stated(m[3]) + stated(m[4])
			}),
		on(`^ +Non-2xx or 3xx responses: ([0-9]+)`, func(r *wrkRun, m []string) { r.status = stated(m[1]) }),
		try(`^Requests/sec: +([0-9.]+)$`, func(r *wrkRun, m []string) bool {
			first := r.rate == 0 // a script may print more behind the report
			if first {
				r.rate = stated(m[1])
			}
			return first
		}),
		on(`^Transfer/sec: +([0-9.]+)(B|KB|MB|GB|TB)$`, func(r *wrkRun, m []string) {
			r.bytes = stated(m[1]) * wrkBytes(m[2])
		}),
	}
}

// wrkNoAnswer is a mean latency, s, that no run of wrk2 has: of no answers it is that of 2^63 us.
const wrkNoAnswer = 1e9

// wrkAsked parses the time that a run was to last; 0 if it is none.
func wrkAsked(text string) float64 {
	number := strings.TrimRight(text, "smh")
	if len(text)-len(number) != 1 || !isDigits(number, 9) {
		return 0
	}
	return wrkTime(text)
}

// wrkTime parses a time with its unit, in s; 0 if it is none.
func wrkTime(text string) float64 {
	number := strings.TrimRight(text, "umsh")
	return stated(number) * map[string]float64{"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600}[text[len(number):]]
}

// wrkBytes returns the bytes of a unit: units.c counts by 1024.
func wrkBytes(unit string) float64 {
	return map[string]float64{"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}[unit]
}

// Values returns the values of one run, under the names of the workload http.
func (r wrkRun) Values() ([]record.Value, error) {
	n := r.Outcomes()
	if n.Done+n.Errors == 0 || r.rate > largest || r.requests > 0 && r.rate <= 0 {
		return nil, errors.New("wrk completed no requests\nhint: see its standard error")
	}
	served := 0.0 // share of the responses without an error
	if r.requests > 0 {
		served = float64(n.Done) / r.requests
	}
	out, better := carried(r.rate*served, r.paced, r.latencies.values())
	out.add("received", "B/s", better, r.bytes)
	out.add(record.Failed, "%", record.Lower, failedShare(n))
	out.add("socket_errors", "op", record.Lower, r.socket)
	return out, nil
}

// outcomes counts error responses, and connections that broke or gave none.
func (r wrkRun) Outcomes() record.LoadUse {
	return outcomes(r.requests-r.status, map[string]float64{"status": r.status, "socket": r.socket})
}

func (r wrkRun) Params() record.Params {
	out := record.Params{"url": r.url}
	if r.threads != "" {
		out["threads"] = r.threads
	}
	if r.paced {
		out["paced"] = "true"
	}
	return out
}

func (r wrkRun) Load() (record.LoadPoint, error) { return clientsLoad(r.connections) }

// wrkSlack is by how much its times and amounts are rounded: two decimals of a unit.
const wrkSlack = 0.02

// Account returns the requests in their time, beside their rate. Failed answers are among those that were handled.
func (r wrkRun) Account() Account {
	return Account{Reached: r.rate, Doubts: r.doubts(), Rates: []Rated{
		{Of: "requests", Rate: r.rate, Count: r.requests, Seconds: r.seconds, Slack: wrkSlack},
		{Of: "bytes", Rate: r.bytes, Count: r.read, Seconds: r.seconds, Slack: wrkSlack},
	}}
}

// leastLasted is the share of its time below which a run was broken off.
const leastLasted = 0.9

// doubts returns what a run says against itself.
func (r wrkRun) doubts() []string {
	var out []string
	if r.seconds > 0 && r.seconds < leastLasted*r.asked {
		out = append(out, fmt.Sprintf("it was broken off after %.3g s of %.3g s", r.seconds, r.asked))
	}
	if r.uncalibrated {
		out = append(out, "a thread of wrk2 got no answer in its calibration, so that it kept no rate")
	}
	return out
}
