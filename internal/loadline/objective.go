package loadline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/estimate"
	"plimsoll/internal/list"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// Statistics returns the statistics of latency that a search has lines of: those of its objectives, or p99 and p50 if
// it has none.
func Statistics(objectives map[string]float64) []string {
	if len(objectives) == 0 {
		return []string{"p99", "p50"}
	}
	return ChiefFirst(objectives)
}

// searchedLine returns the line of one search, or a note with the reason if there is none. Its probes lie about the
// line of the objective that steered it, so that for another one they only say between which of them the line lies. The
// loads of a sweep are placed by no latency, and serve any objective.
func searchedLine(probes []record.Trial, asked record.Search, statistic string,
	objectives map[string]float64) (roundLine, note.Note) {
	objective := orElse(objectives, asked.Objectives)[statistic]
	search := stat.LineSearch{Capacity: CapacityOf(probes), Objective: objective}
	made := Probes(probes, statistic, asked)
	line, ok := search.Line(made)
	if !asked.Sweep && !steers(asked, statistic, objective) {
		if measuredNowhere(probes, statistic) {
			return roundLine{}, note.New("objective-not-measured", statistic)
		}
		return bracket(made, roundLine{base: line.Base, limit: objective, steeredBy: steering(asked)})
	}
	if !ok {
		return roundLine{}, noLine(search, asked, made)
	}
	return roundLine{base: line.Base, limit: line.Limit, max: line.Load, crossed: line.Crossed,
		most: mostAt(line, estimate.Alpha), factor: factorOf(line, objective, made, estimate.Alpha)}, note.Note{}
}

// noLine returns the reason if a search has no line.
func noLine(search stat.LineSearch, asked record.Search, made []stat.LineProbe) note.Note {
	if _, ok := search.Limit(made); ok {
		return note.New("no-probe-within-line")
	}
	lowest := math.Inf(1)
	for _, p := range made {
		if (p.Base || asked.Sweep) && !p.Over && !p.Void && p.CPU < lowest {
			lowest = p.CPU
		}
	}
	if math.IsInf(lowest, 1) {
		return note.New("no-low-probe")
	}
	return note.New("never-idle", idleCPU, lowest)
}

// measuredNowhere reports whether no probe has a statistic of latency.
func measuredNowhere(probes []record.Trial, statistic string) bool {
	return !slices.ContainsFunc(probes, func(t record.Trial) bool {
		_, ok := t.Value(record.Latency + "_" + statistic)
		return ok
	})
}

// steers reports whether a search placed its probes by an objective.
func steers(asked record.Search, statistic string, objective float64) bool {
	if len(asked.Objectives) == 0 {
		return objective == 0
	}
	return asked.Objectives[statistic] == objective
}

// steering names the objectives that a search placed its probes by.
func steering(asked record.Search) string {
	if len(asked.Objectives) == 0 {
		return "twice the latency below 20 % CPU"
	}
	return strings.Join(list.Map(ChiefFirst(asked.Objectives), func(statistic string) string {
		percent, _ := record.PercentileOf(statistic)
		return fmt.Sprintf("p%s=%sms", strconv.FormatFloat(percent, 'f', -1, 64),
			strconv.FormatFloat(1e3*asked.Objectives[statistic], 'g', 4, 64))
	}), " and ")
}

// bracket sets the bounds that probes give on the line of an objective: the highest load below all that were over it,
// and the lowest above all that were within it. Between those, probes contradict each other, or there are none.
func bracket(probes []stat.LineProbe, line roundLine) (roundLine, note.Note) {
	made := slices.DeleteFunc(slices.Clone(probes), func(p stat.LineProbe) bool { return p.Void })
	slices.SortFunc(made, func(a, b stat.LineProbe) int { return cmp.Compare(a.Load, b.Load) })
	over := func(p stat.LineProbe) bool { return p.Over || p.Latency > line.limit }
	lowestOver, highestWithin := math.Inf(1), 0.0
	for _, p := range made {
		if over(p) {
			lowestOver = min(lowestOver, p.Load)
		} else {
			highestWithin = max(highestWithin, p.Load)
		}
	}
	for _, p := range made {
		switch {
		case !over(p) && p.Load < lowestOver:
			line.max = p.Load
		case over(p) && p.Load > highestWithin && line.atMost == 0:
			line.atMost = p.Load
		}
	}
	switch {
	case len(made) == 0:
		return line, note.New("no-low-probe")
	case line.max == 0 && line.atMost > 0:
		return line, note.New("line-below", line.atMost)
	case line.max == 0:
		return line, note.New("always-over-line")
	}
	return line, note.Note{}
}
