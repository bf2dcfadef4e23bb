package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/category"
	"plimsoll/internal/judge"
)

// explained is why two sides differ, ready for either medium.
type explained struct {
	Notes  []note
	Tables []results
}

// mostExplainTables is how many cells of a pair have a table of their categories in a terminal: those with a cause first.
const mostExplainTables = 4

// explainedOf says of each cell why its sides differ.
func explainedOf(all []judge.Explanation) explained {
	var out explained
	split := splitParams(explainedParams(all))
	var unprofiled gathered
	for _, x := range all {
		where := strings.Join(nonEmpty(x.Workload, split.label(major(x.Params, x.Minor), x.Load)), ", ")
		if !x.Profiled && len(x.Causes) == 0 && len(x.Removes) == 0 {
			unprofiled.add(noProfiles(x), where)
			out.Notes = append(out.Notes, issueNotes(x.KnownIssues, x.A, x.B)...)
			continue
		}
		if len(all) == 1 {
			where = ""
		}
		out.Notes = append(out.Notes, whyNotes(x, prefixed(where))...)
		out.Notes = append(out.Notes, issueNotes(x.KnownIssues, x.A, x.B)...)
	}
	out.Notes = append(out.Notes, unprofiled.notes("why", dim, func(text string) string { return text })...)
	tabled := slices.DeleteFunc(slices.Clone(all), func(x judge.Explanation) bool { return len(x.Categories) == 0 })
	slices.SortStableFunc(tabled, func(a, b judge.Explanation) int { return min(len(b.Causes), 1) - min(len(a.Causes), 1) })
	for _, x := range tabled[:min(len(tabled), mostExplainTables)] {
		fixed := strings.Join(nonEmpty("CPU time and waits of an operation", split.label(major(x.Params, x.Minor), x.Load), explainedCount(x)), ", ")
		out.Tables = append(out.Tables, results{Workload: x.Workload, Fixed: fixed, Table: explainTable(x)})
	}
	out.Notes = unique(out.Notes)
	return out
}

func prefixed(where string) string {
	if where == "" {
		return ""
	}
	return where + ": "
}

// noProfiles is what is said of cells without profiles in which no cause was found.
func noProfiles(x judge.Explanation) string {
	if x.CPU != nil && x.CPU.Differs() {
		return "CPU time for an operation differs, and nothing says for what: run --profile does"
	}
	return "no cause found without profiles: run --profile takes some"
}

func explainedParams(all []judge.Explanation) []map[string]string {
	out := make([]map[string]string, len(all))
	for i, x := range all {
		out[i] = major(x.Params, x.Minor)
	}
	return out
}

func explainedCount(x judge.Explanation) string {
	if x.Paired {
		return count(x.N, "pair")
	}
	return count(x.N, "trial") + " a side"
}

// whyNotes are the sentences of one explanation.
func whyNotes(x judge.Explanation, where string) []note {
	look := strong
	if len(x.Causes) == 0 {
		look = dim
	}
	out := []note{{"why", look, where + x.Says}}
	for _, text := range x.More {
		out = append(out, note{"also", plain, where + text})
	}
	for _, r := range x.Removes {
		out = append(out, note{"measured", plain, where + removalText(r)})
	}
	for _, q := range x.Quantities {
		out = append(out, note{"beside", dim, where + quantityText(q)})
	}
	for _, d := range x.Doubts {
		out = append(out, note{"doubt", warn, where + d.Text()})
	}
	return out
}

func removalText(r judge.Removal) string {
	of := "the difference"
	if r.Category != "" {
		of += " in " + string(r.Category)
		if r.Wait {
			of = "the difference in waits for " + string(r.Category)
		}
	}
	text := fmt.Sprintf("%s takes %s %% of %s away", r.Change, percent(r.Share, 0), of)
	if r.Lo != nil && r.Hi != nil {
		text = fmt.Sprintf("%s takes %s to %s %% of %s away", r.Change, percent(*r.Lo, 0), percent(*r.Hi, 0), of)
	}
	return text + fmt.Sprintf(" (n %d)", r.N)
}

func quantityText(q judge.Quantity) string {
	u := scaleFor(q.Unit, q.A, q.B)
	text := fmt.Sprintf("%s: %s and %s", q.Name, u.text(q.A, digits), u.text(q.B, digits))
	if q.Lo != nil && q.Hi != nil {
		text += fmt.Sprintf(", ratio %s to %s", fixed(*q.Lo, decimals(*q.Lo, digits)), fixed(*q.Hi, decimals(*q.Hi, digits)))
	}
	return text
}

// issueNotes are the known issues, with remedy and source.
func issueNotes(all []judge.Issue, a, b string) []note {
	var out []note
	for _, i := range all {
		of := ""
		switch i.Side {
		case "a":
			of = shortName(a) + ": "
		case "b":
			of = shortName(b) + ": "
		case "both":
			of = "both sides: "
		}
		out = append(out, note{"known", warn, fmt.Sprintf("%s%s (%s); remedy: %s; source: %s", of, i.Says, i.ID, i.Remedy, i.Source)})
	}
	return out
}

// shortName is a side's name in a sentence.
func shortName(name string) string { return cut(strings.Join(strings.Fields(name), " "), 48) }

// explainTable is what an operation takes on both sides.
func explainTable(x judge.Explanation) table {
	t := table{
		Columns: []column{{Name: "category"}, {Name: "difference", Right: true}, {Name: "of the gap", Right: true}, {Name: shortName(x.A), Right: true}, {Name: shortName(x.B), Right: true}, {Name: "most moved"}},
		Wrap:    24, Spare: []string{"most moved", shortName(x.A), shortName(x.B)},
	}
	row := func(name string, p judge.CostPart) {
		look := plain
		if p.Named {
			look = strong
		}
		t.Rows = append(t.Rows, []cell{{name, look}, {Text: costDifference(p)}, {Text: gapShare(p)}, {Text: timeText(p.A)}, {Text: timeText(p.B)}, {strings.Join(p.Moved, ", "), dim}})
	}
	if x.CPU != nil {
		row("all CPU time", *x.CPU)
	}
	for _, p := range x.Categories {
		row(string(p.Category), p)
	}
	for _, p := range x.Waits {
		row("wait: "+string(p.Category), p)
	}
	if x.Residual != nil {
		row("beside the causes", *x.Residual)
	}
	return t
}

func costDifference(p judge.CostPart) string {
	u := scaleFor("s", p.Diff, p.A, p.B)
	if p.Lo == nil || p.Hi == nil {
		return u.text(p.Diff, digits)
	}
	like := math.Max(math.Abs(*p.Lo), math.Abs(*p.Hi))
	return strings.Join([]string{u.numberLike(*p.Lo, like, digits), "to", u.numberLike(*p.Hi, like, digits), u.Unit}, " ")
}

func timeText(v float64) string { return scaleFor("s", v).text(v, digits) }

func gapShare(p judge.CostPart) string {
	switch {
	case p.Share == nil:
		return ""
	case p.ShareLo == nil || p.ShareHi == nil:
		return percent(*p.Share, 0) + " %"
	}
	return fmt.Sprintf("%s to %s %%", percent(*p.ShareLo, 0), percent(*p.ShareHi, 0))
}

// explainPlot draws the difference in each category with its interval; false without one.
func explainPlot(id string, x judge.Explanation, title string) (plot, bool) {
	var values []float64
	parts := slices.DeleteFunc(slices.Concat(x.Categories, tellingWaits(x.Waits)), func(p judge.CostPart) bool { return p.A == 0 && p.B == 0 })
	for _, p := range parts {
		values = append(values, span{p.Diff, p.Lo, p.Hi}.values()...)
	}
	a, ok := newAxis(append(values, 0))
	if len(parts) == 0 || !ok {
		return plot{}, false
	}
	a.log = false
	u := scaleFor("s", values...)
	out := plot{
		ID: id, Title: title, Whiskers: true, Ticks: a.marks(u), One: svgPercent(a.at(0)),
		Axis: u.Unit + " for an operation, " + shortName(x.B) + " less " + shortName(x.A),
	}
	for _, p := range parts {
		r := intervalRow(span{p.Diff, p.Lo, p.Hi}, a)
		r.bar(a, 0, p.Diff)
		r.BarX = svgPercent(math.Min(a.at(0), a.at(p.Diff)))
		r.Top = len(out.Rows) * rowHeight
		r.Label = string(p.Category)
		if p.Source != "" {
			r.Label = "wait: " + r.Label
		}
		r.Guess = !p.Named
		r.Figure = strings.Join(nonEmpty(costDifference(p), gapShare(p)), ", ")
		r.Tip = strings.Join(p.Moved, ", ")
		out.Rows = append(out.Rows, r)
	}
	out.Axis += "; pale: not told to be a cause"
	out.Desc = describeRows(out.Rows)
	return out, true
}

// tellingWaits leaves out the waits of threads that may have nothing to do.
func tellingWaits(waits []judge.CostPart) []judge.CostPart {
	return slices.DeleteFunc(slices.Clone(waits), func(p judge.CostPart) bool {
		return p.Category == category.WaitingIdle || p.Category == category.WaitingParked || p.Category == category.Unattributed
	})
}

// explainPlots are those of all cells that were profiled.
func explainPlots(id string, all []judge.Explanation) []plot {
	var out []plot
	split := splitParams(explainedParams(all))
	for i, x := range all {
		title := strings.Join(nonEmpty("where the difference is: "+x.Workload, split.label(major(x.Params, x.Minor), x.Load)), ", ")
		p, ok := explainPlot(fmt.Sprintf("%s-%d", id, i+1), x, title)
		out = append(out, some(p, ok)...)
	}
	return out
}

// explainNotes say in show why the levels of factors differ from the first, and what is known to be amiss.
func explainNotes(cells []judge.Cell, split paramSplit, several bool) []note {
	var out []note
	for _, c := range cells {
		where := place(c, split, several)
		for _, x := range c.Explain {
			if !x.Profiled && len(x.Causes) == 0 && len(x.Removes) == 0 {
				continue
			}
			out = append(out, whyNotes(x, fmt.Sprintf("%s, %s from %s to %s: ", where, x.Factor, shortName(x.A), shortName(x.B)))...)
		}
		for _, n := range issueNotes(c.KnownIssues, "", "") {
			n.Text = where + ": " + n.Text
			out = append(out, n)
		}
	}
	return unique(out)
}
