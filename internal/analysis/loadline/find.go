package loadline

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// LineFinding holds a sweep's load lines by statistic of latency, or the reason if there is none.
type LineFinding struct {
	Lines  map[string]Line
	Reason note.Note
}

// LinesOf returns each sweep's load lines under the key of the cell with its highest load. A sweep without any latency
// has no entry. Objectives are latencies in seconds by statistic; a statistic without one has its line at twice the
// latency below 20% CPU.
func LinesOf(ramps []Ramp, objectives map[string]float64) map[trialset.Key]LineFinding {
	out := map[trialset.Key]LineFinding{}
	for _, r := range ramps {
		out[r.Last().At()] = byStatistic(r, objectives)
	}
	return out
}

// byStatistic returns one sweep's lines.
func byStatistic(r Ramp, objectives map[string]float64) LineFinding {
	found := LineFinding{Lines: map[string]Line{}}
	for _, m := range trialset.MetricsOf(r.ByPoint()...) {
		statistic, ok := StatisticOf(m)
		if !ok || len(objectives) > 0 && objectives[statistic] == 0 {
			continue
		}
		line, reason := lineOf(r, m, objectives[statistic])
		if found.Reason = reason; line != nil {
			found.Lines[statistic] = *line
		}
	}
	if len(found.Lines) > 0 {
		found.Reason = note.Note{}
	}
	if lacking := r.lacking(objectives); len(lacking) > 0 && found.Reason.IsZero() {
		found.Reason = note.New("objective-not-measured", strings.Join(lacking, ", "))
	}
	return found
}

// lacking returns the statistics of objectives that no trial has.
func (r Ramp) lacking(objectives map[string]float64) []string {
	measured := map[string]bool{}
	for _, m := range trialset.MetricsOf(r.ByPoint()...) {
		statistic, ok := StatisticOf(m)
		measured[statistic] = ok
	}
	if _, timed := measured["p99"]; len(measured) == 0 && !timed {
		return nil
	}
	return slices.DeleteFunc(ChiefFirst(objectives), func(statistic string) bool { return measured[statistic] })
}

// lineOf finds the line of one latency metric, or returns a note with the reason if there is none. An objective of 0
// stands for none.
func lineOf(r Ramp, latency record.Metric, objective float64) (*Line, note.Note) {
	carried := r.Carried()
	if carried.Name == "" && r.Param != record.ParamRate {
		return nil, note.New("no-throughput", r.Param)
	}
	if r = r.Having(latency.Name, carried.Name); len(r.Points) < MinRamp && r.Searched == nil {
		return nil, note.New("few-loads", len(r.Points), MinRamp)
	}
	rounds, whole := r.rounds()
	var found []roundLine
	var reasons []note.Note
	statistic, _ := StatisticOf(latency)
	cut := 0
	if r.Searched != nil {
		found, reasons, cut = r.searchedLines(statistic, objective)
		whole = true
	} else {
		found, reasons = roundLinesOf(rounds, carried.Name, latency.Name, objective)
	}
	if reason := fewLines(len(found), reasons); !reason.IsZero() {
		return nil, reason
	}
	out := &Line{
		Metric: carried.Name, Unit: carried.Unit, Objective: objective, CPUScope: r.CPUScope(), Probes: r.probes(carried.Name,
			latency.Name), Doubts: []note.Note{},
	}
	out.Statistic = statistic
	if carried.Name == "" {
		out.Metric, out.Unit = offered, "op/s"
	}
	out.settle(found)
	out.relate()
	out.bound()
	out.SetAlarms(DefaultHeadroom)
	switch {
	case out.SteeredBy != "":
		out.doubt("line-bracketed", statistic, out.SteeredBy)
	case out.Between != nil && out.Between.LeastBase > 0:
		out.doubt("line-hangs-on-base", 1e3*out.Between.LeastBase, 1e3*out.Between.MostBase, statistic,
			2e3*out.Between.MostBase)
	case out.Between != nil && out.AtMost != nil:
		out.doubt("line-not-narrowed")
	}
	if cut > 0 {
		out.doubt("searches-cut-short", cut, cut+len(found)+len(reasons))
	}
	if len(reasons) > 0 {
		out.doubt("replicates-without-line", len(reasons), len(found)+len(reasons), reasonsText(reasons))
	}
	out.doubtSweep(r, found, whole)
	return out, note.Note{}
}

// fewLines returns a note if most replicates have no line: those that have one are not a sample of all.
func fewLines(found int, reasons []note.Note) note.Note {
	switch {
	case len(reasons) == 0 || found > len(reasons):
		return note.Note{}
	case found == 0 && alike(reasons):
		return reasons[0]
	}
	return note.New("most-without-line", len(reasons), found+len(reasons), reasonsText(reasons))
}

// alike reports whether reasons are all the same.
func alike(reasons []note.Note) bool {
	first := reasons[0].Text()
	return !slices.ContainsFunc(reasons[1:], func(n note.Note) bool { return n.Text() != first })
}

// reasonsText returns the distinct reasons, most frequent first, at most two.
func reasonsText(reasons []note.Note) string {
	const most = 2
	var order []string
	times := map[string]int{}
	for _, n := range reasons {
		r := n.Remark()
		if times[r]++; times[r] == 1 {
			order = append(order, r)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return times[b] - times[a] })
	if more := len(order) - most; more > 0 {
		return strings.Join(order[:most], "; ") + fmt.Sprintf("; and %d other reasons", more)
	}
	return strings.Join(order, "; ")
}

// offered replaces a throughput that was not measured.
const offered = "offered"

// Carried returns the metric of the carried load, with an empty name if there is none.
func (r Ramp) Carried() record.Metric {
	names := []string{record.Throughput, record.IOPS}
	if r.Param == record.ParamRate {
		slices.Reverse(names) // if throughput counts bytes, a rate counts the operations
	}
	for _, name := range names {
		for _, m := range trialset.MetricsOf(r.ByPoint()...) {
			if m.Name == name {
				return m
			}
		}
	}
	return record.Metric{}
}

// Having returns the ramp with only the trials that have all of the metrics, ignoring empty names. Values that are not
// positive count as missing, since they have no logarithm.
func (r Ramp) Having(names ...string) Ramp {
	has := func(t *record.Trial) bool {
		for _, name := range names {
			if v, ok := trialset.ValueIn(t, name); name != "" && !(ok && v.Value > 0) {
				return false
			}
		}
		return true
	}
	out := r
	out.Points = nil
	for _, p := range r.Points {
		if kept := trialset.Filter(p.Trials, has); len(kept) > 0 {
			out.Points = append(out.Points, trialset.CurvePoint{X: p.X, Trials: kept})
		}
	}
	return out
}

// CPUScope returns the CPUs that the trials' CPU use is a share of.
func (r Ramp) CPUScope() string {
	scope := CPUScopeUnknown
	for t := range r.Trials() {
		if _, ok := trialset.ValueIn(t, record.CPUPercent); !ok {
			continue
		}
		of := CPUScopeServer
		switch {
		case t.Keys[record.KeyImported] != "":
			return CPUScopeImported
		case t.CPU != nil && t.CPU.GeneratorCPUs == 0:
			of = CPUScopeTarget
		}
		if scope != CPUScopeUnknown && scope != of {
			of = CPUScopeServer
		}
		scope = of
	}
	return scope
}

// DeepestFall returns the deepest fall of a metric from one load to a higher one, if it is more than noise.
func (r Ramp) DeepestFall(metric string) (trialset.Key, note.Note) {
	c := r.Having(metric).Curve
	points, _ := c.Logs(metric)
	from, to, depth := 0, 0, 0.0
	for j := range points {
		for i := range j {
			if fall := points[i].Mean() - points[j].Mean(); fall > depth {
				from, to, depth = i, j, fall
			}
		}
	}
	if depth <= noiseOf(points, from, to) {
		return trialset.Key{}, note.Note{}
	}
	where := func(i int) string { return trialset.LoadOf(c.Points[i].Trials[0]) }
	fall := -100 * math.Expm1(-depth)
	if single(points) {
		return c.Points[to].At(), note.New("goes-backwards-of-one", metric, fall, where(to), where(from), 100*estimate.MaxCV)
	}
	return c.Points[to].At(), note.New("goes-backwards", metric, fall, where(to), where(from))
}

// noiseOf returns how far the means of two loads may differ by noise alone, in logs. If no load was measured twice, it
// is the scatter allowed for replicates.
func noiseOf(points []stat.Point, from, to int) float64 {
	if single(points) {
		return -math.Log1p(-estimate.MaxCV)
	}
	return stat.LeastDifference(points, points[from], points[to], estimate.Alpha)
}

// single reports whether no point has two values.
func single(points []stat.Point) bool {
	return !slices.ContainsFunc(points, func(p stat.Point) bool { return len(p.Logs) > 1 })
}
