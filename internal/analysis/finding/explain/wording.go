package explain

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// mostExplainTables is the number of cells of a pair with a table of categories in a terminal: those with a cause
// first.
const mostExplainTables = 4

// explainedSection states for each cell why its sides differ. ID prefixes the drawings' IDs.
func explainedSection(id string, all []Explanation) block.Section {
	out := block.Section{Title: "Why they differ", Level: block.ResultLevel}
	split := finding.SplitOf(explainedParams(all))
	var notes []block.Sentence
	var unprofiled block.Gathered
	for _, x := range all {
		where := strings.Join(figure.NonEmpty(x.Workload, split.Behind(x.Wording.Of(x.Params), x.Load)), ", ")
		if texts := x.scriptTexts(); !x.Profiled && len(x.Causes) == 0 && len(x.Removes) == 0 && len(texts) > 0 {
			for _, text := range texts {
				notes = append(notes, block.Sentence{Lead: "why", Tone: block.Strong, Text: prefixed(where) + text})
			}
			notes = append(notes, issueNotes(x.KnownIssues, x.A, x.B)...)
			continue
		}
		if !x.Profiled && len(x.Causes) == 0 && len(x.Removes) == 0 {
			unprofiled.Add(noProfiles(x), where)
			notes = append(notes, issueNotes(x.KnownIssues, x.A, x.B)...)
			continue
		}
		if len(all) == 1 {
			where = ""
		}
		notes = append(notes, whyNotes(x, prefixed(where))...)
		notes = append(notes, issueNotes(x.KnownIssues, x.A, x.B)...)
	}
	notes = append(notes, unprofiled.Sentences("why", block.Dim, func(text string) string { return text })...)
	out.Blocks = append(finding.Blocks(block.Unique(notes)), finding.Blocks(explainPlots(id, all))...)
	out.Blocks = append(out.Blocks, finding.Blocks(explainTables(all, split))...)
	return out
}

// explainTables returns tables of categories for the first cells, those with a cause before the others.
func explainTables(all []Explanation, split finding.Split) []block.Section {
	var out []block.Section
	tabled := slices.DeleteFunc(slices.Clone(all), func(x Explanation) bool { return len(x.Categories) == 0 })
	slices.SortStableFunc(tabled, func(a, b Explanation) int { return min(len(b.Causes), 1) - min(len(a.Causes), 1) })
	for _, x := range tabled[:min(len(tabled), mostExplainTables)] {
		fixed := strings.Join(figure.NonEmpty("CPU time and waits per operation",
			split.Behind(x.Wording.Of(x.Params), x.Load), x.each().Count(x.N)), ", ")
		out = append(out, block.Section{Title: x.Workload, Fixed: fixed, Level: block.ResultLevel, Fold: true,
			Blocks: []block.Block{explainTable(x)}})
	}
	return out
}

func prefixed(where string) string {
	if where == "" {
		return ""
	}
	return where + ": "
}

func noProfiles(x Explanation) string {
	if x.CPU != nil && x.CPU.Excludes(0) {
		return "CPU time per operation differs: run --profile locates the difference"
	}
	return "no cause found without profiles: run --profile records them"
}

func explainedParams(all []Explanation) []map[string]string {
	out := make([]map[string]string, len(all))
	for i, x := range all {
		out[i] = x.Wording.Of(x.Params)
	}
	return out
}

func whyNotes(x Explanation, where string) []block.Sentence {
	look := block.Strong
	if len(x.Causes) == 0 {
		look = block.Dim
	}
	out := []block.Sentence{{Lead: "why", Tone: look, Detail: len(x.Causes) == 0, Text: where + x.Says}}
	for _, text := range x.detailTexts() {
		out = append(out, block.Sentence{Lead: "inside", Tone: block.Plain, Detail: true, Text: where + text})
	}
	for _, text := range x.More {
		out = append(out, block.Sentence{Lead: "also", Tone: block.Plain, Detail: true, Text: where + text})
	}
	for _, r := range x.Removes {
		out = append(out, block.Sentence{Lead: "measured", Tone: block.Plain, Detail: true, Text: where + removalText(r)})
	}
	for _, q := range x.Quantities {
		out = append(out, block.Sentence{Lead: "beside", Tone: block.Dim, Detail: true,
			Text: where + quantityText(q, figure.UnitOf(x.Workload, q.Unit))})
	}
	out = append(out, finding.Doubts(where, x.Doubts)...)
	return out
}

func removalText(r Removal) string {
	of := "the difference"
	if r.Category != "" {
		of += " in " + string(r.Category)
		if r.Wait {
			of = "the difference in waits for " + string(r.Category)
		}
	}
	text := fmt.Sprintf("%s removes %s%% of %s", r.Change, figure.PercentOf(r.Share, 0), of)
	if r.Bounded() {
		text = fmt.Sprintf("%s removes %s to %s%% of %s", r.Change, figure.PercentOf(*r.Lo, 0), figure.PercentOf(*r.Hi, 0),
			of)
	}
	switch {
	case r.beyond():
		text = fmt.Sprintf("%s saves %.2f to %.2f times %s, which both sides need", r.Change, *r.Lo, *r.Hi, of)
	case r.Hi != nil && *r.Hi >= overWhole:
		text = fmt.Sprintf("%s saves %.2f to %.2f times %s", r.Change, *r.Lo, *r.Hi, of)
	}
	return text + " (" + figure.N(r.N) + ")"
}

func quantityText(q Quantity, unit string) string {
	u := figure.ScaleFor(unit, q.A, q.B)
	text := fmt.Sprintf("%s: %s and %s", q.Name, u.Text(q.A, figure.Digits), u.Text(q.B, figure.Digits))
	if q.Bounded() {
		text += fmt.Sprintf(", ratio %s to %s", figure.Fixed(*q.Lo, figure.Decimals(*q.Lo, figure.Digits)),
			figure.Fixed(*q.Hi, figure.Decimals(*q.Hi, figure.Digits)))
	}
	return text
}

// issueNotes states the known issues, with remedy and source.
func issueNotes(all []Issue, a, b string) []block.Sentence {
	var out []block.Sentence
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
		out = append(out, block.Sentence{Lead: "known issue", Tone: block.Warn,
			Text: fmt.Sprintf("%s%s (%s); remedy: %s; source: %s", of, i.Says, i.ID, i.Remedy, i.Source)})
	}
	return out
}

func shortName(name string) string { return block.Cut(strings.Join(strings.Fields(name), " "), 48) }

func explainTable(x Explanation) block.Table {
	t := block.Table{
		Columns: []block.Column{{Name: "category"}, {Name: "difference", Right: true}, {Name: "of the gap", Right: true},
			{Name: shortName(x.A), Right: true}, {Name: shortName(x.B), Right: true}, {Name: "top functions"}},
		Detail: true, Wrap: 24, Spare: []string{"top functions", shortName(x.A), shortName(x.B)},
	}
	row := func(name string, p CostPart) {
		look := block.Plain
		if p.Named {
			look = block.Strong
		}
		t.Rows = append(t.Rows, []block.Cell{
			{Text: name, Tone: look}, {Text: costDifference(p)}, {Text: gapShare(p)}, {Text: timeText(p.A)},
			{Text: timeText(p.B)}, {Text: strings.Join(p.Moved, ", "), Tone: block.Dim}})
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
		row("unexplained", *x.Residual)
	}
	return t
}

func costDifference(p CostPart) string {
	u := figure.ScaleFor("s", p.Diff, p.A, p.B)
	if !p.Bounded() {
		return u.Text(p.Diff, figure.Digits)
	}
	like := math.Max(math.Abs(*p.Lo), math.Abs(*p.Hi))
	return strings.Join([]string{u.NumberLike(*p.Lo, like, figure.Digits), "to", u.NumberLike(*p.Hi, like, figure.Digits),
		u.Unit}, " ")
}

func timeText(v float64) string { return figure.ScaleFor("s", v).Text(v, figure.Digits) }

func gapShare(p CostPart) string {
	switch {
	case p.Share == nil:
		return ""
	case p.ShareLo == nil || p.ShareHi == nil:
		return figure.PercentOf(*p.Share, 0) + "%"
	}
	return fmt.Sprintf("%s to %s%%", figure.PercentOf(*p.ShareLo, 0), figure.PercentOf(*p.ShareHi, 0))
}

// explainPlot draws the difference in each category with its interval; false without one.
func explainPlot(id string, x Explanation, title string) (block.Plot, bool) {
	var values []float64
	parts := slices.DeleteFunc(slices.Concat(x.Categories, shownWaits(x.Waits)),
		func(p CostPart) bool { return p.A == 0 && p.B == 0 })
	for _, p := range parts {
		values = append(values, p.Around(p.Diff).Values()...)
	}
	a, ok := figure.NewAxis(append(values, 0))
	if len(parts) == 0 || !ok {
		return block.Plot{}, false
	}
	a.Log = false
	u := figure.ScaleFor("s", values...)
	out := block.Plot{
		ID: id, Title: title, Whiskers: true, Scale: a, Unit: u, One: new(0.0),
		Axis: u.Unit + " per operation, " + shortName(x.B) + " less " + shortName(x.A),
	}
	for _, p := range parts {
		r := block.IntervalRow(p.Around(p.Diff))
		r.Foot = new(0.0)
		r.Label = string(p.Category)
		if p.Source != "" {
			r.Label = "wait: " + r.Label
		}
		r.Guess = !p.Named
		r.Figure = strings.Join(figure.NonEmpty(costDifference(p), gapShare(p)), ", ")
		r.Tip = strings.Join(p.Moved, ", ")
		out.Rows = append(out.Rows, r)
	}
	out.Axis += "; pale: no cause"
	out.Desc = block.DescribeRows(out.Rows)
	return out, true
}

// shownWaits omits the waits of threads that may have nothing to do.
func shownWaits(waits []CostPart) []CostPart {
	return slices.DeleteFunc(slices.Clone(waits), func(p CostPart) bool {
		return p.Category == category.WaitingIdle || p.Category == category.WaitingParked ||
			p.Category == category.Unattributed
	})
}

func explainPlots(id string, all []Explanation) []block.Plot {
	var out []block.Plot
	split := finding.SplitOf(explainedParams(all))
	for i, x := range all {
		title := strings.Join(figure.NonEmpty("difference by category: "+x.Workload,
			split.Behind(x.Wording.Of(x.Params), x.Load)), ", ")
		p, ok := explainPlot(fmt.Sprintf("%s-%d", id, i+1), x, title)
		out = append(out, block.Plots(p, ok)...)
	}
	return out
}

// cellNotes explains for show why levels of factors differ from the first, and states known issues.
func cellNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	for _, c := range v.Cells {
		where := v.Place(c)
		for _, x := range KindExplain.All(c) {
			if !x.Profiled && len(x.Causes) == 0 && len(x.Removes) == 0 {
				continue
			}
			out = append(out,
				whyNotes(x, fmt.Sprintf("%s, %s from %s to %s: ", where, x.Factor, shortName(x.A), shortName(x.B)))...)
		}
		for _, n := range issueNotes(KindKnownIssue.All(c), "", "") {
			n.Text = where + ": " + n.Text
			out = append(out, n)
		}
	}
	return block.Unique(out)
}
