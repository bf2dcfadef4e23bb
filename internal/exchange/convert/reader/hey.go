package reader

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"plimsoll/internal/record"
)

// Hey is the format of hey's output.
const Hey = "hey"

// HeyTool returns hey.
func HeyTool() Tool {
	return Tool{Name: Hey, Doc: "output of hey, one or more runs per file", Read: runsOf(readHey),
		Marks: either(lineLike("a line `  Total:	2.0000 secs` under `Summary:`", `^  Total:\s+[0-9.]+ secs`).without(ohaBegins),
			lineLike("CSV with `response-time,DNS+dialup`", `^response-time,DNS\+dialup,`))}
}

// readHey reads all runs of an output.
func readHey(out []byte, b Bounds) ([]loadRun, error) {
	if strings.HasPrefix(string(out[:min(len(out), len(heyCSV))]), heyCSV) {
		return nil, errors.New("the single requests of hey -o csv are not read\nhint: import what hey prints without -o csv")
	}
	runs, err := splitRuns(b, out, `^  [A-Z][A-Za-z/]+:\s+[0-9.]+| +[0-9]+%%? in | +\[[0-9]+\]\s+[0-9]+ responses`,
		func(line string) (loadRun, bool) {
			return loadRun{tool: Hey, load: "hey does not print its clients\nhint: set them with --load N (hey -c; 50 by " +
				"default), or of -q the rate of all clients with --load rate=N"}, line == "Summary:"
		}, rules[loadRun]{
			try(`^  ([A-Z][A-Za-z/]+):\s+([0-9.]+)(?: (secs|bytes))?$`, func(r *loadRun, m []string) bool {
				return r.heyFigure(m[1], m[2], m[3])
			}),
			on(`^  Total data:\s+([0-9]+) bytes$`, func(r *loadRun, m []string) { r.received = stated(m[1]) }),
			on(`^ +([0-9]+)%%? in ([0-9.]+) secs$`, func(r *loadRun, m []string) {
				if m[1] != "0" { // of too few requests for a percentile
					r.latencies.set(m[1], stated(m[2]))
				}
			}),
			on(`^ +\[([0-9]+)\]\s+([0-9]+) responses$`, func(r *loadRun, m []string) { r.answered(m[1], stated(m[2])) }),
			on(`^ +\[([0-9]+)\]\s+(\D.*)$`, func(r *loadRun, m []string) { r.answered("0", stated(m[1])) }),
			on(`^  Size/request:`, func(*loadRun, []string) {}),
		}.line)
	runs, err = some(runs, err, out, "results of hey", "keep what it prints from `Summary:` on")
	for i := range runs {
		if s := runs[i].seconds; s > 0 {
			runs[i].received /= s
		}
		runs[i].slack = rounded(runs[i].seconds, 1e-4, 0.01)
	}
	return runs, err
}

// heyCSV begins the file of single requests.
const heyCSV = "response-time,"

// heyFigure takes a line of the summary; false if it is not known.
func (r *loadRun) heyFigure(name, printed, unit string) bool {
	switch name {
	case "Total":
		r.seconds = stated(printed)
	case "Requests/sec":
		r.rate = stated(printed)
	case "Slowest", "Fastest", "Average":
		r.latencies.set(strings.ToLower(name), stated(printed))
	default:
		return name == "Size/request"
	}
	return unit == "secs" || name == "Requests/sec"
}

// H2load is the format of h2load's output.
const H2load = "h2load"

// H2loadTool returns h2load.
func H2loadTool() Tool {
	return Tool{Name: H2load, Doc: "output of h2load, one or more runs per file", Read: runsOf(readH2load),
		Marks: lineLike("a line `finished in 2.00s, 1000.00 req/s`", `^finished in [0-9.]+(?:us|ms|s), [0-9.]+ req/s, `)}
}

// readH2load reads all runs of an output, of h2load.cc of nghttp2 1.52 and 1.65.
func readH2load(out []byte, b Bounds) ([]loadRun, error) {
	clients := regexp.MustCompile(`^spawning thread #([0-9]+): ([0-9]+) total client\(s\)`)
	protocol := regexp.MustCompile(`^Application protocol: (\S+)$`)
	finished := regexp.MustCompile(`^finished in ([0-9.]+)(us|ms|s), ([0-9.]+) req/s, [0-9.]+[KMG]?B/s$`)
	columns := regexp.MustCompile(`^ +min +max( +\S+)+$`)
	var runs []loadRun
	next := loadRun{}
	spawned, broken := 0.0, 0
	begin := func() {
		if spawned > 0 { // without results
			broken++
		}
		next, spawned = loadRun{}, 0
	}
	var names []string
	figures := h2loadFigures(&names)
	err := b.scan(out, `^(?:finished in|requests: |time for request|traffic: )`, func(line string) bool {
		if line == "starting benchmark..." {
			begin()
			return true
		}
		if m := clients.FindStringSubmatch(line); m != nil {
			if m[1] == "0" {
				begin()
			}
			spawned += stated(m[2])
			return true
		}
		if m := protocol.FindStringSubmatch(line); m != nil {
			next.params = record.Params{"protocol": m[1]}
			return true
		}
		if m := finished.FindStringSubmatch(line); m != nil {
			next.tool, next.seconds, next.rate = H2load, inSeconds(m[1], m[2]), stated(m[3])
			next.slack = rounded(next.seconds, 0.01, 0.02)
			next.load = "h2load's clients are missing here\nhint: keep its lines `spawning thread #0: … total client(s)`, or " +
				"set them with --load N (h2load -c)"
			if spawned > 0 {
				next.clients = fmt.Sprint(spawned)
			}
			runs = append(runs, next)
			next, spawned = loadRun{}, 0
			return true
		}
		if columns.MatchString(line) {
			names = strings.Fields(strings.ReplaceAll(line, "+/- sd", "within"))
			return true
		}
		return len(runs) > 0 && figures.line(&runs[len(runs)-1], line)
	})
	if begin(); len(runs) > 0 {
		leaveBroken(b, broken)
	}
	return some(runs, err, out, "results of h2load", "keep what it prints to its end")
}

// h2loadFigures are the lines below the first one of a report; names are the columns of times.
func h2loadFigures(names *[]string) rules[loadRun] {
	value := regexp.MustCompile(`^([0-9.]+)(us|ms|s)$`)
	return rules[loadRun]{
		on(`^requests: ([0-9]+) total, [0-9]+ started, ([0-9]+) done, ([0-9]+) succeeded, ([0-9]+) failed, `+
			`[0-9]+ errored, [0-9]+ timeout$`, func(r *loadRun, m []string) {
			r.count, r.failed = stated(m[2]), map[string]float64{"failed": stated(m[4])}
			r.account.Offered, r.account.Handled = stated(m[1]), stated(m[2])
			if done := stated(m[3]) + stated(m[4]); done != r.count {
				r.account.Doubts = append(r.account.Doubts, fmt.Sprintf("%.0f requests are done, and %.0f of these succeeded "+
					"or failed", r.count, done))
			}
		}),
		try(`^traffic: [0-9.]+[KMG]?B \(([0-9]+)\) total`, func(r *loadRun, m []string) bool {
			if r.seconds > 0 {
				r.received = stated(m[1]) / r.seconds
			}
			return r.seconds > 0
		}),
		on(`^(?:time for request|request) *: +(.*)$`, func(r *loadRun, m []string) {
			for i, printed := range strings.Fields(m[1]) {
				if t := value.FindStringSubmatch(printed); t != nil && i < len(*names) {
					name := cmp.Or(map[string]string{"median": "med"}[(*names)[i]], (*names)[i])
					r.latencies.set(name, inSeconds(t[1], t[2]))
				}
			}
		}),
	}
}
