package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// loadLineNotes puts each sweep of load into sentences, one for each statistic of
// latency. Doubts that all of a sweep's lines share are said once.
func loadLineNotes(cells []judge.Cell, split paramSplit, several bool) []note {
	var out []note
	for _, c := range cells {
		where := linePlace(c, split, several)
		if !c.NoLoadLine.IsZero() {
			out = append(out, note{"load line", dim, where + "none: " + c.NoLoadLine.Text()})
		}
		var doubts []note
		for _, statistic := range statistics(c) {
			l := c.LoadLines[statistic]
			out = append(out, note{"load line", strong, where + loadLineText(l)})
			of := where + statisticOf(c, l)
			if text := alarmText(l); text != "" {
				out = append(out, note{"alarm", dim, of + text})
			}
			if l.Fleet != nil {
				out = append(out, note{"fleet", strong, of + needText(*l.Fleet)})
			}
			for _, d := range l.Doubts {
				doubts = append(doubts, note{"doubt", warn, where + d.Text()})
			}
		}
		out = append(out, unique(doubts)...)
	}
	return out
}

// statisticOf names a line's statistic among several, with a colon.
func statisticOf(c judge.Cell, l judge.LoadLine) string {
	if len(c.LoadLines) < 2 {
		return ""
	}
	return "by " + l.Statistic + ": "
}

func statistics(c judge.Cell) []string { return slices.Sorted(maps.Keys(c.LoadLines)) }

// linePlace names a sweep of load among those of its workload, with a colon; ""
// where it is the only thing there.
func linePlace(c judge.Cell, split paramSplit, several bool) string {
	c.Params = maps.Clone(c.Params)
	switch {
	case strings.HasSuffix(c.Load, " "+record.ParamClients):
		delete(c.Params, record.ParamClients)
	case !strings.HasSuffix(c.Load, " "+record.ParamCPUs):
		delete(c.Params, record.ParamRate)
	}
	return sweepPlace(c, split, several)
}

func loadLineText(l judge.LoadLine) string {
	parts := nonEmpty(sustainedText(l), halfText(l), ofLinearText(l))
	return strings.Join(parts, "; ")
}

func sustainedText(l judge.LoadLine) string {
	s := span{l.MaxSustained, l.Lo, l.Hi}
	u := scaleFor(l.Unit, s.values()...)
	carries := "by estimate " + s.estimate(u)
	switch {
	case !l.Crossed:
		carries = "at least " + s.estimate(u) + ", where the sweep ended,"
	case s.bounded():
		carries = fmt.Sprintf("%s (n %d)", s.interval(u), l.N)
	}
	return fmt.Sprintf("carries %s at a %s of at most %s", carries, latencyName(l.Statistic), limitText(l))
}

// latencyName is a statistic of latency in words.
func latencyName(statistic string) string {
	if statistic == record.Latency {
		return "latency (of an unknown statistic)"
	}
	return statistic
}

func limitText(l judge.LoadLine) string {
	if l.Objective > 0 {
		return Quantity(l.Limit, "s") + ", as asked for"
	}
	return Quantity(l.Limit, "s") + ", twice that at low load"
}

// halfText says how much of the line the first half of the CPU carries.
func halfText(l judge.LoadLine) string {
	if l.At50 == nil {
		return ""
	}
	return fmt.Sprintf("at 50 %% CPU it carries %s, %s %% of that: another %s %% fits above", Quantity(*l.At50, l.Unit), percent(*l.UsedAt50, 1), percent(*l.GainPast50, 1))
}

func ofLinearText(l judge.LoadLine) string {
	if l.OfLinear == nil {
		return ""
	}
	return fmt.Sprintf("%s %% of what is linear from %s %% CPU, %s", percent(*l.OfLinear, 1), fixed(*l.LinearFrom.CPU, 1), Quantity(*l.Linear, l.Unit))
}
