package tpcc

import (
	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
)

// The metrics beside those of record; each type of transaction has its own latencies too.
const (
	metricNewOrders = "new_orders_per_min"
	metricRollbacks = "rollbacks"
	metricRetries   = "retries"
	metricSkipped   = "skipped_deliveries"
)

// metrics returns all metrics of a trial.
func metrics() []record.Metric {
	out := []record.Metric{
		{Name: record.Throughput, Unit: "op/s", Better: record.Higher,
			Doc: "transactions per second of all five types, including intentional rollbacks; under a rate, " +
				"latency_p99 is the primary metric"},
		{Name: record.LatencyP50, Unit: "s", Better: record.Lower,
			Doc: "of all types, from the intended start to the end of the answer"},
		{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
		{Name: metricNewOrders, Unit: "1/min", Better: record.Higher,
			Doc: "New-Orders per minute, including intentional rollbacks; not tpmC"},
	}
	for k := range kind(kinds) {
		out = append(out, record.Metric{Name: p50Of(k), Unit: "s", Better: record.Lower,
			Doc: "latency of this type, to within 1%"},
			record.Metric{Name: p99Of(k), Unit: "s", Better: record.Lower, Doc: "likewise"})
	}
	return append(out,
		record.Metric{Name: metricRollbacks, Unit: "%", Better: record.Neutral,
			Doc: "share of New-Orders with an unused item, which are rolled back"},
		record.Metric{Name: metricRetries, Unit: "%", Better: record.Lower,
			Doc: "retries after deadlocks and serialization failures, per 100 transactions"},
		record.Metric{Name: metricSkipped, Unit: "%", Better: record.Neutral,
			Doc: "share of the districts in which a Delivery found no order"},
		record.Metric{Name: record.CPUPerOp, Unit: "s", Better: record.Lower,
			Doc: "CPU time of the server per transaction"},
		record.Metric{Name: record.CPUPercent, Unit: "%", Better: record.Neutral,
			Doc: "CPU use of the server's CPUs"},
	)
}

func p50Of(k kind) string { return k.String() + "_p50" }
func p99Of(k kind) string { return k.String() + "_p99" }

// The range and precision of the latencies of each type; two digits, since every client has five histograms.
const (
	longest = 3_600_000_000_000 // ns: 1 h
	digits  = 2
)

// counts are a client's results in the measured time.
type counts struct {
	latency   [kinds]*hdrhistogram.Histogram
	rollbacks int64
	retries   int64
	skipped   int64
}

func newCounts() counts {
	var c counts
	for k := range c.latency {
		c.latency[k] = hdrhistogram.New(1, longest, digits)
	}
	return c
}

func (c *counts) add(from *counts) {
	for k := range c.latency {
		c.latency[k].Merge(from.latency[k])
	}
	c.rollbacks += from.rollbacks
	c.retries += from.retries
	c.skipped += from.skipped
}

// of returns the number of transactions of a kind.
func (c *counts) of(k kind) int64 { return c.latency[k].TotalCount() }

func (c *counts) all() int64 {
	n := int64(0)
	for k := range c.latency {
		n += c.latency[k].TotalCount()
	}
	return n
}

// values returns the values of a trial, omitting metrics without events.
func (c *counts) values(r load.Result) []record.Value {
	known := map[string]float64{
		metricNewOrders: 60 * r.OpsPerSecond * share(c.of(newOrder), c.all()),
		metricRollbacks: 100 * share(c.rollbacks, c.of(newOrder)),
		metricRetries:   100 * share(c.retries, c.all()),
		metricSkipped:   100 * share(c.skipped, districts*c.of(delivery)),
	}
	for k := range kind(kinds) {
		if c.of(k) > 0 {
			known[p50Of(k)] = float64(c.latency[k].ValueAtQuantile(50)) * 1e-9
			known[p99Of(k)] = float64(c.latency[k].ValueAtQuantile(99)) * 1e-9
		}
	}
	var out []record.Value
	for _, m := range metrics() {
		if v := known[m.Name]; v > 0 {
			m.Doc = ""
			out = append(out, record.Value{Metric: m, Value: v})
		}
	}
	return out
}

func share(n, of int64) float64 { return float64(n) / float64(max(of, 1)) }

// finer returns a histogram of 3 digits, as series have them, with the counts of a coarser one.
func finer(h *hdrhistogram.Histogram) *hdrhistogram.Histogram {
	out := hdrhistogram.New(1, h.HighestTrackableValue(), 3)
	for _, b := range h.Distribution() {
		if b.Count > 0 {
			_ = out.RecordValues(min(b.To, h.HighestTrackableValue()), b.Count) // in range: cannot fail
		}
	}
	return out
}
