package reader

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Wrk is the output format of wrk and wrk2.
const Wrk = "wrk"

// WrkTool reads the output of wrk and wrk2.
func WrkTool() Tool {
	return Tool{Name: Wrk, Doc: "output of wrk or wrk2, one or more runs per file", Read: runsOf(readWrk),
		Marks: lineLike("a line `Running 30s test @ URL`", `^Running \S+ test @ \S+`)}
}

// wrkRun is the output of one run. Times are in s.
type wrkRun struct {
	url, threads, connections string
	mean, stddev, most        float64
	percentiles               []percentile
	requests, rate, bytes     float64
	seconds, read             float64 // of the requests, and bytes in them
	socket, status            float64 // errors
	paced                     bool    // by wrk2: requests followed a rate, which is not printed
	uncorrected               bool    // wrk2's latencies from the time of sending follow, with -U
	asked                     float64 // s that it was to last
	uncalibrated              bool    // a thread of wrk2 got no answer while it was to find its pace
}

type percentile struct{ percent, s float64 }

// wrkLines are the patterns of its lines: the printf formats of wrk.c of wrk 4.2 and wrk2.
type wrkLines struct {
	begin, counts, latency, percentile, requests, socket, status, rate, bytes, calibration *regexp.Regexp
}

func newWrkLines() wrkLines {
	const time = `([0-9.]+(?:us|ms|s|m|h))`
	return wrkLines{
		begin:      regexp.MustCompile(`^Running (\S+) test @ (\S+)`),
		counts:     regexp.MustCompile(`^ +([0-9]+) threads and ([0-9]+) connections`),
		latency:    regexp.MustCompile(`^ +Latency +` + time + ` +` + time + ` +` + time + ` `),
		percentile: regexp.MustCompile(`^ *([0-9.]+)% +` + time + `$`),
		requests:   regexp.MustCompile(`^ +([0-9]+) requests in ` + time + `, ([0-9.]+)(B|KB|MB|GB|TB) read$`),
		socket: regexp.MustCompile(
			`^ +Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)`,
		),
		status:      regexp.MustCompile(`^ +Non-2xx or 3xx responses: ([0-9]+)`),
		rate:        regexp.MustCompile(`^Requests/sec: +([0-9.]+)$`),
		bytes:       regexp.MustCompile(`^Transfer/sec: +([0-9.]+)(B|KB|MB|GB|TB)$`),
		calibration: regexp.MustCompile(`Thread calibration: mean lat\.: ([0-9.]+)ms`),
	}
}

// readWrk parses all runs of an output, ignoring other lines.
func readWrk(out []byte, b Bounds) ([]wrkRun, error) {
	lines := newWrkLines()
	runs, err := splitRuns(b, out, wrkResult, func(line string) (wrkRun, bool) {
		if m := lines.begin.FindStringSubmatch(line); m != nil {
			return wrkRun{asked: wrkAsked(m[1]), url: m[2]}, true
		}
		return wrkRun{}, false
	}, func(r *wrkRun, line string) bool { return r.line(lines, line) })
	if err == nil && len(runs) == 0 {
		err = fmt.Errorf("no wrk output in %s\nhint: it begins with `Running … test @ URL`", Excerpt(out))
	}
	return runs, err
}

// wrkResult matches lines that look like results.
const wrkResult = `^(?: +Latency +[0-9]|Requests/sec:|Transfer/sec:| *[0-9.]+%:? +[0-9.]+\S*$| +[0-9]+ requests ` +
	`in| +Socket ` +
	`errors:| +Non-2xx)`

// line parses a line after the first; false if it is none of wrk's.
func (r *wrkRun) line(lines wrkLines, line string) bool {
	read := true
	match := func(p *regexp.Regexp) []string { return p.FindStringSubmatch(line) }
	if m := match(lines.counts); m != nil {
		r.threads, r.connections = m[1], m[2]
	} else if m := match(lines.latency); m != nil {
		r.mean, r.stddev, r.most = wrkTime(m[1]), wrkTime(m[2]), wrkTime(m[3])
	} else if m := match(lines.percentile); m != nil && r.uncorrected {
		return true // of wrk2 with -U
	} else if m != nil && r.rate == 0 {
		r.percentiles = append(r.percentiles, percentile{stated(m[1]), wrkTime(m[2])})
	} else if m := match(lines.requests); m != nil {
		r.requests, r.seconds, r.read = stated(m[1]), wrkTime(m[2]), stated(m[3])*wrkBytes(m[4])
	} else if m := match(lines.socket); m != nil {
		r.socket = stated(m[1]) + stated(m[2]) + stated(m[3]) + stated(m[4])
	} else if m := match(lines.status); m != nil {
		r.status = stated(m[1])
	} else if m := match(lines.rate); m != nil && r.rate == 0 { // a script may print more behind the report
		r.rate = stated(m[1])
	} else if m := match(lines.bytes); m != nil {
		r.bytes = stated(m[1]) * wrkBytes(m[2])
	} else {
		read = false
	}
	if m := match(lines.calibration); m != nil {
		r.uncalibrated = r.uncalibrated || milliseconds(m[1]) > wrkNoAnswer
	}
	r.paced = r.paced || strings.Contains(line, "Thread calibration: ") ||
		strings.Contains(line, "HdrHistogram - Recorded Latency")
	r.uncorrected = r.uncorrected || strings.Contains(line, "HdrHistogram - Uncorrected Latency")
	return read
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
	out, better := carried(r.rate*served, r.paced, r.latencies())
	out.add("received", "B/s", better, r.bytes)
	out.add(record.Failed, "%", record.Lower, failedShare(n))
	out.add("socket_errors", "op", record.Lower, r.socket)
	return out, nil
}

// outcomes counts error responses, and connections that broke or gave none.
func (r wrkRun) Outcomes() record.LoadUse {
	return outcomes(r.requests-r.status, map[string]float64{"status": r.status, "socket": r.socket})
}

// latencies returns the request latencies, the 99th percentile first.
func (r wrkRun) latencies() []record.Value {
	out := Values{}
	for _, first := range []bool{true, false} {
		for _, p := range r.percentiles {
			if (p.percent == 99) == first && p.percent < 100 {
				out.add(percentileName(p.percent), "s", record.Lower, p.s)
			}
		}
	}
	out.add(record.Latency, "s", record.Lower, r.mean)
	out.add("stddev_of_latency", "s", record.Lower, r.stddev)
	out.add(LatencyMax, "s", record.Lower, r.most)
	return out
}

// percentileName returns latency_p999 for 99.9.
func percentileName(percent float64) string {
	return record.Latency + "_p" + strings.ReplaceAll(strconv.FormatFloat(percent, 'f', -1, 64), ".", "")
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
