package answers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

func latencySentence(v *finding.View, c finding.Cell, l Latency) []block.Sentence {
	parts := list.Map(byPercent(l.Percentiles), func(statistic string) string {
		percent, _ := record.PercentileOf(statistic)
		return fmt.Sprintf("p%g %s", percent, figure.Quantity(l.Percentiles[statistic], "s"))
	})
	text := fmt.Sprintf("%s: %s, longest %s (%s)", v.Place(c), strings.Join(parts, ", "), figure.Quantity(l.Max, "s"),
		figure.N(l.N))
	return []block.Sentence{{Lead: "latency", Tone: block.Dim, Text: text}}
}

// byPercent returns the statistics in the order of their percentiles.
func byPercent(percentiles map[string]float64) []string {
	return slices.SortedFunc(maps.Keys(percentiles), func(a, b string) int {
		pa, _ := record.PercentileOf(a)
		pb, _ := record.PercentileOf(b)
		return int(1000*pa) - int(1000*pb)
	})
}

func answersSentence(v *finding.View, c finding.Cell, a Answers) []block.Sentence {
	parts := list.Map(slices.Sorted(maps.Keys(a.Statuses)), func(status string) string {
		return fmt.Sprintf("%d with status %s", a.Statuses[status], status)
	})
	if a.Unanswered > 0 {
		parts = append(parts, fmt.Sprintf("%d without an answer", a.Unanswered))
	}
	if a.Handshakes > 0 {
		parts = append(parts, fmt.Sprintf("%d TLS handshakes, %s%% of them resumed", a.Handshakes,
			figure.PercentOf(a.Resumed, 0)))
	}
	text := fmt.Sprintf("%s: %s; bodies of %s (%s)", v.Place(c), strings.Join(parts, ", "),
		figure.Quantity(a.BytesPerSecond, "B/s"), figure.N(a.N))
	return []block.Sentence{{Lead: "answers", Tone: block.Dim, Text: text}}
}

func unlikeSentence(v *finding.PairView, u Unlike) block.Sentence {
	text := fmt.Sprintf("%s: %s answers with status %s, %s with %s: their requests are not the same work",
		finding.Placed(u.Workload, u.Wording.Of(u.Params), u.Load, ""), v.LabelA, shares(u.A), v.LabelB, shares(u.B))
	return block.Sentence{Lead: "answers", Tone: block.Warn, Text: text}
}

// unlikeObjections objects to each comparison of sides that answered differently.
func unlikeObjections(c finding.Compared) finding.Answer {
	var out finding.Answer
	for _, p := range c.Pairs {
		for _, u := range KindUnlike.All(p) {
			out.Object(finding.Objection{Gravity: note.Decisive,
				Text:  fmt.Sprintf("The sides do different work: status %s against %s", shares(u.B), shares(u.A)),
				Place: finding.Placed(u.Workload, u.Wording.Of(u.Params), u.Load, "")})
		}
	}
	return out
}

func shares(of map[string]float64) string {
	parts := list.Map(slices.Sorted(maps.Keys(of)), func(status string) string {
		if of[status] >= 1-leastShare {
			return status
		}
		return fmt.Sprintf("%s (%s%%)", status, figure.PercentOf(of[status], 0))
	})
	return strings.Join(parts, ", ")
}
