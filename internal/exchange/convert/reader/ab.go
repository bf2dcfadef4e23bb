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
		Fails: `^apr_[a-z_]+: `,
		Marks: lineLike("a line `This is ApacheBench`, or `Time per request: … (mean, across all concurrent requests)`",
			`^(?:This is ApacheBench, |Time per request: .* \(mean, across all concurrent requests\))`)}
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
	runs, err := splitRuns(b, out, `^(?:[A-Z][A-Za-z ]+: +[0-9.]+| +[0-9]+% +[0-9])`, func(line string) (abRun, bool) {
		return abRun{loadRun: loadRun{tool: Ab, params: record.Params{}}}, strings.HasPrefix(line, "Server Software:")
	}, abFigures().line)
	runs, err = some(runs, err, out, "results of ab", "keep what it prints from `Server Software:` on")
	if err != nil {
		return nil, err
	}
	all := make([]loadRun, len(runs))
	for i, r := range runs {
		if all[i], err = r.whole(b); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// abFigures are the lines of ab.c of httpd 2.4.
func abFigures() rules[abRun] {
	// Totals of which there is a rate, the server, and parts of the latency.
	passed := regexp.MustCompile(`^(?:Server .*|SSL/TLS .*|TLS .*|Document Length|Write errors|Total .*|HTML .*|Connect|` +
		`Processing|Waiting)$`)
	return rules[abRun]{
		on(`^Total: +([0-9.]+) +([0-9.]+) +[0-9.]+ +([0-9.]+) +([0-9.]+)$`, func(r *abRun, m []string) {
			r.latencies.least, r.latencies.mean = stated(m[1])*1e-3, stated(m[2])*1e-3
			r.latencies.most = stated(m[4]) * 1e-3
		}),
		on(`^ +([0-9]+)% +([0-9]+)(?: \(longest request\))?$`, func(r *abRun, m []string) {
			if m[1] != "100" {
				r.latencies.set(m[1], stated(m[2])*1e-3)
			}
		}),
		on(`^ +\(Connect: ([0-9]+), Receive: ([0-9]+), Length: ([0-9]+), Exceptions: ([0-9]+)\)$`,
			func(r *abRun, m []string) {
				r.broken = map[string]float64{"connect": stated(m[1]), "read": stated(m[2]), "exception": stated(m[4])}
				r.length = stated(m[3])
			}),
		try(`^([A-Z][A-Za-z0-9/ -]+): +(\S.*)$`, func(r *abRun, m []string) bool {
			return r.figure(m[1], m[2], strings.Fields(m[2])[0]) || passed.MatchString(m[1])
		}),
	}
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
