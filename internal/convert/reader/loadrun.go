package reader

import (
	"cmp"
	"errors"
	"strconv"

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
