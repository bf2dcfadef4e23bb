// Package outcome words the answer of a document about cells: the best setting of each workload with its figure and
// confidence, and what weakens it. Findings that answer more, such as load lines, take the place of the plain figures.
package outcome

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/answers"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// Of returns the answer of a document about cells, workload by workload, with the warnings on its sessions.
func Of(s finding.Shown, all []finding.Analyzer) finding.Answer {
	var out finding.Answer
	workloads := finding.GroupBy(s.Workloads, func(c finding.Cell) string { return c.Workload })
	for _, of := range workloads {
		one := ofWorkload(finding.NewView(of), all)
		if len(workloads) > 1 {
			for i := range one.Against {
				one.Against[i].Place = figure.Joined(of[0].Workload, one.Against[i].Place)
			}
		}
		out.AddWorkload(one)
	}
	for _, w := range s.Warnings {
		out.Object(finding.ObjectionBy(w, ""))
	}
	return out
}

func ofWorkload(v *finding.View, all []finding.Analyzer) finding.Answer {
	var out finding.Answer
	also := ""
	primary := list.Filter(v.Cells, func(c finding.Cell) bool { return c.Primary || c.Metric == "" })
	fail(&out, v, primary)
	for _, a := range all {
		if a.Answer != nil {
			one := a.Answer(v)
			out.Add(one)
			also = cmp.Or(also, one.Also)
		}
	}
	if len(out.Results) == 0 {
		out.Results, out.Stats = bests(v, primary)
		out.Next(narrower(primary))
	}
	if also != "" && len(out.Results) > 0 {
		out.Results[0].Text += "; " + also
	}
	object(&out, v, primary)
	return out
}

// bests returns a result for each machine, the best first; for each metric of a machine whose settings have several.
func bests(v *finding.View, primary []finding.Cell) ([]finding.Result, []block.Stat) {
	var groups [][]finding.Cell
	for _, machine := range finding.GroupBy(primary, func(c finding.Cell) string { return c.Machine }) {
		valid := list.Filter(machine, measured)
		if len(valid) == 0 {
			groups = append(groups, ranked(machine))
		}
		for _, metric := range finding.GroupBy(valid, func(c finding.Cell) string { return c.Metric }) {
			groups = append(groups, ranked(metric))
		}
	}
	slices.SortStableFunc(groups, func(a, b []finding.Cell) int { return better(a[0], b[0]) })
	var out []finding.Result
	var cards []block.Stat
	for _, g := range groups {
		out = append(out, finding.Plainly(bestOf(v, g)))
		if measured(g[0]) {
			cards = append(cards, bestStat(v, g[0]))
		}
	}
	return out, cards
}

// bestStat returns the card of a cell.
func bestStat(v *finding.View, c finding.Cell) block.Stat {
	machine := ""
	if v.Several {
		machine = c.Machine
	}
	out := block.Stat{Kind: block.CapacityStat,
		Label: figure.Joined(c.Workload, machine, v.Split.Behind(c.Shown(), c.Load), c.Metric), Text: c.EstimateText()}
	out.Of, out.Column = c.Machine, c.Metric
	if c.AtLeast {
		out.Text = "≥ " + out.Text
		return out
	}
	if s := c.Estimate; s.Bounded() {
		u := c.FigureScale()
		out.Short = u.Number(*s.Lo, figure.Digits) + " to " + u.Number(*s.Hi, figure.Digits)
	}
	out.Sure = finding.IntervalText(c.Estimate, c.FigureScale(), c.N)
	return out
}

// ranked returns cells of one metric, or without a valid run, the best first.
func ranked(cells []finding.Cell) []finding.Cell {
	slices.SortStableFunc(cells, better)
	return cells
}

func measured(c finding.Cell) bool { return c.N > 0 && figure.IsFinite(c.Value) }

// better orders two cells: the better figure first.
func better(a, b finding.Cell) int {
	switch {
	case !measured(a) || !measured(b):
		return cmp.Compare(rank(a), rank(b))
	case a.Metric != b.Metric:
		return 0
	case a.Better == record.Higher:
		return cmp.Compare(b.Value, a.Value)
	case a.Better == record.Lower:
		return cmp.Compare(a.Value, b.Value)
	}
	return 0
}

func rank(c finding.Cell) int {
	if measured(c) {
		return 0
	}
	return 1
}

// competes reports whether two cells of a machine did the same work under the same load, so that one setting can be
// better than the other: two CPUs are not better than one of the same machine, nor small blocks than large ones, nor
// redirects than pages. Commands are alternatives that a user put side by side.
func competes(a, b finding.Cell) bool {
	if a.Load != b.Load || !answers.Alike(a, b) {
		return false
	}
	for _, params := range []map[string]string{a.Params, b.Params} {
		for name := range params {
			if a.Params[name] != b.Params[name] && name != "command" && record.DefinesWork(a.Workload, name) {
				return false
			}
		}
	}
	return true
}

// bestOf returns the first of a machine's ranked cells: as the best of the settings that it competes with and the worst
// of these beside it, else beside the last of the loads or kinds of work.
func bestOf(v *finding.View, cells []finding.Cell) block.Sentence {
	out := block.Sentence{Lead: cells[0].Workload, Tone: block.Strong}
	if !measured(cells[0]) {
		out.Tone, out.Text = block.Bad, "no run is valid"
		if v.Several {
			out.Text = cells[0].Machine + " has no valid run"
		}
		return out
	}
	valid := list.Filter(cells, measured)
	best := valid[0]
	rivals := list.Filter(valid, func(c finding.Cell) bool { return competes(best, c) })
	out.Text = predicate(v, best) + placed(v, figureOf(best), best)
	switch directed := best.Better == record.Higher || best.Better == record.Lower; {
	case !directed && len(valid) > 1:
		out.Text += fmt.Sprintf(", the first of %d", len(valid))
	case len(rivals) > 1:
		out.Text += fmt.Sprintf(", the best of %d", len(rivals))
		if !v.Several {
			out.Text += beside(v, best, rivals[len(rivals)-1])
		}
	case len(valid) > 1 && !v.Several:
		out.Text += others(v, valid[1:])
	}
	return out
}

// predicate returns the words between the lead, which is the workload, and a figure: a machine of several, and a verb.
func predicate(v *finding.View, c finding.Cell) string {
	metric := statistic(c)
	switch {
	case v.Several && metric == "":
		return c.Machine + " reaches "
	case v.Several && metric == record.Elapsed:
		return c.Machine + " takes "
	case v.Several:
		return c.Machine + "'s " + metric + " is "
	case metric == "":
		return "reaches "
	case metric == record.Elapsed:
		return "takes "
	}
	return metric + " is "
}

// others returns the last of cells of other loads or other work, which no word compares with the first.
func others(v *finding.View, cells []finding.Cell) string {
	last := cells[len(cells)-1]
	text := placed(v, last.EstimateText(), last)
	if len(cells) > 1 {
		return fmt.Sprintf("; %d others to %s", len(cells), text)
	}
	return "; " + text
}

// beside returns the worst cell for comparison with the best, without the load that they share.
func beside(v *finding.View, best, worst finding.Cell) string {
	shown := worst
	if worst.Load == best.Load && len(v.Split.Varying) > 0 {
		shown.Load = ""
	}
	word := "the worst"
	if best.Estimate.Bounded() && worst.Estimate.Bounded() && *worst.Hi >= *best.Lo &&
		*worst.Lo <= *best.Hi {
		word = "its interval overlaps the worst"
	}
	return fmt.Sprintf("; %s: %s", word, placed(v, worst.EstimateText(), shown))
}

// placed returns a figure with the setting and load of its cell: "15.4 ms at 100 requests/s".
func placed(v *finding.View, text string, c finding.Cell) string {
	load := c.Load
	if at := finding.AtRate(c.Load, c.Counted()); at != "" {
		text, load = text+at, ""
	}
	return figure.Joined(text, v.Split.Behind(c.Shown(), load))
}

// statistic returns the name of a cell's metric as it precedes a figure; "" for a rate, whose unit names it.
func statistic(c finding.Cell) string {
	if c.Metric == record.Throughput || c.Metric == record.IOPS || strings.HasSuffix(c.Unit, "/s") {
		return ""
	}
	return figure.MetricName(c.Metric)
}

// figureOf returns a cell's figure with its confidence.
func figureOf(c finding.Cell) string {
	if c.AtLeast {
		return "at least " + c.EstimateText()
	}
	s := c.Estimate
	return finding.SureText(s, c.FigureScale(), c.N)
}

// Weakens reports whether a note is an objection to a figure, which does not say as much itself.
func Weakens(n note.Note) bool { return n.Code != "too-few-replicates" && n.Code != "too-few-sweeps" }

// fail adds the failed runs, which weigh more than any doubt about those that are left; cells with most of them first.
func fail(out *finding.Answer, v *finding.View, primary []finding.Cell) {
	failing := list.Filter(primary, func(c finding.Cell) bool {
		return c.Void > 0 && (c.N > 0 || c.Load != record.KeySearched) // else the answer has the reason
	})
	slices.SortStableFunc(failing, func(a, b finding.Cell) int { return cmp.Compare(b.Void, a.Void) })
	for _, c := range failing {
		runs := c.N + c.Void
		text := fmt.Sprintf("%d of %s failed", c.Void, figure.Count(runs, "run"))
		switch {
		case runs == 1:
			text = "The only run failed"
		case c.N == 0 && runs == 2:
			text = "Both runs failed"
		case c.N == 0:
			text = fmt.Sprintf("All %d runs failed", runs)
		}
		out.Object(finding.Objection{Text: text, Place: place(v, c, primary), Gravity: note.Decisive,
			Size: float64(c.Void) / float64(runs)})
	}
}

// object adds the notes on the primary metrics.
func object(out *finding.Answer, v *finding.View, primary []finding.Cell) {
	for _, c := range primary {
		if c.N == 0 && (c.Load == record.KeySearched || c.Void > 0) {
			continue // the answer has the reason, or the failed runs are an objection
		}
		for _, d := range c.Doubts {
			out.Object(finding.ObjectionBy(d, place(v, c, primary)))
		}
	}
}

// place names a cell in an objection; "" if no other one is primary.
func place(v *finding.View, c finding.Cell, primary []finding.Cell) string {
	if len(primary) == 1 {
		return ""
	}
	return strings.TrimSuffix(v.Place(c), ", ")
}
