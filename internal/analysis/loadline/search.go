package loadline

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// The metrics of a search for a load line: one search is one replicate.
const (
	MetricSustained = "max_sustained" // by the line of p99, or the only one there is
	metricBase      = "base_latency"
)

// CapacityOf returns approximately the rate that the closed load of a search carried, in operations per second, or 0 if
// unknown. It only gives the search a start, so it accepts a generator that was itself the bottleneck, but not one with
// failed operations: these are no load, and no line is sought among errors.
func CapacityOf(probes []record.Trial) float64 {
	for _, t := range probes {
		if t.Load.Kind != record.Closed || t.Generator != nil && (trialset.Kept{LoadUse: *t.Generator}).Failed() {
			continue
		}
		// If throughput counts bytes, a rate counts the operations.
		for _, name := range []string{record.IOPS, record.Throughput} {
			if v, ok := t.Value(name); ok {
				return v.Value
			}
		}
	}
	return 0
}

// Probes converts a search's trials for stat.LineSearch and stat.LoadSweep, by one statistic of latency. If every
// attempt at a probe was void for a reason other than the target, it counts as not measurable: a generator that cannot
// make a load never will, and the search must still end.
func Probes(probes []record.Trial, statistic string, asked record.Search) []stat.LineProbe {
	var out []stat.LineProbe
	for _, t := range probes {
		v, ok := t.Value(record.Latency + "_" + statistic)
		void := !t.Over && (t.Void != "" || !ok)
		if t.Load.Kind != record.Open || void && madeAgain(t, probes) {
			continue
		}
		p := stat.LineProbe{Load: t.Load.Level, Few: few(t, statistic), Latency: v.Value, Late: t.Generator.LateAt(statistic),
			Noise: requestsNoise(t, statistic), Seconds: t.DurationS, CPU: math.NaN(), Over: t.Over, Void: void}
		if cpu, ok := t.Value(record.CPUPercent); ok {
			p.CPU = cpu.Value
		}
		out = append(out, p)
	}
	if asked.Sweep {
		return stat.LoadSweep{Capacity: CapacityOf(probes)}.Based(out)
	}
	return SearchOf(probes, asked, statistic).Based(out)
}

// slowShare returns the share of requests that are slower than a percentile; 0 of other statistics.
func slowShare(statistic string) float64 {
	percent, ok := record.PercentileOf(statistic)
	if !ok || percent <= 0 || percent >= 100 {
		return 0
	}
	return 1 - percent/100
}

// requestsNoise returns the standard deviation of ln of a percentile by the number of requests, if their latencies are
// independent and exponential; 0 if unknown.
func requestsNoise(t record.Trial, statistic string) float64 {
	slow := slowShare(statistic)
	if slow == 0 || t.Generator == nil || t.Generator.Done == 0 {
		return 0
	}
	return math.Sqrt((1-slow)/(float64(t.Generator.Done)*slow)) / -math.Log(slow)
}

// fewSlow is the number of requests slower than a percentile, on average, from which on a run shows that percentile:
// 33 requests for p99. A run of fewer may have met none of the slow ones.
const fewSlow = 1. / 3

// few reports whether a trial has too few requests for a statistic.
func few(t record.Trial, statistic string) bool {
	slow := slowShare(statistic)
	return slow > 0 && t.Generator != nil && float64(t.Generator.Done)*slow < fewSlow
}

// leastOf returns the load below which the longest of some trials would have too few requests for a statistic; 0 if
// unknown.
func leastOf(trials []record.Trial, statistic string) float64 {
	longest := 0.0
	for _, t := range trials {
		if t.Load.Kind == record.Open {
			longest = max(longest, t.DurationS)
		}
	}
	if slow := longest * slowShare(statistic); slow > 0 {
		return fewSlow / slow
	}
	return 0
}

// SearchOf returns the search that some trials belong to, as it seeks the line of a statistic.
func SearchOf(trials []record.Trial, asked record.Search, statistic string) stat.LineSearch {
	out := stat.LineSearch{Capacity: CapacityOf(trials), Objective: asked.Objectives[statistic], Probes: asked.Probes,
		Least: leastOf(trials, statistic)}
	for _, objective := range asked.Objectives {
		out.Objective = cmp.Or(out.Objective, objective) // it has no base to seek
	}
	return out
}

// madeAgain reports whether a probe has a later attempt.
func madeAgain(t record.Trial, probes []record.Trial) bool {
	return slices.ContainsFunc(probes, func(o record.Trial) bool { return o.Probe == t.Probe && o.Attempt > t.Attempt })
}

// Searching separates the trials that are probes of searches from the others.
func Searching(trials []record.Trial) (probes, others []record.Trial) {
	isProbe := func(t *record.Trial) bool { return t.Probe > 0 }
	probes = trialset.Filter(trials, isProbe)
	return probes, trialset.Filter(trials, func(t *record.Trial) bool { return !isProbe(t) })
}

// Condensed replaces the probes of each search by one trial with the result of the search as its value, by the
// objectives of its plan, or by others (latencies in seconds by statistic).
func Condensed(trials []record.Trial, plans map[string]record.Plan, objectives map[string]float64) []record.Trial {
	probes, out := Searching(trials)
	type search struct {
		plan            string
		cell, replicate int
		machine         string
	}
	order, bySearch := trialset.GroupBy(probes, func(t record.Trial) search {
		return search{t.Plan, t.Cell, t.Replicate, t.Keys[record.KeyMachine]}
	})
	byCell := map[search][]search{}
	for _, s := range order {
		cell := s
		cell.replicate = 0
		byCell[cell] = append(byCell[cell], s)
	}
	found := map[search]record.Trial{}
	for _, searches := range byCell {
		asked := searchOf(bySearch[searches[0]][0], plans)
		searches = whole(searches, func(s search) bool { return cutShort(bySearch[s], asked) })
		own := list.Map(searches, func(s search) []record.Trial { return bySearch[s] })
		for i, t := range condensed(own, asked, objectives) {
			found[searches[i]] = t
		}
	}
	for _, s := range order {
		if t, ok := found[s]; ok {
			out = append(out, t)
		}
	}
	return out
}

// whole leaves out the searches that were cut short, unless all were: what one has of a later search says less than the
// searches that ended.
func whole[S any](searches []S, cut func(S) bool) []S {
	if out := list.Filter(searches, func(s S) bool { return !cut(s) }); len(out) > 0 {
		return out
	}
	return searches
}

// usedTime is the share of its time that a search that ended without a confirmed line has measured; the rest is what
// runs take besides.
const usedTime = .8

// cutShort reports whether a search was interrupted: it had no result yet, and would have gone on.
func cutShort(trials []record.Trial, asked record.Search) bool {
	if CapacityOf(trials) <= 0 || slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Confirms != "" }) {
		return false
	}
	statistic := Statistics(asked.Objectives)[0]
	made := Probes(trials, statistic, asked)
	if asked.Sweep {
		return len(made) < MinRamp
	}
	_, more := SearchOf(trials, asked, statistic).Next(made)
	if asked.TimeS == 0 || more {
		return more
	}
	took := 0.0
	for _, t := range trials {
		took += t.WarmupS + t.DurationS
	}
	last := trials[len(trials)-1]
	return took+last.WarmupS+last.DurationS <= usedTime*asked.TimeS
}

// condensed returns the searches of one cell as one trial each. A statistic of which most searches found no line has
// none: those that did are not a sample of all.
func condensed(searches [][]record.Trial, asked record.Search, objectives map[string]float64) []record.Trial {
	statistics := Statistics(orElse(objectives, asked.Objectives))
	lines := make([]map[string]roundLine, len(searches))
	why := make([]note.Note, len(searches)) // a search has no line
	var kept []string
	for _, statistic := range statistics {
		var reasons []note.Note
		for i, probes := range searches {
			line, reason := searchedLine(probes, asked, statistic, objectives)
			if !asked.Sweep && len(searches) < estimate.MinReplicates {
				line = line.stated()
			}
			if lines[i] == nil {
				lines[i] = map[string]roundLine{}
			}
			if why[i] = reason; reason.IsZero() {
				lines[i][statistic] = line
				continue
			}
			reasons = append(reasons, reason)
		}
		none := fewLines(len(searches)-len(reasons), reasons)
		if none.IsZero() {
			kept = append(kept, statistic)
			continue
		}
		for i := range why {
			if why[i].IsZero() {
				why[i] = none
			}
		}
	}
	out := make([]record.Trial, len(searches))
	for i, probes := range searches {
		out[i] = condensedTrial(probes, asked, kept, lines[i])
		switch {
		case len(out[i].Values) > 0:
		case CapacityOf(probes) <= 0:
			out[i].Void = "no closed load told the capacity"
		default:
			out[i].Void = why[i].Text()
		}
	}
	return out
}

// orElse returns the objectives of a question, or those of the search itself if the question has none.
func orElse(objectives, own map[string]float64) map[string]float64 {
	if len(objectives) > 0 {
		return objectives
	}
	return own
}

// searchOf returns the search that a probe's plan requested, or one without objectives if the plan is not known.
func searchOf(t record.Trial, plans map[string]record.Plan) record.Search {
	if cells := plans[t.Plan].Cells; t.Cell >= 0 && t.Cell < len(cells) && cells[t.Cell].Search != nil {
		return *cells[t.Cell].Search
	}
	return record.Search{}
}

// condensedTrial returns a search as one trial, with the lines of some statistics; the first is the chief one.
func condensedTrial(probes []record.Trial, asked record.Search, statistics []string,
	lines map[string]roundLine) record.Trial {
	t := trialset.StandIn(probes, lineKeys(probes[0], asked),
		record.LoadPoint{Kind: record.Open, Unit: record.ParamRate, All: asked.Sweep})
	t.ID = fmt.Sprintf("%s-r%d-g%d-c%d-line", t.Plan, t.Replicate, t.Group, t.Cell)
	for i, statistic := range statistics {
		line, ok := lines[statistic]
		if !ok {
			continue
		}
		t.Values = append(t.Values, lineValues(statistic, "op/s", line, i == 0)...)
		switch {
		case line.crossed, line.atMost > 0 && line.steeredBy == "":
		case line.steeredBy != "":
			t.Doubts = append(t.Doubts, note.New("line-bracketed", statistic, line.steeredBy).Text())
		default:
			t.Doubts = append(t.Doubts, note.New("search-ended-below", statistic).Text())
		}
	}
	t.Doubts = append(t.Doubts, note.Texts(trialset.PartDoubts(probes, "probes"))...)
	return t
}

// lineValues returns a load line as the values of a trial; the chief line has the plain name.
func lineValues(statistic, unit string, line roundLine, chief bool) []record.Value {
	name, base := MetricSustained+"_"+statistic, metricBase+"_"+statistic
	if chief {
		name = MetricSustained
	}
	if statistic == record.Latency {
		base = metricBase
	}
	out := []record.Value{
		{Metric: record.Metric{Name: name, Unit: unit, Better: record.Higher}, Value: line.max, AtLeast: !line.crossed}}
	if line.base > 0 {
		out = append(out, record.Value{Metric: record.Metric{Name: base, Unit: "s", Better: record.Lower}, Value: line.base})
	}
	return out
}

// IsLine reports whether a metric is the rate at a load line.
func IsLine(metric string) bool {
	return metric == MetricSustained || strings.HasPrefix(metric, MetricSustained+"_")
}

// lineKeys returns a probe's identity without the keys that the search sets.
func lineKeys(t record.Trial, asked record.Search) map[string]string {
	keys := maps.Clone(t.Keys)
	w := trialset.WorkloadOf(t)
	delete(keys, w+"."+record.ParamRate)
	delete(keys, w+"."+record.ParamClients)
	keys[record.KeyLoad] = record.LoadPoint{Kind: record.Open, All: asked.Sweep}.Key()
	return keys
}

// ProbesAt returns the probes of searches under the keys of their results.
func ProbesAt(trials []record.Trial, plans map[string]record.Plan) (order []trialset.Key,
	at map[trialset.Key][]record.Trial) {
	probes, _ := Searching(trials)
	return trialset.GroupBy(probes, func(t record.Trial) trialset.Key {
		t.Keys = lineKeys(t, searchOf(t, plans))
		return trialset.KeyOf(t, "", nil)
	})
}

// SearchedRamps returns the probes of searches at rates as ramps, under the keys of their results.
func SearchedRamps(trials []record.Trial, plans map[string]record.Plan) (order []trialset.Key,
	at map[trialset.Key]Ramp) {
	order, families := ProbesAt(trials, plans)
	at = make(map[trialset.Key]Ramp, len(order))
	for _, p := range order {
		ofRates := trialset.Filter(families[p], func(t *record.Trial) bool { return t.Load.Kind == record.Open })
		r := newRamp(trialset.LoadAxisOf(record.ParamRate).Curve(ofRates))
		r.Searched, r.asked = families[p], searchOf(families[p][0], plans)
		at[p] = r
	}
	return order, at
}

// AddSearched adds the load lines of searches under the keys of their results, by their own objectives or by others.
func AddSearched(to map[trialset.Key]LineFinding, trials []record.Trial, plans map[string]record.Plan,
	objectives map[string]float64) {
	order, ramps := SearchedRamps(trials, plans)
	for _, p := range order {
		r := ramps[p]
		asked := orElse(objectives, r.asked.Objectives)
		to[p] = byStatistic(r, asked)
		if len(to[p].Lines) == 0 && to[p].Reason.IsZero() { // no probe has a latency
			statistic := Statistics(asked)[0]
			_, reasons, _ := r.searchedLines(statistic, asked[statistic])
			to[p] = LineFinding{Reason: fewLines(0, reasons)}
		}
	}
}

// searchedLines returns the line of each search with the run that confirms it, and the reasons for those without one.
func (r Ramp) searchedLines(statistic string, objective float64) (found []roundLine, reasons []note.Note, cut int) {
	order, bySearch := trialset.GroupBy(r.Searched, func(t record.Trial) trialset.Slot {
		return trialset.Slot{Plan: t.Plan, Group: t.Cell, Replicate: t.Replicate}
	})
	all := len(order)
	order = whole(order, func(s trialset.Slot) bool { return cutShort(bySearch[s], r.asked) })
	for _, s := range order {
		line, reason := searchedLine(bySearch[s], r.asked, statistic, map[string]float64{statistic: objective})
		if !reason.IsZero() {
			reasons = append(reasons, reason)
			continue
		}
		if !r.asked.Sweep && len(order) < estimate.MinReplicates {
			line = line.stated()
		}
		found = append(found, line)
	}
	return found, reasons, all - len(order)
}
