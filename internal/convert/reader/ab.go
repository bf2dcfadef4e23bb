package reader

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"plimsoll/internal/record"
)

// Ab is the format of ab's output.
const Ab = "ab"

// AbTool returns ApacheBench.
func AbTool() Tool {
	return Tool{Name: Ab, Doc: "output of ab (ApacheBench), one or more runs per file", Read: runsOf(readAb),
		Marks: lineLike("a line `This is ApacheBench`, or `Time per request: … (mean, across all concurrent requests)`",
			`^(?:This is ApacheBench, |Time per request: .* \(mean, across all concurrent requests\))`)}
}

// abLines are the patterns of its output, of ab.c of httpd 2.4.
type abLines struct{ figure, total, percentile, failures, passed *regexp.Regexp }

func newAbLines() abLines {
	return abLines{
		figure:     regexp.MustCompile(`^([A-Z][A-Za-z0-9/ -]+): +(\S.*)$`),
		total:      regexp.MustCompile(`^Total: +([0-9.]+) +([0-9.]+) +[0-9.]+ +([0-9.]+) +([0-9.]+)$`),
		percentile: regexp.MustCompile(`^ +([0-9]+)% +([0-9]+)(?: \(longest request\))?$`),
		// Totals of which there is a rate, the server, and parts of the latency.
		passed: regexp.MustCompile(`^(?:Server .*|SSL/TLS .*|TLS .*|Document Length|Write errors|Total .*|HTML .*|Connect|` +
			`Processing|Waiting)$`),
		failures: regexp.MustCompile(
			`^ +\(Connect: ([0-9]+), Receive: ([0-9]+), Length: ([0-9]+), Exceptions: ([0-9]+)\)$`),
	}
}

// abRun is a run while it is read.
type abRun struct {
	loadRun
	each, across float64 // ms, time per request of a client, and of all
	failures     float64
	broken       map[string]float64 // of these, by kind; nil: not stated
	length       float64            // answers of another length than the first
	other        float64            // answers that are not 2xx
}

func readAb(out []byte, b Bounds) ([]loadRun, error) {
	lines := newAbLines()
	why := ""
	runs, err := splitRuns(b, out, `^(?:[A-Z][A-Za-z ]+: +[0-9.]+| +[0-9]+% +[0-9])`, func(line string) (abRun, bool) {
		if strings.HasPrefix(line, "apr_") {
			why = line
		}
		return abRun{loadRun: loadRun{tool: Ab, params: record.Params{}}}, strings.HasPrefix(line, "Server Software:")
	}, func(r *abRun, line string) bool { return r.line(lines, line) })
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 && why != "" {
		return nil, fmt.Errorf("ab ended without results: %s", Brief(why))
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("no results of ab in %s\nhint: keep what it prints from `Server Software:` on", Excerpt(out))
	}
	all := make([]loadRun, len(runs))
	for i, r := range runs {
		if all[i], err = r.whole(b); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// line takes a line; false if it is none of ab's.
func (r *abRun) line(lines abLines, line string) bool {
	if m := lines.total.FindStringSubmatch(line); m != nil {
		r.latencies.least, r.latencies.mean = stated(m[1])*1e-3, stated(m[2])*1e-3
		r.latencies.most = stated(m[4]) * 1e-3
		return true
	}
	if m := lines.percentile.FindStringSubmatch(line); m != nil {
		if m[1] != "100" {
			r.latencies.set(m[1], stated(m[2])*1e-3)
		}
		return true
	}
	if m := lines.failures.FindStringSubmatch(line); m != nil {
		r.broken = map[string]float64{"connect": stated(m[1]), "read": stated(m[2]), "exception": stated(m[4])}
		r.length = stated(m[3])
		return true
	}
	m := lines.figure.FindStringSubmatch(line)
	return m != nil && (r.figure(m[1], m[2], strings.Fields(m[2])[0]) || lines.passed.MatchString(m[1]))
}

// figure takes a line with a name; printed is its first word.
func (r *abRun) figure(name, text, printed string) bool {
	switch name {
	case "Document Path":
		r.params["path"] = text
	case "Concurrency Level":
		r.clients = printed
	case "Time taken for tests":
		r.seconds = inSeconds(printed, "s")
	case "Complete requests":
		r.count = stated(printed)
	case "Failed requests":
		r.failures = stated(printed)
	case "Non-2xx responses":
		r.other = stated(printed)
	case "Keep-Alive requests":
		r.params["keepalive"] = "true"
	case "Requests per second":
		r.rate = stated(printed)
	case "Time per request":
		if strings.Contains(text, "across all") {
			r.across = stated(printed)
		} else {
			r.each = stated(printed)
		}
	case "Transfer rate":
		if r.received == 0 && strings.Contains(text, "[Kbytes/sec]") {
			r.received = stated(printed) * (1 << 10)
		}
	default:
		return false
	}
	return true
}

// whole returns the run when all of it is read. What it states twice must agree.
func (r abRun) whole(b Bounds) (loadRun, error) {
	if r.rate == 0 && r.count == 0 {
		return loadRun{}, errors.New("ab completed no requests\nhint: see its standard error")
	}
	clients := stated(r.clients)
	r.slack = rounded(r.seconds, 0.001, rounded(r.rate, 0.01, 0.002))
	r.account.Means = []Meant{
		{Of: "the time per request", Stated: r.across, Follows: 1000 * r.seconds / r.count, Unit: "ms",
			Slack: rounded(r.across, 0.001, rounded(r.seconds, 0.001, 0.01))},
		{Of: "the time per request of a client", Stated: r.each, Follows: 1000 * r.seconds / r.count * clients, Unit: "ms",
			Slack: rounded(r.each, 0.001, rounded(r.seconds, 0.001, 0.01))},
	}
	r.failed = r.broken
	if r.failed == nil {
		r.failed = map[string]float64{"failed": r.failures}
	}
	r.failed["status"] = r.other
	if r.length > 0 {
		b.leave(fmt.Sprintf("%.0f answers had another length than the first (Length): they are no failures here, as pages "+
			"that change have it", r.length))
	}
	return r.loadRun, nil
}
