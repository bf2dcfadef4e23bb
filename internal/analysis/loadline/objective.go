package loadline

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
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
func searchedLine(trials []record.Trial, asked record.Search, statistic string,
	objectives map[string]float64) (roundLine, note.Note) {
	objective := orElse(objectives, asked.Objectives)[statistic]
	search := SearchOf(trials, asked, statistic)
	search.Objective, search.Swept = objective, asked.Sweep
	made := Probes(trials, statistic, asked)
	if !asked.Sweep && !steers(asked, statistic, objective) {
		if measuredNowhere(trials, statistic) {
			return roundLine{}, note.New("objective-not-measured", statistic)
		}
		line := roundLine{limit: objective, steeredBy: steering(asked)}
		line.base, _ = search.Base(made)
		line.between(search.Bracket(made, objective))
		if line.max == 0 {
			return line, noLine(search, asked, trials, made)
		}
		return line, note.Note{}
	}
	found, confirmed := resultOf(trials, asked, statistic, search)
	if found.Within.Load == 0 {
		return roundLine{}, noLine(search, asked, trials, made)
	}
	out := roundLine{base: found.Base, limit: found.Limit, max: found.Load, crossed: found.Crossed, confirmed: confirmed,
		most: mostAt(found), bracket: found.Bracket}
	out.low, out.high = boundsOf(found, search, made)
	out.sure = Sure(found, search, made) && (!asked.Confirm || confirmed != nil && confirmed.Confirmed)
	if !asked.Sweep && objective == 0 {
		out.hangs = hangs(search, made)
	}
	if !out.crossed {
		out.between(found.Bracket)
	}
	return out, note.Note{}
}

// resultOf returns what a search found, and the last fresh run at its line; nil if there is none. A run that confirms
// the line is not among the probes that the line rests on. One that does not is one more probe.
func resultOf(trials []record.Trial, asked record.Search, statistic string, search stat.LineSearch) (stat.FoundLine,
	*Confirmation) {
	last := -1
	for i, t := range trials {
		if t.Confirms == statistic {
			last = i
		}
	}
	made := Probes(trials, statistic, asked)
	if last < 0 {
		found, _ := search.Line(made)
		return found, nil
	}
	before := trialset.Filter(trials, func(t *record.Trial) bool { return t.Probe != trials[last].Probe })
	found, ok := search.Line(Probes(before, statistic, asked))
	c := confirmationOf(trials[last], statistic, found)
	if ok && (c.Confirmed || c.Failed != "") {
		if c.Confirmed && c.Load < found.Load {
			found.Load, found.Low = c.Load, min(found.Low, c.Load) // earlier ones, higher up, did not confirm it
		}
		return found, &c
	}
	found, _ = search.Line(made)
	return found, &c
}

// Confirmed reports whether the line of a search's chief statistic is confirmed by its last run.
func Confirmed(trials []record.Trial, asked record.Search) bool {
	statistic := Statistics(asked.Objectives)[0]
	search := SearchOf(trials, asked, statistic)
	_, c := resultOf(trials, asked, statistic, search)
	return c != nil && c.Confirmed
}

// noLine returns the reason if a search has no line.
func noLine(search stat.LineSearch, asked record.Search, trials []record.Trial, made []stat.LineProbe) note.Note {
	limit, ok := search.Limit(made)
	if !ok {
		lowest := math.Inf(1)
		for _, p := range made {
			if (p.Base || asked.Sweep) && !p.Over && !p.Void && p.CPU < lowest {
				lowest = p.CPU
			}
		}
		if math.IsInf(lowest, 1) {
			return untold(trials, made)
		}
		return note.New("never-idle", idleCPU, lowest)
	}
	switch above := search.Bracket(made, limit).Above; {
	case above.Load == 0:
		return untold(trials, made)
	case above.Over:
		return note.New("line-below-unhandled", above.Load)
	default:
		return note.New("line-below", above.Load, 1e3*above.Latency, 1e3*limit)
	}
}

// untold returns why no probe of a search says anything: how many failed, by how much the generator was late in the
// others, and what else the machine did.
func untold(trials []record.Trial, made []stat.LineProbe) note.Note {
	failed, late := 0, 0.0
	for _, p := range made {
		if p.Void {
			failed++
		}
		late = max(late, p.Late)
	}
	why, times := "", map[string]int{}
	var foreign, steal []float64
	for _, t := range trials {
		if !t.Conclusive() {
			if times[t.Void]++; times[t.Void] > times[why] {
				why = t.Void
			}
		}
		if l := t.Ledger; l != nil && l.ForeignCPU != nil {
			foreign = append(foreign, *l.ForeignCPU)
		}
		if l := t.Ledger; l != nil && l.StealPct != nil {
			steal = append(steal, *l.StealPct)
		}
	}
	switch {
	case len(made) == 0:
		return note.New("no-low-probe")
	case failed == len(made):
		return note.New("probes-failed", failed, why)
	case len(foreign) == 0 || len(steal) == 0:
		return note.New("probes-in-doubt", len(made), 1e3*late)
	}
	return note.New("probes-in-doubt-busy", len(made), 1e3*late, stat.Mean(foreign), stat.Mean(steal))
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
		return "twice the latency below 20% CPU"
	}
	return strings.Join(list.Map(ChiefFirst(asked.Objectives), func(statistic string) string {
		percent, _ := record.PercentileOf(statistic)
		return fmt.Sprintf("p%s=%sms", strconv.FormatFloat(percent, 'f', -1, 64),
			strconv.FormatFloat(1e3*asked.Objectives[statistic], 'g', 4, 64))
	}), " and ")
}
