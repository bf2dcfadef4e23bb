package finding

import (
	"fmt"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Change is a figure's change from one side to another, with its verdict, as answers and cards word it.
type Change struct {
	figure.Claim                  // its subject is side b
	Verdict      trialset.Verdict // "" without one
	Better       string           // the side that wins, "a" or "b"; "" unless they differ
	Values       string           // the figures of both sides, the baseline's last; "" if they aren't known
	Place        string           // the benchmark among others; "" for the only one
}

// The words of verdicts as answers have them: those for time and speed, and for all else.
const (
	Faster       = "FASTER"
	Slower       = "SLOWER"
	Better       = "BETTER"
	Worse        = "WORSE"
	Equal        = "EQUAL"
	Unlike       = "DIFFERENT" // which side is better is not known
	Inconclusive = "INCONCLUSIVE"
	Mixed        = "MIXED" // several verdicts
)

// Word returns the verdict on side b.
func (c Change) Word() string {
	switch {
	case c.Better == "a" && c.Timed():
		return Slower
	case c.Better == "a":
		return Worse
	case c.Better == "b" && c.Timed():
		return Faster
	case c.Better == "b":
		return Better
	case c.Verdict == trialset.Different:
		return Unlike
	case c.Verdict == trialset.Equivalent:
		return Equal
	}
	return Inconclusive
}

// Line returns a sentence that begins with the verdict on side b.
func (c Change) Line(text string) block.Sentence {
	return block.Sentence{Lead: c.Word(), Tone: VerdictInk(c.Verdict), Text: text}
}

// Result returns the change as the first sentence of an answer, with the figures of both sides.
func (c Change) Result() Result {
	text, basis := c.Phrase()
	sure := ""
	if c.settled() {
		sure = basis
	} else {
		text += " (" + basis + ")"
	}
	if c.Values != "" {
		text += ": " + c.Values
	}
	return Result{Sentence: c.Line(text), Sure: sure, SureLead: c.SureLead(), Place: c.Place}
}

// SureLead names the interval: its confidence is what the error rate of the plan leaves.
func (c Change) SureLead() string { return SureLead(c.Confidence) }

// settled reports whether the change has a verdict that its estimate expresses, with an interval.
func (c Change) settled() bool { return c.Ratio.Bounded() && !c.open() }

// Phrase returns the change as a sentence, and its interval and number of runs. A change that is left open is the
// interval itself.
func (c Change) Phrase() (text, basis string) {
	count := c.Each.Count(c.N)
	switch r := c.Ratio; {
	case c.open():
		return c.Headline(figure.Possible, *r.Lo, *r.Hi), c.SureLead() + ", " + count
	case !r.Bounded():
		return c.Headline(figure.Observed, r.Value, r.Value), count
	case c.Verdict == trialset.Equivalent:
		text = c.Alike()
	case c.Verdict == "":
		text = c.Headline(figure.Observed, r.Value, r.Value)
	default:
		text = c.Headline(figure.Proved, r.Value, r.Value)
	}
	return text, c.bounds() + ", " + count
}

// bounds returns the interval of the change, as ratios if the headline has one.
func (c Change) bounds() string {
	r := c.Ratio
	switch {
	case r.Value >= figure.ManyTimes:
		return figure.Factor(*r.Lo) + " to " + figure.Factor(*r.Hi)
	case r.Value*figure.ManyTimes <= 1:
		return figure.Factor(1 / *r.Hi) + " to " + figure.Factor(1 / *r.Lo)
	}
	return c.interval()
}

// Stat returns the card of the change.
func (c Change) Stat(label string) block.Stat {
	out := block.Stat{Label: label, Text: figure.Percent(c.Ratio.Value), Sure: c.Sure(), Tag: c.Word(),
		Tone: VerdictInk(c.Verdict)}
	if c.Ratio.Bounded() {
		out.Short = c.interval()
	}
	if c.open() {
		out.Text, out.Sure, out.Short = c.interval(), c.SureLead()+", "+c.Each.Count(c.N), ""
	}
	return out
}

// open reports whether the sign of the change is not known: its estimate is then no result, and is not shown.
func (c Change) open() bool { return c.Verdict == trialset.Undecided && c.Ratio.Bounded() }

// Sure returns the interval of the change and what it rests on.
func (c Change) Sure() string {
	count := c.Each.Count(c.N)
	if !c.Ratio.Bounded() {
		return count + ", no interval"
	}
	return fmt.Sprintf("%s: %s, %s", c.SureLead(), c.interval(), count)
}

func (c Change) interval() string {
	return figure.PercentSpan(c.Ratio.Ends())
}

// VerdictWord returns a verdict on side b as a word of documents: better, worse, different, equal, undecided.
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
