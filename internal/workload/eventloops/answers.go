package eventloops

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/client/httpload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// A run's line is short: of a server that makes up statuses it names only some.
const (
	maxStatuses = 40
	others      = "others"
)

// Answers returns the answers by status, the handshakes, and the counts of each request of a mix.
func Answers(s httpload.Stats, spots []httpload.Spot) workload.Answers {
	out := workload.Answers{Statuses: map[string]int64{}, Handshakes: s.Handshakes, Resumed: s.Resumed}
	for status, n := range s.Statuses {
		switch {
		case n == 0:
		case len(out.Statuses) < maxStatuses:
			out.Statuses[strconv.Itoa(status)] = n
		default:
			out.Statuses[others] += n
		}
	}
	for _, s := range spots {
		out.Targets = append(out.Targets, record.TargetUse{Line: short(s.Line), Done: s.Done,
			P50: float64(s.Latency.ValueAtQuantile(50)) * 1e-9, P99: float64(s.Latency.ValueAtQuantile(99)) * 1e-9,
			Failed: fewest(s.Failed)})
	}
	return out
}

// Shared returns how to merge the latencies of each request of a mix over several generators.
func Shared(spots []httpload.Spot) workload.Shared {
	out := workload.Shared{Latencies: map[string]*hdrhistogram.Histogram{}}
	for i, s := range spots {
		out.Latencies[record.TargetLatency(i)] = s.Latency
	}
	return out
}

// short returns a line of a mix without secrets that it writes out, and not longer than a run's line has room for.
func short(line string) string {
	const most = 64 // bytes
	text := secret.NewMasker().Text(line)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// fewest returns counts of which only the largest have names, for the same reason.
func fewest(counts map[string]int64) map[string]int64 {
	const most = 4
	if len(counts) <= most {
		return counts
	}
	out := map[string]int64{}
	for i, why := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		name := why
		if i >= most {
			name = others
		}
		out[name] += counts[why]
	}
	return out
}
