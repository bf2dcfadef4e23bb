package headroom

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// loadLineNotes states each sweep of load, in a sentence for each statistic of latency. Notes shared by all of a
// sweep's lines appear once.
func loadLineNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	for _, c := range v.Cells {
		where := v.Sweep(c)
		if !KindLoadLine.Why(c).IsZero() {
			out = append(out, finding.Caveat("load line", block.Dim, where+"not found: "+KindLoadLine.Why(c).Text())...)
		}
		var doubts []block.Sentence
		for _, statistic := range statistics(c) {
			l := inUnitsOf(c.Workload, LinesIn(c)[statistic])
			out = append(out, block.Sentence{Lead: "load line", Tone: block.Strong, Detail: true, Text: where + loadLineText(l)})
			of := where + statisticOf(c, l)
			if text := confirmationText(l); text != "" {
				out = append(out, block.Sentence{Lead: "confirmation", Tone: block.Dim, Detail: true, Text: of + text})
			}
			if text := alarmText(l); text != "" {
				out = append(out, block.Sentence{Lead: "alarm", Tone: block.Dim, Detail: true, Text: of + text})
			}
			if l.Fleet != nil {
				out = append(out, block.Sentence{Lead: "fleet", Tone: block.Strong, Detail: true,
					Text: of + needText(*l.Fleet, l.Unit)})
			}
			for _, d := range l.Doubts {
				doubts = append(doubts, block.Sentence{Lead: "note", Tone: block.Warn, Text: where + d.Text()})
			}
		}
		out = append(out, block.Unique(doubts)...)
	}
	return out
}

// statisticOf names a line's statistic among several, with a colon.
func statisticOf(c finding.Cell, l loadline.Line) string {
	if len(LinesIn(c)) < 2 {
		return ""
	}
	return "by " + l.Statistic + ": "
}

func statistics(c finding.Cell) []string { return slices.Sorted(maps.Keys(LinesIn(c))) }

// inUnitsOf converts a line to the unit that users of the workload write.
func inUnitsOf(workload string, l loadline.Line) loadline.Line {
	l.Unit = figure.UnitOf(workload, l.Unit)
	return l
}

func loadLineText(l loadline.Line) string {
	parts := figure.NonEmpty(sustainedText(l), halfText(l), ofLinearText(l))
	return strings.Join(parts, "; ")
}

func sustainedText(l loadline.Line) string {
	s := spanOf(l)
	u := figure.ScaleFor(l.Unit, s.Values()...)
	rate := fmt.Sprintf("about %s (%s, no interval)", s.Estimate(u), figure.N(l.N))
	switch {
	case l.AtMost != nil:
		rate = rangeText(l, u)
	case l.SteeredBy != "":
		rate = fmt.Sprintf("at least %s, %s,", s.Estimate(u), lowerText(l))
	case !l.Crossed:
		rate = "at least " + s.Estimate(u) + ", the end of the sweep,"
	case s.Bounded():
		rate = fmt.Sprintf("%s (%s)", s.Interval(u), figure.N(l.N))
	case l.OneSearch != nil:
		rate = oneText(l, s, u)
	}
	return strings.TrimSuffix(fmt.Sprintf("%s at %s: %s", rate, limitText(l), betweenText(l, u)), ": ")
}

// latencyName names a statistic of latency.
func latencyName(statistic string) string {
	if statistic == record.Latency {
		return "latency (of an unknown statistic)"
	}
	return statistic
}

// limitText states the objective of a line.
func limitText(l loadline.Line) string {
	limit := fmt.Sprintf("%s ≤ %s", latencyName(l.Statistic), figure.Quantity(l.Limit, "s"))
	if l.Between != nil && l.Between.LeastBase > 0 {
		return "twice " + latencyName(l.Statistic) + " at low load"
	}
	if l.Objective > 0 {
		return limit
	}
	return limit + ", twice its value at low load"
}

// halfText states the share of the line that half of the CPU time handles.
func halfText(l loadline.Line) string {
	if l.At50 == nil {
		return ""
	}
	return fmt.Sprintf("at 50%% CPU %s, %s%s%% of the limit, %s%s%% more up to it", figure.Quantity(*l.At50, l.Unit),
		boundText(l, "used_at_50"), figure.PercentOf(*l.UsedAt50, 1), boundText(l, "gain_past_50"),
		figure.PercentOf(*l.GainPast50, 1))
}

// boundText qualifies a figure of a line by its key, if it is a bound.
func boundText(l loadline.Line, key string) string {
	return map[string]string{loadline.LowerBound: "at least ", loadline.UpperBound: "at most "}[l.OneSided[key]]
}

func ofLinearText(l loadline.Line) string {
	if l.OfLinear == nil {
		return ""
	}
	return fmt.Sprintf("%s%s%% of linear scaling from %s%% CPU, %s", boundText(l, "of_linear"),
		figure.PercentOf(*l.OfLinear, 1), figure.Fixed(*l.LinearFrom.CPU, 1), figure.Quantity(*l.Linear, l.Unit))
}
