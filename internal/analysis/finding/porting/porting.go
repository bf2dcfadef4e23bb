// Package porting words what stands in the way of arm64.
package porting

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/port"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// fewFindings is how many findings of a severity a screen shows.
const fewFindings = 10

// Sections returns what stands in the way of arm64: the answer, a part for each severity, and what is not known.
func Sections(r port.Report, depth block.Depth) []block.Section {
	out := []block.Section{{Blocks: []block.Block{block.Sentence{Text: Answer(r), Tone: block.Strong}}}}
	for _, s := range port.Severities() {
		if part, ok := severityPart(r, s, depth); ok {
			out = append(out, part)
		}
	}
	var notes []block.Block
	add := func(lead, text string) {
		notes = append(notes, block.Sentence{Lead: lead, Tone: block.Dim, Text: text})
	}
	if n := len(r.NotJudged); n > 0 {
		add("not judged", fmt.Sprintf("%s of %d: %s", figure.Count(n, "package"), r.Packages,
			someOf(list.Map(r.NotJudged, unjudgedText), depth)))
	}
	if len(r.LeftOut) > 0 {
		add("left out", someOf(list.Map(r.LeftOut, func(l port.LeftOut) string { return l.File + ": " + l.Why }), depth))
	}
	if n := len(r.Alternatives); n > 0 && !depth.Verbose {
		add("fine", fmt.Sprintf("%s with code for x86 that has its counterpart: -v", figure.Count(n, "file")))
	} else if n > 0 {
		add("fine", someOf(list.Map(r.Alternatives, func(a port.Alternative) string { return a.File + " " + a.Says }), depth))
	}
	if len(notes) > 0 {
		out = append(out, block.Section{Blocks: notes})
	}
	return out
}

func unjudgedText(u port.Unjudged) string {
	return strings.TrimSpace(u.Name+" "+u.Version) + " (" + u.Why + ")"
}

// someOf joins the first of some texts, or all of them with --all.
func someOf(all []string, depth block.Depth) string {
	const few = 5
	if len(all) <= few || depth.All {
		return strings.Join(all, "; ")
	}
	return fmt.Sprintf("%s; and %d more: --all", strings.Join(all[:few], "; "), len(all)-few)
}

// Answer says in a sentence what stands in the way of arm64.
func Answer(r port.Report) string {
	var said []string
	for _, s := range port.Severities() {
		switch n := r.Count(s); {
		case n == 0:
		case s == port.WorthChecking:
			said = append(said, figure.Count(n, "thing")+" worth checking")
		case s == port.RunsSlowly && n > 1:
			said = append(said, fmt.Sprintf("%d run slowly", n))
		case s == port.RunsSlowly:
			said = append(said, "1 runs slowly")
		default:
			said = append(said, fmt.Sprintf("%s %s", figure.Count(n, "thing"), s))
		}
	}
	if len(said) == 0 {
		said = []string{"nothing known stands in the way of arm64"}
	} else {
		said[0] += " on arm64"
	}
	what := figure.Count(r.Files, "file") + " read"
	if r.Packages > 0 {
		what += ", " + figure.Count(r.Packages, "package")
	}
	return fmt.Sprintf("%s: %s; %s", r.Name, strings.Join(said, ", "), what)
}

func severityPart(r port.Report, s port.Severity, depth block.Depth) (block.Section, bool) {
	found := list.Filter(r.Findings, func(f port.Finding) bool { return f.Severity == s })
	if len(found) == 0 {
		return block.Section{}, false
	}
	t := block.NewTable(block.Column{Name: "where"}, block.Column{Name: "what"})
	t.Keys = 1
	shown := found
	if !depth.All {
		shown = found[:min(len(found), fewFindings)]
	}
	var remedies block.Gathered
	for _, f := range shown {
		t.Rows = append(t.Rows, []block.Cell{{Text: placeOf(f), Tone: toneOf(s)}, {Text: SaysOf(f)}})
		remedies.Add(f.Remedy, "")
	}
	part := block.Section{Title: string(s), Level: block.PartLevel, Blocks: []block.Block{t}}
	for _, one := range remedies.Texts() {
		part.Blocks = append(part.Blocks, block.Sentence{Lead: "remedy", Text: one})
	}
	if more := len(found) - len(shown); more > 0 {
		part.Blocks = append(part.Blocks, block.Sentence{Text: fmt.Sprintf("%d more: --all", more)})
	}
	return part, true
}

// placeOf names the line of a finding.
func placeOf(f port.Finding) string {
	if f.Line == 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// SaysOf says what is found, with its source.
func SaysOf(f port.Finding) string {
	text := f.Says
	if f.More > 0 {
		text += fmt.Sprintf(" (and %s)", figure.Count(f.More, "more line"))
	}
	if f.Source != "" {
		text += " [" + f.Source + "]"
	}
	return text
}

func toneOf(s port.Severity) block.Tone {
	switch s {
	case port.WillNotBuild, port.WillNotRun:
		return block.Bad
	case port.RunsSlowly:
		return block.Warn
	}
	return block.Plain
}
