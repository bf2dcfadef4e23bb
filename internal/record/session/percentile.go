package session

import (
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/record"
)

// LatencySeries is the name of a trial's histogram of latencies.
const LatencySeries = "latency"

// AddPercentiles adds the percentiles of latency that a trial lacks, from its histogram, if it has one. It leaves alone
// the trials that failed, and those whose operations were not timed individually.
func AddPercentiles(t *record.Trial, series []record.Series, statistics []string) error {
	at := slices.IndexFunc(series, func(s record.Series) bool {
		return s.Name == LatencySeries && s.Enc == record.EncHistogram
	})
	if lacking := LacksPercentiles(*t, statistics); at >= 0 && len(lacking) > 0 {
		h, err := DecodeHistogram(series[at].Data)
		if err != nil {
			return err
		}
		t.Values = slices.Clone(t.Values)
		for _, statistic := range lacking {
			percent, _ := record.PercentileOf(statistic)
			t.Values = append(t.Values, record.Value{
				Metric: record.Metric{Name: record.Latency + "_" + statistic, Unit: "s", Better: record.Lower},
				Value:  float64(h.ValueAtQuantile(percent)) * 1e-9,
			})
		}
	}
	return nil
}

// Distribution returns the usual percentiles of a histogram of nanoseconds, and its maximum, in seconds by statistic.
func Distribution(h *hdrhistogram.Histogram) map[string]float64 {
	out := map[string]float64{record.LatencyMax: float64(h.Max()) * 1e-9}
	for _, statistic := range []string{"p50", "p90", "p95", "p99", "p999"} {
		percent, _ := record.PercentileOf(statistic)
		out[statistic] = float64(h.ValueAtQuantile(percent)) * 1e-9
	}
	return out
}

// LacksPercentiles returns those of the statistics that a valid trial with a p99 of latency has no value of.
func LacksPercentiles(t record.Trial, statistics []string) []string {
	if _, timed := t.Value(record.LatencyP99); !timed || !t.Conclusive() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(statistics), func(statistic string) bool {
		_, has := t.Value(record.Latency + "_" + statistic)
		return has
	})
}

// AddPercentiles adds percentiles of latency to all trials of the log that lack them and kept a histogram.
func (l *Log) AddPercentiles(statistics []string) error {
	for i := range l.Trials {
		t := &l.Trials[i]
		if len(LacksPercentiles(*t, statistics)) == 0 {
			continue
		}
		series, err := l.seriesNamed(t.ID, LatencySeries)
		if err != nil {
			return err
		}
		if err := AddPercentiles(t, series, statistics); err != nil {
			return err
		}
	}
	return nil
}
