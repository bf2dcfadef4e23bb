package standby

import (
	"math"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/serveruse"
)

// The values of a trial with a standby, beside those of its use of the machine.
const (
	metricSent      = "standby_sent"
	metricFlushLag  = "standby_flush_lag"
	metricReplayLag = "standby_replay_lag"
	metricBehind    = "standby_behind"
)

// Metrics returns those that a standby adds.
func Metrics() []record.Metric {
	return []record.Metric{
		{Name: metricSent, Unit: "B/s", Better: record.Neutral, Doc: "with a standby: log sent to it"},
		{Name: metricFlushLag, Unit: "s", Better: record.Lower,
			Doc: "with a standby: mean time from the server's own flush of its log to word that the standby has " +
				"flushed it, sampled"},
		{Name: metricReplayLag, Unit: "s", Better: record.Lower, Doc: "with a standby: time until it is visible there"},
		{Name: metricBehind, Unit: "B", Better: record.Lower,
			Doc: "with a standby: most of the log that the server had made durable and the standby had not replayed, sampled"},
	}
}

// Values returns what the standby did between two instants, after End.
func (f *Follower) Values(from, to int64) []record.Value {
	if f == nil || to <= from {
		return nil
	}
	in := list.Filter(f.samples, func(s sample) bool { return s.at >= from && s.at <= to })
	figures := map[string]float64{metricSent: f.sent().Rise(from, to) / (float64(to-from) * 1e-9)}
	for _, s := range in {
		figures[metricBehind] = max(figures[metricBehind], float64(s.own-s.replayed))
	}
	for name, of := range map[string]func(sample) int64{
		metricFlushLag: func(s sample) int64 { return s.flushLag }, metricReplayLag: func(s sample) int64 {
			return s.replayLag
		},
	} {
		if lag, known := meanLag(in, of); known {
			figures[name] = lag * 1e-9
		}
	}
	var out []record.Value
	for _, m := range Metrics() {
		if v, known := figures[m.Name]; known && len(in) > 0 {
			m.Doc = ""
			out = append(out, record.Value{Metric: m, Value: v})
		}
	}
	return append(out, f.Copy.Values(from, to)...)
}

// meanLag returns the mean of the measured ones.
func meanLag(in []sample, of func(sample) int64) (mean float64, known bool) {
	sum, n := 0.0, 0
	for _, s := range in {
		if lag := of(s); lag >= 0 {
			sum += float64(lag)
			n++
		}
	}
	return sum / float64(max(1, n)), n > 0
}

// Tracks returns the series of n steps, after End.
func (f *Follower) Tracks(start, step int64, n int) []workload.Track {
	if f == nil || n == 0 {
		return nil
	}
	sent, behind := make([]int64, n), make([]int64, n)
	for i := range n {
		from := start + int64(i)*step
		sent[i] = int64(math.Round(f.sent().Rise(from, from+step)))
	}
	for _, s := range f.samples {
		if k := (s.at - start) / step; s.at >= start && k < int64(n) {
			behind[k] = max(behind[k], s.own-s.replayed)
		}
	}
	return append([]workload.Track{
		{Name: "standby.sent", Unit: "B", StepNs: step, Values: sent},
		{Name: "standby.behind", Unit: "B", StepNs: step, Values: behind},
	}, f.Copy.Tracks(start, step, n)...)
}

// sent returns the log that it was sent.
func (f *Follower) sent() serveruse.Sampled {
	return serveruse.Sampled{N: len(f.samples), At: func(i int) int64 { return f.samples[i].at },
		Count: func(i int) int64 { return f.samples[i].sent }}
}

// Doubts returns what a standby on its primary's host does not show.
func (f *Follower) Doubts() []string {
	if f == nil || f.Copy == nil {
		return nil
	}
	return append(f.Copy.Doubts(), "the standby is on its primary's host, and shares its CPUs, memory and disk: one on "+
		"a host of its own takes none of "+
		"them, and adds the network's delay to each commit that waits for it")
}
