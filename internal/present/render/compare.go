package render

import (
	"fmt"
	"io"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/present/media/markdown"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
)

// Compare writes the conclusions of comparisons for a terminal. The error is the writer's.
func Compare(w io.Writer, style term.Style, c finding.Compared, depth block.Depth) error {
	return term.Write(w, style, compareDocument(c).sections(depth, style.Last))
}

// CompareMarkdown writes the conclusions of comparisons as Markdown, after the first lines. The error is the writer's.
func CompareMarkdown(w io.Writer, c finding.Compared, depth block.Depth, first ...block.Sentence) error {
	doc := compareDocument(c).sections(depth, false)
	if len(first) > 0 {
		doc = append([]block.Section{{Class: block.Verdicts, Blocks: finding.Blocks(first)}}, doc...)
	}
	return markdown.Write(w, doc)
}

// compareDocument returns the answer, and a part for each pair: the verdicts in plain sentences, then the figures, then
// their limits.
func compareDocument(c finding.Compared) document {
	if len(c.Pairs) == 0 {
		return document{parts: remark(block.Sentence{Text: "nothing to compare: no workload has valid runs on two sides"})}
	}
	return document{comparedAnswer(c), append(pairParts(c, 0, 1), remark(aboutAll(c)...)...)}
}

// comparedAnswer returns the answer of a document about pairs.
func comparedAnswer(all ...finding.Compared) finding.Answer {
	var out finding.Answer
	var views []*finding.PairView
	for _, c := range all {
		for _, a := range judge.Analyzers() {
			if a.AnswerAll != nil {
				out.Add(a.AnswerAll(c))
			}
		}
		for _, p := range c.Pairs {
			views = append(views, compare.View("", p, 0))
		}
	}
	out.Add(compare.Answer(views))
	return out
}

// pairParts returns a part for each pair, whose drawings have IDs from first on.
func pairParts(c finding.Compared, margin float64, first int) []block.Section {
	var out []block.Section
	for i, p := range c.Pairs {
		out = append(out, compare.Section(compare.View(fmt.Sprintf("pair-%d", first+i), p, margin), judge.Analyzers()))
	}
	return out
}

// aboutAll returns the wording of the findings about all sides.
func aboutAll(c finding.Compared) []block.Sentence {
	var out []block.Sentence
	for _, a := range judge.Analyzers() {
		if a.SaysAll != nil {
			out = append(out, block.Of[block.Sentence](a.Worded(a.SaysAll(c)))...)
		}
	}
	return out
}
