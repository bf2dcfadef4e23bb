package finding

import (
	"fmt"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/trialset"
)

// Change is what became of a figure from one side to another, with its verdict, as answers and cards word it.
type Change struct {
	Ratio   figure.Span
	N       int
	Each    string           // the unit of N, in the singular
	Verdict trialset.Verdict // "" without one
	Better  string           // the side that wins, "a" or "b"; "" unless they differ
}

// Line returns a sentence that begins with the verdict on side b.
func (c Change) Line(text string) block.Sentence {
	return block.Sentence{Lead: VerdictWord(c.Verdict, c.Better), Tone: VerdictInk(c.Verdict), Text: text}
}

// Stat returns the card of the change.
func (c Change) Stat(label string) block.Stat {
	out := block.Stat{Label: label, Text: figure.Percent(c.Ratio.Value), Sure: c.Sure(),
		Tag: VerdictWord(c.Verdict, c.Better), Tone: VerdictInk(c.Verdict)}
	if c.Ratio.Bounded() {
		out.Short = c.interval()
	}
	if c.open() {
		out.Text, out.Sure, out.Short = c.interval(), "95% CI, "+figure.Count(c.N, c.Each), ""
	}
	return out
}

// open reports whether the sign of the change is not known: its estimate is then no result, and is not shown.
func (c Change) open() bool { return c.Verdict == trialset.Undecided && c.Ratio.Bounded() }

// Sure returns the interval of the change and what it rests on.
func (c Change) Sure() string {
	count := figure.Count(c.N, c.Each)
	if !c.Ratio.Bounded() {
		return count + ", no interval"
	}
	return fmt.Sprintf("95%% CI: %s, %s", c.interval(), count)
}

func (c Change) interval() string {
	return figure.PercentSpan(*c.Ratio.Lo, *c.Ratio.Hi)
}

// String returns the change in percent with its interval, or the interval alone of a change that is not decided.
func (c Change) String() string {
	if c.open() {
		return fmt.Sprintf("%s (95%% CI, %s)", c.interval(), figure.Count(c.N, c.Each))
	}
	return fmt.Sprintf("%s (%s)", figure.Percent(c.Ratio.Value), c.Sure())
}

// VerdictWord returns a verdict on side b.
func VerdictWord(verdict trialset.Verdict, better string) string {
	switch {
	case better == "a":
		return "worse"
	case better == "b":
		return "better"
	case verdict == trialset.Different:
		return "different"
	case verdict == trialset.Equivalent:
		return "equal"
	case verdict == trialset.Undecided:
		return "undecided"
	}
	return "no verdict"
}

// VerdictInk returns the tone of a verdict.
func VerdictInk(v trialset.Verdict) block.Tone {
	switch v {
	case trialset.Different:
		return block.Strong
	case trialset.Equivalent:
		return block.Good
	case trialset.Undecided:
		return block.Warn
	}
	return block.Dim
}
