package reader

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"plimsoll/internal/record"
)

// K6 is the format of k6: its summary at the end, --summary-export and --out json.
const K6 = "k6"

// K6Tool returns the tool.
func K6Tool() Tool {
	return Tool{Name: K6, Doc: "output of k6 run: the summary at its end, --summary-export, or --out json",
		Read: runsOf(readK6), Marks: either(
			lineLike("a line `http_req_duration....: avg=…` or `iterations....: N`",
				`^ +(?:http_req_duration|iterations|iteration_duration)\.{2,}: `),
			jsonLike("JSON with the metrics of k6", `\{`, "metrics", "iterations", "vus_max"),
			lineLike("lines `{\"type\":\"Metric\"…` and `\"type\":\"Point\"`",
				`^\{(?:"type":"Metric","data":\{"name":|"metric":"[a-z_]+","type":"Point")`),
		)}
}

// k6Run is one run.
type k6Run struct {
	bare                 // a summary does not name its script
	requests, iterations k6Count
	failed               float64 // requests
	request, iteration   latencies
	received             float64 // B/s
	vus                  k6VUs
	arrivals             float64 // iterations/s that were asked for; 0: not stated
	arrivalsFor          float64 // s
	due                  float64 // iterations that its executor was to do; 0: not stated
	varying              bool    // the rate of arrivals was no single one
	dropped              float64 // iterations that were due and not begun
	checks, unchecked    float64 // checks that held, and those that failed
	closed               bool    // its virtual users loop, as the text states
	interrupted          float64 // iterations that had no end when the run ended
	lasted, planned      float64 // s of the run, and of its scenario; 0: not stated
	aborted              bool    // before its end
	crossed              bool    // a threshold of its script
}

// k6Count is an amount and how much of it there was per second.
type k6Count struct{ n, rate float64 }

// k6VUs are the clients over the run.
type k6VUs struct{ least, most, reserved float64 }

// readK6 reads the runs of an output.
func readK6(out []byte, b Bounds) ([]k6Run, error) {
	var runs []k6Run
	var err error
	switch head := bytes.TrimSpace(out); {
	case !bytes.HasPrefix(head, []byte("{")):
		runs, err = readK6Text(out, b)
	case isK6Stream(head):
		runs, err = readK6Stream(out, b)
	default:
		runs, err = documents(b, out, b.Items, k6Export.run)
	}
	return some(runs, err, out, "k6 summary", "use what k6 run prints at its end, or the file of --summary-export or "+
		"--out json")
}

// k6Export is the file of --summary-export; what handleSummary passes on has the figures of a metric under "values".
type k6Export struct {
	Metrics map[string]k6Metric `json:"metrics"`
}

type k6Metric map[string]any

// figures returns the numbers of a metric.
func (m k6Metric) figures() map[string]float64 {
	from := map[string]any(m)
	if nested, ok := m["values"].(map[string]any); ok {
		from = nested
	}
	out := map[string]float64{}
	for name, v := range from {
		if f, ok := v.(float64); ok {
			out[name] = f
		}
	}
	return out
}

// run returns the run of an export, whose times are in ms.
func (e k6Export) run() []k6Run {
	of := func(name string) map[string]float64 { return e.Metrics[name].figures() }
	vus, reserved := of("vus"), of("vus_max")
	r := k6Run{
		requests: k6Count{of("http_reqs")["count"], of("http_reqs")["rate"]}, iterations: k6Count{of("iterations")["count"],
			of("iterations")["rate"]},
		failed: of("http_req_failed")["passes"], received: of("data_received")["rate"],
		vus:     k6VUs{vus["min"], vus["max"], cmp.Or(reserved["max"], reserved["value"])},
		dropped: of("dropped_iterations")["count"],
		checks:  of("checks")["passes"], unchecked: of("checks")["fails"],
	}
	for name, to := range map[string]*latencies{"http_req_duration": &r.request, "iteration_duration": &r.iteration} {
		figures := of(name)
		for _, statistic := range sortedKeys(figures) {
			to.set(statistic, figures[statistic]*1e-3)
		}
	}
	return []k6Run{r}
}

// Values returns the values of one run, under the names of the workload http; of a script without HTTP those of its
// iterations.
func (r k6Run) Values() ([]record.Value, error) {
	count, of := r.requests, r.request
	if count.n == 0 {
		count, of = r.iterations, r.iteration
	}
	if !(count.n > 0) || !(count.rate > 0) || count.rate > largest {
		return nil, errors.New("k6 completed no requests and no iterations\nhint: see its standard error")
	}
	out := requests(count.rate, r.Outcomes(), r.arrivals > 0 || r.dropped > 0, of, r.received)
	out.count("checks_failed", "%", r.uncheckedShare(), r.checks+r.unchecked > 0)
	return out, nil
}

// uncheckedShare returns the share of the script's checks that failed, %.
func (r k6Run) uncheckedShare() float64 {
	if r.checks+r.unchecked == 0 {
		return 0
	}
	return 100 * r.unchecked / (r.checks + r.unchecked)
}

// k6Slack is by how much the times of two counters of one run may differ, which k6 prints with six digits.
const k6Slack = 0.02

// Account returns the iterations that were due and those that were done. A rate of arrivals is that of its scenario,
// and not that of the whole time, which ends with the last iteration.
func (r k6Run) Account() Account {
	var out Account
	switch {
	case r.dropped > 0:
		out.Offered, out.Handled = r.iterations.n+r.dropped, r.iterations.n
	case r.due > 0:
		out.Offered, out.Handled = r.due, r.iterations.n
	case r.arrivals > 0 && r.arrivalsFor > 0:
		out.Offered, out.Handled = r.arrivals*r.arrivalsFor, r.iterations.n
	}
	if r.iterations.rate > 0 && r.requests.n > 0 {
		out.Rates = []Rated{{Of: "requests", Rate: r.requests.rate, Count: r.requests.n,
			Seconds: r.iterations.n / r.iterations.rate, Slack: k6Slack}}
	}
	if r.aborted {
		out.Broken = "the run was aborted before its end"
	}
	if r.interrupted > 0 {
		out.Doubts = append(out.Doubts, r.withoutEnd())
	}
	if r.crossed {
		out.Doubts = append(out.Doubts, "a threshold of the script was crossed")
	}
	if share := r.uncheckedShare(); share > 0 {
		out.Doubts = append(out.Doubts, fmt.Sprintf("%.3g%% of the script's checks failed, %.0f of %.0f: answers were not "+
			"what they should be", share, r.unchecked, r.checks+r.unchecked))
	}
	return out
}

// withoutEnd states the effect of iterations without an end on the figures.
func (r k6Run) withoutEnd() string {
	out := fmt.Sprintf("%.0f iterations were interrupted at the end of the run, and their latencies are in no figure",
		r.interrupted)
	if r.planned > 0 && r.lasted > (1+k6Slack)*r.planned {
		out += fmt.Sprintf(": the rates are over %.4g s, with the wait for them, and the load lasted %.4g s", r.lasted,
			r.planned)
	}
	return out
}

// k6Busy is the least share of the time for which the virtual users of a closed loop are in an iteration.
const k6Busy = 0.9

// looping reports whether virtual users began an iteration as soon as they had ended one. With arrivals they
// wait for the next, and all may be there from the start: their number is as steady. In the tail of a run each may wait
// for the longest iteration.
func (r k6Run) looping() bool {
	if r.closed || r.due > 0 {
		return true
	}
	tail := r.iteration.most
	if r.iterations.rate > 0 {
		tail /= r.iterations.n / r.iterations.rate
	}
	return r.iterations.rate*r.iteration.mean >= (k6Busy-tail)*r.vus.most
}

// Outcomes counts failed requests, which by default are those without a status of 200 to 399.
func (r k6Run) Outcomes() record.LoadUse {
	if r.requests.n == 0 {
		return outcomes(r.iterations.n, nil)
	}
	return outcomes(r.requests.n-r.failed, map[string]float64{"status": r.failed})
}

// Load returns the virtual users if their number was the same throughout, or the rate of arrivals that was asked for.
// An export does not state an executor.
func (r k6Run) Load() (record.LoadPoint, error) {
	switch steady := r.vus.least == r.vus.most && r.vus.most == r.vus.reserved && r.vus.most > 0; {
	case r.arrivals > 0 && r.arrivals < mostOperations && r.requests.n <= r.iterations.n:
		return record.LoadPoint{Kind: record.Open, Level: r.arrivals, Unit: record.ParamRate}, nil
	case r.dropped > 0 || r.varying:
		return record.LoadPoint{}, noLoad("k6 began iterations at a rate, since it dropped some or says so, and does not " +
			"state it as one number\nhint: set it with --load rate=N")
	case r.arrivals == 0 && steady && !r.looping():
		return record.LoadPoint{}, noLoad("k6's virtual users were in an iteration for less than 90% of the time, so " +
			"that it may have begun iterations at a rate, which it does not state\nhint: set it with --load rate=N, or the " +
			"virtual users of a closed loop with --load N")
	case r.arrivals == 0 && steady && r.vus.most < mostClients:
		return Counted(r.vus.most, record.ParamClients, false)
	}
	return record.LoadPoint{}, noLoad("k6's virtual users vary, so that its load is not one number\nhint: set it with " +
		"--load N (virtual users) or --load rate=N")
}

// k6Point is a line of --out json.
type k6Point struct {
	Metric string `json:"metric"`
	Type   string `json:"type"`
	Data   struct {
		Time  string  `json:"time"`
		Value float64 `json:"value"`
	} `json:"data"`
}

func isK6Stream(head []byte) bool {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	var p k6Point
	return json.Unmarshal(first, &p) == nil && (p.Type == "Metric" || p.Type == "Point")
}

// readK6Stream sums up the points of a run. Its requests are as many as there are durations, its time is from the start
// of the first to the end of the last.
func readK6Stream(out []byte, b Bounds) ([]k6Run, error) {
	s := k6Stream{values: map[string][]float64{}}
	_, err := documents(b, out, b.Items, func(p k6Point) []k6Run {
		if p.Type == "Point" {
			s.take(p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return []k6Run{s.run()}, nil
}

// k6Stream collects points.
type k6Stream struct {
	values      map[string][]float64
	first, last float64 // s
}

func (s *k6Stream) take(p k6Point) {
	s.values[p.Metric] = append(s.values[p.Metric], p.Data.Value)
	if end := unixSeconds(p.Data.Time); end > 0 && p.Metric == "iteration_duration" {
		if begin := end - p.Data.Value*1e-3; s.first == 0 || begin < s.first {
			s.first = begin
		}
		s.last = max(s.last, end)
	}
}

func (s *k6Stream) run() k6Run {
	took := s.last - s.first
	count := func(name string) k6Count {
		n := float64(len(s.values[name]))
		if n == 0 || !(took > 0) {
			return k6Count{}
		}
		return k6Count{n, n / took}
	}
	r := k6Run{requests: count("http_req_duration"), iterations: count("iteration_duration"),
		failed: sum(s.values["http_req_failed"])}
	if took > 0 {
		r.received = sum(s.values["data_received"]) / took
	}
	r.request, r.iteration = summed(s.values["http_req_duration"]), summed(s.values["iteration_duration"])
	r.dropped, r.checks = sum(s.values["dropped_iterations"]), sum(s.values["checks"])
	r.unchecked = float64(len(s.values["checks"])) - r.checks
	if vus := s.values["vus"]; len(vus) > 0 {
		r.vus = k6VUs{slices.Min(vus), slices.Max(vus), slices.Max(append([]float64{0}, s.values["vus_max"]...))}
	}
	return r
}

// summed returns the statistics of durations in ms.
func summed(ms []float64) latencies {
	if len(ms) == 0 {
		return latencies{}
	}
	ms = slices.Sorted(slices.Values(ms))
	out := latencies{mean: sum(ms) / float64(len(ms)) * 1e-3, least: ms[0] * 1e-3, most: ms[len(ms)-1] * 1e-3}
	for _, percent := range []float64{50, 90, 95, 99} {
		at := min(int(percent/100*float64(len(ms))), len(ms)-1)
		out.percentiles = append(out.percentiles, percentile{percent, ms[at] * 1e-3})
	}
	return out
}

func sum(of []float64) (total float64) {
	for _, v := range of {
		total += v
	}
	return total
}
