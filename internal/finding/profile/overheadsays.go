package profile

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

// profilingNotes states the cost of profiling, a sentence for each cell.
func profilingNotes(v *finding.View) []block.Sentence {
	var places []string
	of := map[string][]string{}
	for _, c := range v.Cells {
		if KindOverhead.Of(c) == nil {
			continue
		}
		where := v.Place(c)
		if of[where] == nil {
			places = append(places, where)
		}
		of[where] = append(of[where], profilingText(c))
	}
	var out []block.Sentence
	for _, where := range places {
		text := strings.Join(of[where], ", ")
		if len(places) > 1 {
			text = where + ": " + text
		}
		out = append(out, block.Sentence{Lead: "profiling", Tone: block.Dim, Text: text})
	}
	return out
}

// profilingText states the effect of profiling on one metric.
func profilingText(c finding.Cell) string {
	name := c.Metric
	if name == record.CPUPerOp {
		name = "CPU for an operation"
	}
	p := *KindOverhead.Of(c)
	if p.Lo == nil || p.Hi == nil {
		return fmt.Sprintf("%s %+.1f%% while profiled (n=%d, no interval)", name, 100*(p.Ratio-1), p.N)
	}
	return fmt.Sprintf("%s %+.1f to %+.1f%% while profiled (n=%d)", name, 100*(*p.Lo-1), 100*(*p.Hi-1), p.N)
}
