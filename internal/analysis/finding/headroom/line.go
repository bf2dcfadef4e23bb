package headroom

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
)

// KindLoadLine is the kind of load lines, one for each statistic of latency.
const KindLoadLine finding.Kind[loadline.Line] = "loadline"

// KindFleet is the kind of fleets for a demand.
const KindFleet finding.Kind[Fleets] = "fleet"

// LinesIn returns the load lines by statistic of latency; nil if there is none.
func LinesIn(h finding.Holder) map[string]loadline.Line {
	var out map[string]loadline.Line
	for _, l := range KindLoadLine.All(h) {
		if out == nil {
			out = map[string]loadline.Line{}
		}
		out[l.Statistic] = l
	}
	return out
}

// Chief returns the load line of the p99, else that of the first statistic; nil if there is none.
func Chief(h finding.Holder) *loadline.Line { return loadline.ChiefLine(LinesIn(h)) }

// Lines returns the findings of load lines by statistic of latency, the chief one first.
func Lines(lines map[string]loadline.Line, cells ...trialset.Key) []finding.Finding {
	var out []finding.Finding
	for _, statistic := range loadline.ChiefFirst(lines) {
		l := lines[statistic]
		out = append(out, KindLoadLine.New(&l, cells...)...)
	}
	return out
}
