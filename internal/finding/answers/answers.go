// Package answers states how the latencies of a cell are distributed beyond its metrics, and its answers by status.
package answers

import (
	"maps"
	"slices"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// KindLatency is the kind of distributions of latency, KindAnswers that of answers by status.
const (
	KindLatency finding.Kind[Latency] = "latency_distribution"
	KindAnswers finding.Kind[Answers] = "answers"
)

// Latency is the distribution of a cell's latencies: each percentile is the mean over its trials, as of a metric.
type Latency struct {
	Percentiles map[string]float64 `json:"percentiles"` // in seconds, by statistic, such as "p90" and "p999"
	Max         float64            `json:"max"`         // seconds: the longest of all trials
	N           int                `json:"n"`           // trials
}

// Answers is what a cell's requests came to.
type Answers struct {
	Statuses       map[string]int64 `json:"statuses"`             // number of answers by status, of all trials together
	BytesPerSecond float64          `json:"bytes_per_second"`     // of answers' bodies, mean over the trials
	Handshakes     int64            `json:"handshakes,omitempty"` // TLS, those of warm-ups included
	Resumed        float64          `json:"resumed,omitempty"`    // share of the handshakes that resumed a session
	Unanswered     int64            `json:"unanswered"`           // requests without a complete answer
	N              int              `json:"n"`                    // trials
}

// Analyzers returns those of latency and of answers.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindLatency), Doc: "percentiles of latency from p50 to p99.9, and the longest",
			Body: KindLatency.Body(), Run: eachCell(KindLatency, latencyOf), Show: finding.SentencesEach(KindLatency,
				latencySentence)},
		{Kind: string(KindAnswers), Doc: "answers by HTTP status, and the bytes of their bodies per second",
			Body: KindAnswers.Body(), Run: eachCell(KindAnswers, answersOf), Show: finding.SentencesEach(KindAnswers,
				answersSentence)},
	}
}

// eachCell returns a Run that derives a finding from the valid trials of each cell; nil for none.
func eachCell[T any](kind finding.Kind[T], of func([]record.Trial) *T) func(*finding.Input) []finding.Finding {
	return func(in *finding.Input) []finding.Finding {
		var out []finding.Finding
		for _, g := range in.Groups {
			if body := of(trialset.Valid(g.Trials)); body != nil {
				out = append(out, kind.New(body, g.Key)...)
			}
		}
		return out
	}
}

func latencyOf(trials []record.Trial) *Latency {
	values := map[string][]float64{}
	out := Latency{Percentiles: map[string]float64{}}
	for _, t := range trials {
		if t.Generator == nil || len(t.Generator.Latency) == 0 {
			continue
		}
		out.N++
		for statistic, seconds := range t.Generator.Latency {
			if statistic == record.LatencyMax {
				out.Max = max(out.Max, seconds)
			} else {
				values[statistic] = append(values[statistic], seconds)
			}
		}
	}
	for statistic, seconds := range values {
		if len(seconds) == out.N {
			out.Percentiles[statistic] = estimate.Of(seconds).Value
		}
	}
	if out.N == 0 {
		return nil
	}
	return &out
}

func answersOf(trials []record.Trial) *Answers {
	out := Answers{Statuses: map[string]int64{}}
	for _, t := range trials {
		if t.Generator == nil || len(t.Generator.Statuses) == 0 {
			continue
		}
		out.N++
		for status, n := range t.Generator.Statuses {
			out.Statuses[status] += n
		}
		out.Handshakes += t.Generator.Handshakes
		out.Resumed += float64(t.Generator.Resumed)
		out.Unanswered += t.Generator.Done + t.Generator.Errors - sum(t.Generator.Statuses)
		if t.DurationS > 0 {
			out.BytesPerSecond += float64(t.Generator.Bytes) / t.DurationS
		}
	}
	if out.N == 0 {
		return nil
	}
	out.BytesPerSecond /= float64(out.N)
	out.Resumed /= float64(max(out.Handshakes, 1))
	return &out
}

func sum(counts map[string]int64) int64 {
	var out int64
	for _, n := range slices.Collect(maps.Values(counts)) {
		out += n
	}
	return out
}
