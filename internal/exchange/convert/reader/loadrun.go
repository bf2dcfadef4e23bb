package reader

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"plimsoll/internal/record"
)

// loadRun is one run of a load generator that states totals: what most of them print.
type loadRun struct {
	tool      string
	nothing   string  // the error if it did nothing; "": in general words
	rate      float64 // operations/s, failed ones too; 0: follows from the count and the time
	count     float64 // operations, failed ones too
	seconds   float64
	slack     float64 // by which the rate may differ from the count in its time
	failed    map[string]float64
	latencies latencies
	received  float64 // B/s
	more      Values  // after the others
	params    record.Params
	clients   string // "": not stated
	load      string // why there is no load, with a hint
	paced     bool   // the rate was asked for
	account   Account
}

// Values returns the values of one run, under the names of the workload http.
func (r loadRun) Values() ([]record.Value, error) {
	rate := r.rate
	if rate == 0 && r.seconds > 0 {
		rate = r.count / r.seconds
	}
	if !(rate > 0) || rate > largest || r.count < 0 {
		return nil, errors.New(cmp.Or(r.nothing, r.tool+" completed nothing") + "\nhint: see its standard error")
	}
	return append(requests(rate, r.Outcomes(), r.paced, r.latencies, r.received), r.more...), nil
}

// answered counts answers by their HTTP status: 2xx and 3xx are done, 0 has no answer.
func (r *loadRun) answered(code string, n float64) {
	r.count += n
	switch status, err := strconv.Atoi(code); {
	case err == nil && status >= 200 && status < 400:
	case err == nil && status == 0:
		r.fail("socket", n)
	default:
		r.fail("status", n)
	}
}

// fail counts failures of a class among the operations.
func (r *loadRun) fail(class string, n float64) {
	if r.failed == nil {
		r.failed = map[string]float64{}
	}
	r.failed[class] += n
}

// Outcomes counts what was done and what failed.
func (r loadRun) Outcomes() record.LoadUse {
	failed := 0.0
	for _, n := range r.failed {
		failed += n
	}
	return outcomes(max(0, r.count-failed), r.failed)
}

// Account returns the rate beside its count and time, and what else a tool states twice.
func (r loadRun) Account() Account {
	out := r.account
	out.Reached = r.rate
	out.Rates = append(out.Rates, Rated{Of: "operations", Rate: r.rate, Count: r.count, Seconds: r.seconds,
		Slack: r.slack})
	return out
}

// Params returns the parameters that a tool states.
func (r loadRun) Params() record.Params {
	if r.params == nil {
		return record.Params{}
	}
	return r.params
}

// Load returns the clients.
func (r loadRun) Load() (record.LoadPoint, error) {
	if r.clients == "" {
		return record.LoadPoint{}, noLoad(r.load)
	}
	return clientsLoad(r.clients)
}

// Timeline returns the duration.
func (r loadRun) Timeline() timeline { return timeline{DurationS: r.seconds} }

// seconds parses a time as Go prints it, such as 1m2.5s or 587.75µs, in s; 0 if it is none.
func seconds(text string) float64 {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return d.Seconds()
}

// inSeconds converts a time in a unit to s; 0 if the unit is unknown.
func inSeconds(printed, unit string) float64 {
	return stated(printed) * map[string]float64{"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6,
		"ms": 1e-3, "s": 1,
		"sec": 1, "secs": 1, "m": 60, "min": 60, "h": 3600, "hr": 3600, "day": 86400}[unit]
}

// inBytes converts an amount in a unit to bytes; 0 if the unit is unknown.
func inBytes(printed, unit string) float64 {
	return stated(printed) * map[string]float64{
		"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
		"TiB": 1 << 40,
	}[unit]
}

// latencies are the statistics of a tool's latencies, in s.
type latencies struct {
	mean, stddev, least, most float64
	percentiles               []percentile
}

type percentile struct{ percent, s float64 }

// values returns the latencies, the 99th percentile first.
func (l latencies) values() []record.Value {
	out := Values{}
	for _, first := range []bool{true, false} {
		for _, p := range l.percentiles {
			if (p.percent == 99) == first && p.percent > 0 && p.percent < 100 {
				out.add(percentileName(p.percent), "s", record.Lower, p.s)
			}
		}
	}
	out.add(record.Latency, "s", record.Lower, l.mean)
	out.add("stddev_of_latency", "s", record.Lower, l.stddev)
	out.add(LatencyMin, "s", record.Lower, l.least)
	out.add(LatencyMax, "s", record.Lower, l.most)
	return out
}

// percentileName returns latency_p999 for 99.9.
func percentileName(percent float64) string {
	return record.Latency + "_p" + strings.ReplaceAll(strconv.FormatFloat(percent, 'f', -1, 64), ".", "")
}

// set sets a statistic by its name in a tool's output: "avg", "p(95)", "p99.9", "95th" and the like.
func (l *latencies) set(name string, s float64) {
	switch name {
	case "avg", "mean", "average":
		l.mean = s
	case "min", "fastest":
		l.least = s
	case "max", "slowest":
		l.most = s
	case "med":
		l.percentiles = append(l.percentiles, percentile{50, s})
	default:
		if p, ok := percentileOf(strings.TrimSpace(name)); ok {
			l.percentiles = append(l.percentiles, percentile{p, s})
		}
	}
}

// percentileOf reads a percentile below 100. It compiles no expression, since an output may have a million names.
func percentileOf(name string) (p float64, ok bool) {
	number := strings.TrimPrefix(strings.TrimPrefix(name, "p"), "(")
	number = strings.TrimSuffix(strings.TrimSuffix(number, "th"), ")")
	whole, rest, dotted := strings.Cut(number, ".")
	return stated(number), isDigits(whole, 2) && (!dotted || isDigits(rest, 6))
}

// isDigits reports whether a text has digits alone, at least one and not more than that many.
func isDigits(text string, most int) bool {
	return text != "" && len(text) <= most && strings.Trim(text, "0123456789") == ""
}

// successful returns the share of operations that did not fail; 1 of none.
func successful(n record.LoadUse) float64 {
	if n.Done+n.Errors == 0 {
		return 1
	}
	return float64(n.Done) / float64(n.Done+n.Errors)
}

// requests returns the values of a run of requests: its throughput is of those that did not fail.
func requests(rate float64, n record.LoadUse, paced bool, l latencies, received float64) Values {
	out, better := carried(rate*successful(n), paced, l.values())
	out.add("received", "B/s", better, received)
	out.add(record.Failed, "%", record.Lower, failedShare(n))
	return out
}
