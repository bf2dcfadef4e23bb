// Package answers states how the latencies of a cell are distributed beyond its metrics, and its answers by status.
package answers

import (
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
)

// KindLatency is the kind of distributions of latency, KindAnswers that of answers by status, KindTargets that of the
// lines of a mix.
const (
	KindLatency finding.Kind[Latency] = "latency_distribution"
	KindAnswers finding.Kind[Answers] = "answers"
	KindTargets finding.Kind[Targets] = "targets"
)

// Latency is the distribution of a benchmark's latencies: each percentile is the mean over its runs, as of a metric.
type Latency struct {
	Percentiles map[string]float64 `json:"percentiles"` // in seconds, by statistic, such as "p90" and "p999"
	Max         float64            `json:"max"`         // seconds: the longest of all runs
	N           int                `json:"n"`           // runs
}

// Answers is what a benchmark's requests came to.
type Answers struct {
	Statuses       map[string]int64 `json:"statuses"`             // number of answers by status, of all runs together
	BytesPerSecond float64          `json:"bytes_per_second"`     // of answers' bodies, mean over the runs
	Handshakes     int64            `json:"handshakes,omitempty"` // TLS, those of warm-ups included
	Resumed        float64          `json:"resumed,omitempty"`    // share of the handshakes that resumed a session
	Unanswered     int64            `json:"unanswered"`           // requests without a complete answer
	N              int              `json:"n"`                    // runs
}

// Targets are the target lines of a benchmark's mix of requests.
type Targets struct {
	Targets []Target `json:"targets"` // the most frequent first; the last may be others
	N       int      `json:"n"`       // runs
}

// Target is what the requests of one method, path and query came to.
type Target struct {
	Line   string           `json:"line"`             // such as "GET /items?page=1"
	Done   int64            `json:"done"`             // good answers, of all runs together, failed ones too
	Share  float64          `json:"share"`            // of all good answers, 0 to 1
	P50    float64          `json:"p50"`              // of latency, seconds: the mean over valid runs
	P99    float64          `json:"p99"`              // likewise
	Failed map[string]int64 `json:"failed,omitempty"` // requests by HTTP status, of others by class of error
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
		{Kind: string(KindTargets), Doc: "latency and failures of each URL of a mix",
			Body: KindTargets.Body(), Run: targets, Show: showTargets, Brief: true},
		{Kind: string(KindUnlike), Doc: "HTTP statuses that only one of two sides answers with, or at another share",
			Body: KindUnlike.Body(), Pair: unlike, Says: finding.SentenceEach(KindUnlike, unlikeSentence), Brief: true,
			AnswerAll: unlikeObjections},
	}
}

// KindUnlike is the kind of cells whose sides answer with different statuses.
const KindUnlike finding.Kind[Unlike] = "answers_unlike"

// Unlike is the statuses with which at least 1% of one side's answers came, and their share of each side's. It is there
// if the share of one differs by at least 0.1: such answers are not the same work.
type Unlike struct {
	Workload string             `json:"workload"`
	Params   map[string]string  `json:"params"`
	Wording  finding.Wording    `json:"-"`
	Load     string             `json:"load"`
	A        map[string]float64 `json:"a"` // share of the answers by status, 0 to 1
	B        map[string]float64 `json:"b"`
}

// The shares of answers from which on a status is stated, and two sides are unlike.
const (
	leastShare  = 0.01
	leastUnlike = 0.1
)

func unlike(p *finding.Pairing) []finding.Finding {
	var out []finding.Finding
	for _, m := range p.Both {
		a, b := sharesOf(m.A), sharesOf(m.B)
		if a == nil || b == nil || !differ(a, b) {
			continue
		}
		body := &Unlike{Workload: m.Place.Workload, Params: m.Params, Wording: p.Wordings.Between(m), Load: m.Place.Load,
			A: a, B: b}
		out = append(out, KindUnlike.New(body, trialset.KeyOf(m.A[0], "", nil), trialset.KeyOf(m.B[0], "", nil))...)
	}
	return out
}

// Alike reports whether two cells answered with the same statuses, as far as is known: if not, their requests are not
// the same work, and neither of them is the better one.
func Alike(a, b finding.Holder) bool {
	ofA, ofB := KindAnswers.Of(a), KindAnswers.Of(b)
	return ofA == nil || ofB == nil || !differ(ofA.shares(), ofB.shares())
}

// sharesOf returns the shares of statuses among the answers of valid trials; nil if there are none.
func sharesOf(trials []record.Trial) map[string]float64 {
	all := answersOf(trialset.Valid(trials))
	if all == nil {
		return nil
	}
	return all.shares()
}

// shares returns the shares of statuses among the answers, of those that are stated.
func (all Answers) shares() map[string]float64 {
	out, total := map[string]float64{}, float64(sum(all.Statuses))
	for status, n := range all.Statuses {
		if share := float64(n) / total; share >= leastShare {
			out[status] = share
		}
	}
	return out
}

func differ(a, b map[string]float64) bool {
	for _, shares := range []map[string]float64{a, b} {
		for status := range shares {
			if math.Abs(a[status]-b[status]) >= leastUnlike {
				return true
			}
		}
	}
	return false
}

// Redirects returns the status of answers that are redirects but for fewer than 1%; "" of others.
func Redirects(trials []record.Trial) string {
	var found []string
	redirected := 0.0
	for status, share := range sharesOf(trials) {
		if len(status) == len("302") && status[0] == '3' && status != "304" {
			found = append(found, status)
			redirected += share
		}
	}
	if redirected <= 1-leastShare {
		return ""
	}
	slices.Sort(found)
	return strings.Join(found, ", ")
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
