package nights

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"plimsoll/internal/analysis/history"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// nightsOf returns a table of the nights of each history: a detail, unless there are few histories.
func nightsOf(d history.Document, all bool) block.Section {
	out := block.Section{Title: "Nights", Level: block.PartLevel}
	detail := len(d.Histories) > fewNights && !all
	if detail {
		out.Title = ""
	}
	shown := d.Histories
	if !all {
		shown = shown[:min(mostRows, len(shown))]
	}
	for _, h := range shown {
		out.Blocks = append(out.Blocks, block.Section{Title: placed(h), Fixed: h.Metric + " against " + againstText(h),
			Level: block.ResultLevel, Detail: detail, Blocks: nightTable(h, all)})
	}
	return out
}

func nightTable(h history.History, all bool) []block.Block {
	first := 0
	if !all {
		first = max(0, len(h.Nights)-mostNights)
	}
	t := block.Table{Keys: 1, Spare: []string{"session", "runs"}, Columns: []block.Column{
		{Name: "night"}, {Name: "session"}, {Name: "estimate", Right: true}, {Name: "runs", Right: true},
		{Name: "ratio", Right: true}, {Name: "95%", Right: true}, {Name: "changed"}}}
	var values []float64
	for _, n := range h.Nights[first:] {
		values = append(values, n.Value)
	}
	u := valueScale(h, values...)
	for i, n := range h.Nights[first:] {
		ratio, sure := ratioTexts(n.Ratio)
		t.Rows = append(t.Rows, []block.Cell{
			{Text: day(n.Began), Tone: block.Strong}, {Text: fileName(n.File), Tone: block.Dim},
			{Text: u.Text(n.Value, figure.FineDigits)}, {Text: fmt.Sprint(n.N)},
			{Text: ratio}, {Text: sure}, {Text: nightWords(h, first+i)}})
	}
	out := []block.Block{t}
	if first > 0 {
		out = append(out, block.Sentence{Tone: block.Dim, Text: fmt.Sprintf("%d earlier: --all", first)})
	}
	return out
}

// nightWords says what is special about a night.
func nightWords(h history.History, at int) string {
	n := h.Nights[at]
	var out []string
	for _, c := range h.Changes {
		if c.At == at {
			out = append(out, "suspected change: "+change{h, c}.text())
		}
	}
	if n.State != "done" {
		out = append(out, n.State)
	}
	if n.Failed > 0 {
		out = append(out, fmt.Sprintf("%d of %s failed", n.Failed, figure.Count(n.N+n.Failed, "run")))
	}
	if n.Disturbed > 0 {
		out = append(out, fmt.Sprintf("%d of %s disturbed", n.Disturbed, figure.Count(n.Runs, "run")))
	}
	if n.Undated {
		out = append(out, "by the time of its file")
	}
	if n.AtLeast {
		out = append(out, "at least that")
	}
	if h.Control != nil && n.Ratio == nil {
		out = append(out, "without that control")
	}
	return strings.Join(append(out, n.Changed...), "; ")
}

// marks returns the nights at which machines changed, the latest first. The cells of a machine share them.
func marks(d history.Document, all bool) block.Section {
	type mark struct{ day, machine, changed string }
	var out []mark
	seen := map[mark]bool{}
	for _, h := range d.Histories {
		for _, n := range h.Nights {
			for _, text := range n.Changed {
				m := mark{day(n.Began), h.Machine, text}
				if !seen[m] {
					seen[m] = true
					out = append(out, m)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b mark) int {
		return cmp.Or(strings.Compare(b.day, a.day), strings.Compare(a.machine, b.machine))
	})
	t := block.Table{Keys: 2, Columns: []block.Column{{Name: "night"}, {Name: d.By}, {Name: "changed"}}}
	for i, m := range out {
		if i < mostMarks || all {
			t.Rows = append(t.Rows, []block.Cell{{Text: m.day, Tone: block.Strong}, {Text: m.machine}, {Text: m.changed}})
		}
	}
	s := block.Section{Title: "Machines changed", Level: block.PartLevel}
	if len(t.Rows) > 0 {
		s.Blocks = []block.Block{t}
	}
	if more := len(out) - len(t.Rows); more > 0 {
		s.Blocks = append(s.Blocks, block.Sentence{Tone: block.Dim, Text: fmt.Sprintf("%d earlier: --all", more)})
	}
	return s
}

// leftOut names the files that are no nights, by the reason.
func leftOut(d history.Document) []block.Sentence {
	var g block.Gathered
	for _, l := range d.LeftOut {
		g.Add(l.Reason, l.File)
	}
	return g.Sentences("left out", block.Warn, func(text string) string { return text })
}

// day returns the day of an instant; the text itself if it is none.
func day(text string) string {
	if len(text) < len("2026-01-02") {
		return cmp.Or(text, "undated")
	}
	return text[:len("2026-01-02")]
}

// fileName returns the name of a session without its directories and its extension.
func fileName(file string) string {
	return strings.TrimSuffix(path.Base(file), ".plimsoll.jsonl")
}
