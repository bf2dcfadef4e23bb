package nights

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/history"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// The rows of a screen that shows less than all.
const (
	mostRows   = 30 // histories
	mostNights = 60 // nights of one history, the latest
	mostMarks  = 20 // nights at which a machine changed, the latest
	fewNights  = 2  // histories whose nights a screen shows without being asked
)

// Sections returns the parts of a document: the answer, the suspected changes, the histories, the nights of each,
// changes of machines, and the files that were left out. Drawings are for pages.
func Sections(d history.Document, all, drawn bool) []block.Section {
	out := []block.Section{{Class: block.Verdicts, Blocks: finding.Blocks(answer(d, all))}}
	for _, s := range []block.Section{changes(d, all), drawings(d, drawn), table(d, all), nightsOf(d, all),
		marks(d, all)} {
		if len(s.Blocks) > 0 {
			out = append(out, s)
		}
	}
	return append(out, block.Section{Blocks: finding.Blocks(leftOut(d))})
}

// answer returns the benchmarks that fail, the suspected changes in a line or two, and what they are worth. Those of
// one night in one direction are one event.
func answer(d history.Document, all bool) []block.Sentence {
	const most = 2
	out := failing(d, all)
	if len(d.Histories) == 0 {
		return append(out, block.Sentence{
			Text: fmt.Sprintf("nothing to compare over time: no benchmark was measured twice in %s; --by type "+
				"follows an instance type over several machines", figure.Count(d.Sessions, "session"))})
	}
	events := eventsOf(d)
	for _, e := range events[:min(most, len(events))] {
		out = append(out, e.sentence(shortNames(d)))
	}
	if more := len(events) - most; more > 0 {
		out[len(out)-1].Text += fmt.Sprintf("; %d more below", more)
	}
	if len(events) == 0 {
		out = append(out, quiet(d))
	}
	out = append(out, lastOff(d)...)
	return append(out, block.Sentence{Lead: "but", Tone: block.Warn, Text: worth(d, searchedIn(d), len(events))})
}

// quiet states that no change is suspected. A history that is too short for a change to be seen may not be steady, nor
// may one that fails.
func quiet(d history.Document) block.Sentence {
	lead, ink := "steady", block.Good
	switch {
	case searchedIn(d) == 0:
		lead, ink = "too short", block.Warn
	case len(d.Failing) > 0:
		lead, ink = "otherwise", block.Plain
	}
	return block.Sentence{Lead: lead, Tone: ink, Text: fmt.Sprintf("no change of level is suspected in %s of %s",
		countOf(len(d.Histories)), figure.Count(d.Sessions, "session"))}
}

// mostFailing is the number of failing benchmarks that an answer names.
const mostFailing = 3

// failing names the benchmarks that fail or are missing in the latest nights: a history that ends is not steady.
func failing(d history.Document, all bool) []block.Sentence {
	var out []block.Sentence
	for i, f := range d.Failing {
		if i == mostFailing && !all {
			out[i-1].Text += fmt.Sprintf("; %d more: --all", len(d.Failing)-i)
			break
		}
		out = append(out, failingSentence(f))
	}
	return out
}

func failingSentence(f history.Failing) block.Sentence {
	out := block.Sentence{Lead: "failed", Tone: block.Bad, Text: titled(f.Title) + " on " + f.Machine + ": "}
	nights, runs := figure.Count(f.Nights, "night"), figure.Count(f.Failed, "failed run")
	switch {
	case f.Nights == 0:
		out.Text += fmt.Sprintf("%d of %s of its last night failed", f.Failed, figure.Count(f.Runs, "run"))
	case f.Last == "":
		out.Text += fmt.Sprintf("no valid run in %s (%s)", nights, runs)
	case f.Failed > 0:
		out.Text += fmt.Sprintf("no valid run since %s (%s, %s)", day(f.Last), nights, runs)
	default:
		out.Lead, out.Tone = "missing", block.Warn
		out.Text += fmt.Sprintf("not measured since %s (%s)", day(f.Last), nights)
	}
	return out
}

// titled writes a title as a sentence names it.
func titled(title string) string { return strings.ReplaceAll(title, partsApart, ", ") }

// lastOff counts the histories whose last night is unlike those before it, which no change of level can show yet: that
// takes more nights after it. One of 20 is by chance.
func lastOff(d history.Document) []block.Sentence {
	var off []history.History
	held := 0
	for _, h := range d.Histories {
		if r := h.Newest; r != nil && r.Bounded() && d.InLast(h) {
			if held++; r.Excludes(1) {
				off = append(off, h)
			}
		}
	}
	if len(off) == 0 {
		return nil
	}
	slices.SortStableFunc(off, func(a, b history.History) int { return cmp.Compare(lastBy(b), lastBy(a)) })
	first, of := off[0], ""
	if first.Control != nil {
		of = "ratio to its control "
	}
	r := first.Newest
	text := fmt.Sprintf("%s on %s: %s%s against the nights before (95%%: %s to %s)", shortNames(d)[keyOf(first)],
		first.Machine, of, changeText(r.Value), changeText(*r.Lo), changeText(*r.Hi))
	if held > 1 {
		text += fmt.Sprintf("; %d of %d histories are off, about %s by chance", len(off), held,
			figure.Fixed(estimate.Alpha*float64(held), 1))
	}
	return []block.Sentence{{Lead: "last night", Tone: block.Warn, Text: text}}
}

// lastBy returns by how much the last night differs from those before, as the absolute value of a log ratio.
func lastBy(h history.History) float64 { return math.Abs(math.Log(h.Newest.Value)) }

// worth says how far suspected changes can be trusted.
func worth(d history.Document, searched, suspected int) string {
	if searched == 0 {
		return fmt.Sprintf("no history has the %d nights in which a change can be seen", history.MinNights)
	}
	text := fmt.Sprintf("in a history without a change one is suspected with a probability of %s",
		figure.PercentText(d.Alpha))
	if searched > 1 {
		text += fmt.Sprintf(", so by chance in about %s of %d", figure.Fixed(d.Alpha*float64(searched), 1), searched)
	}
	if suspected > 0 {
		text += "; plimsoll compare of two nights decides"
	}
	return text
}

// searchedIn returns the number of histories that are long enough for a change to be found.
func searchedIn(d history.Document) (n int) {
	for _, h := range d.Histories {
		if h.Searched >= history.MinNights {
			n++
		}
	}
	return n
}

func countOf(histories int) string {
	if histories == 1 {
		return "1 history"
	}
	return fmt.Sprintf("%d histories", histories)
}

// directed reports whether a higher or a lower value is better.
func directed(h history.History) bool { return h.Better == record.Higher || h.Better == record.Lower }

func direction(h history.History, c history.Suspected) string {
	switch {
	case !directed(h):
		return "changed"
	case c.Better:
		return "better"
	}
	return "worse"
}

func tone(h history.History, c history.Suspected) block.Tone {
	switch {
	case !directed(h):
		return block.Warn
	case c.Better:
		return block.Good
	}
	return block.Bad
}

// placed names a cell and its machine.
func placed(h history.History) string { return h.Title + " on " + h.Machine }

// changeText writes a ratio as a change; as a factor if it is over a hundred.
func changeText(ratio float64) string {
	const most = 100
	if math.IsNaN(ratio) {
		return ""
	}
	if figure.IsFinite(ratio) && ratio > most {
		return fmt.Sprintf("%.3g times", ratio)
	}
	return figure.Percent(ratio)
}

// also names what changed on the machine in the same night.
func also(changed []string) string {
	if len(changed) == 0 {
		return ""
	}
	return "; that night too: " + few(changed)
}

func few(all []string) string {
	const most = 3
	text := strings.Join(all[:min(most, len(all))], ", ")
	if more := len(all) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// changes returns the table of suspected changes.
func changes(d history.Document, all bool) block.Section {
	t := block.Table{Keys: 2, Spare: []string{"before", "after"},
		Columns: []block.Column{{Name: "from"}, {Name: d.By}, {Name: "cell"},
			{Name: "change", Right: true}, {Name: "before", Right: true}, {Name: "after", Right: true}, {Name: "that night"}}}
	names, left := shortNames(d), 0
	for _, e := range eventsOf(d) {
		for _, of := range e.of {
			h, c := of.h, of.c
			if len(t.Rows) == mostRows && !all {
				left++
				continue
			}
			u := scaleOf(h, c.Before, c.After)
			t.Rows = append(t.Rows, []block.Cell{
				{Text: day(c.Began), Tone: block.Strong}, {Text: h.Machine}, {Text: names[keyOf(h)]},
				{Text: cmp.Or(changeText(c.Ratio), "–"), Tone: tone(h, c)},
				{Text: levelText(h, c.Before, u)}, {Text: levelText(h, c.After, u)},
				{Text: few(c.Changed)}})
		}
	}
	out := block.Section{Title: "Suspected changes",
		Fixed: "medians before and after, of ratios to the control where there is one", Level: block.PartLevel}
	if len(t.Rows) > 0 {
		out.Blocks = []block.Block{t}
	}
	if left > 0 {
		out.Blocks = append(out.Blocks, block.Sentence{Tone: block.Dim, Text: fmt.Sprintf("%d more: --all", left)})
	}
	return out
}

// scaleOf returns the unit of what is searched: of the metric, or none of a ratio.
func scaleOf(h history.History, values ...float64) figure.Scale {
	if h.Control != nil {
		return figure.Scale{Factor: 1}
	}
	return valueScale(h, values...)
}

// levelText writes a level: a ratio with three decimals.
func levelText(h history.History, v float64, u figure.Scale) string {
	if h.Control != nil {
		return figure.Fixed(v, 3)
	}
	return u.Text(v, figure.FineDigits)
}

// valueScale returns the unit of a history's metric.
func valueScale(h history.History, values ...float64) figure.Scale {
	return figure.ScaleFor(figure.UnitOf(h.Workload, h.Unit), values...)
}

func againstText(h history.History) string {
	if h.Control != nil {
		return h.Control.Title
	}
	return "earlier nights"
}

// table returns a row for each history.
func table(d history.Document, all bool) block.Section {
	t := block.Table{Keys: 1, Spare: []string{"moved", "last night"},
		Columns: []block.Column{{Name: d.By}, {Name: "cell"}, {Name: "nights", Right: true}, {Name: "last night"},
			{Name: "estimate", Right: true}, {Name: "against"}, {Name: "ratio", Right: true}, {Name: "95%", Right: true},
			{Name: "changes", Right: true}, {Name: "moved", Right: true}}}
	shown, names := d.Histories, shortNames(d)
	if !all {
		shown = shown[:min(mostRows, len(shown))]
	}
	for _, h := range shown {
		n := h.Nights[len(h.Nights)-1]
		u := valueScale(h, n.Value)
		ratio, sure := ratioTexts(n.Ratio)
		moved := slices.DeleteFunc(slices.Clone(h.Nights), func(n history.Night) bool { return len(n.Changed) == 0 })
		t.Rows = append(t.Rows, []block.Cell{
			{Text: h.Machine, Tone: block.Strong}, {Text: names[keyOf(h)]}, {Text: fmt.Sprint(len(h.Nights))},
			{Text: day(n.Began)},
			{Text: u.Text(n.Value, figure.Digits)}, {Text: againstText(h), Tone: block.Dim}, {Text: ratio}, {Text: sure},
			{Text: fmt.Sprint(len(h.Changes))}, {Text: fmt.Sprint(len(moved))}})
	}
	out := block.Section{Title: "Histories", Level: block.PartLevel,
		Fixed: "the last night of each, against its control or the nights before; moved: nights at which the machine or a " +
			"version changed"}
	if len(t.Rows) > 0 {
		out.Blocks = []block.Block{withoutSame(t, "against")}
	}
	var more []string
	if n := len(d.Histories) - len(shown); n > 0 {
		more = append(more, fmt.Sprintf("%s more: --all", countOf(n)))
	}
	if d.Single > 0 {
		more = append(more, figure.Count(d.Single, "cell")+" of a single night")
	}
	if len(more) > 0 && len(out.Blocks) > 0 {
		out.Blocks = append(out.Blocks, block.Sentence{Tone: block.Dim, Text: strings.Join(more, "; ")})
	}
	return out
}

// ratioTexts returns a ratio and its interval as percentages.
func ratioTexts(r *history.Ratio) (ratio, sure string) {
	if r == nil {
		return "", ""
	}
	if r.Bounded() {
		sure = changeText(*r.Lo) + " to " + changeText(*r.Hi)
	}
	return changeText(r.Value), sure
}

// withoutSame returns a table without a column that says the same in all of its rows.
func withoutSame(t block.Table, name string) block.Table {
	at := slices.IndexFunc(t.Columns, func(c block.Column) bool { return c.Name == name })
	if slices.ContainsFunc(t.Rows, func(row []block.Cell) bool { return row[at] != t.Rows[0][at] }) {
		return t
	}
	t.Columns = slices.Delete(t.Columns, at, at+1)
	for i := range t.Rows {
		t.Rows[i] = slices.Delete(t.Rows[i], at, at+1)
	}
	return t
}
