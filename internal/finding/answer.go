package finding

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/list"
)

// Answer is the opening of a document: one to three lines with the result, its cost and the chief objection to it, or a
// line for each of several workloads, and these. Rooms word their lines; a document shows as many results as its lines
// allow, and of the others the first.
//
// The sentences of a room fall into three groups. The answer holds the result with its percentage and confidence, a
// price if one is known, and a note that weakens the result. Tables hold the figures of each setting and load.
// Everything else is detail: breakdowns, alarms, registrations and the notes on single runs.
type Answer struct {
	Results []block.Sentence // the setting or side, its figure and confidence; the most important first
	Costs   []block.Sentence
	Fleets  []block.Sentence // for the demands that a reader stated: each keeps its line, in place of the costs
	Against []block.Sentence // objections to the results
	Stats   []block.Stat     // the results again, for the cards of a page
	Also    string           // ends the first result, if another room words that

	workloads []int           // results of each of several workloads
	Below     []block.Section // tables that a reader asked for, right below the lines
}

// answerLines is the maximum number of lines of an answer about one workload.
const answerLines = 3

// The lead words of the lines that are no result.
const (
	costLead    = "cost"
	againstLead = "but"
)

// Cost adds a sentence on money.
func (a *Answer) Cost(text string) {
	a.Costs = append(a.Costs, block.Sentence{Lead: costLead, Tone: block.Plain, Text: text})
}

// Fleet adds a sentence on the fleet for a demand.
func (a *Answer) Fleet(text string) {
	a.Fleets = append(a.Fleets, block.Sentence{Lead: costLead, Tone: block.Plain, Text: text})
}

// mostObjection is the width of an objection. The notes below an answer have it in full.
const mostObjection = 72

// Object adds an objection, unless it is there.
func (a *Answer) Object(text string) {
	text = opening(block.Clean(text), mostObjection)
	a.Against = block.Unique(append(a.Against, block.Sentence{Lead: againstLead, Tone: block.Warn, Text: text}))
}

// opening returns the clauses with which a text begins and which fit; if not even the first one fits, its words.
func opening(text string, width int) string {
	for text := text; ; {
		if block.DisplayWidth(text) <= width {
			return text
		}
		end := -1
		for _, mark := range []string{", ", "; ", ": ", " ("} {
			end = max(end, strings.LastIndex(text, mark))
		}
		if end < 0 || !strings.Contains(text[:end], " ") {
			break
		}
		text = text[:end]
	}
	cut := strings.TrimSuffix(block.Cut(text, width), "...")
	if end := strings.LastIndex(cut, " "); end > 0 {
		cut = cut[:end]
	}
	return cut + " ..."
}

// Add adds the lines of another answer.
func (a *Answer) Add(b Answer) {
	a.Results, a.Costs = append(a.Results, b.Results...), append(a.Costs, b.Costs...)
	a.Fleets = append(a.Fleets, b.Fleets...)
	a.Stats = append(a.Stats, b.Stats...)
	a.Against, a.Below = block.Unique(append(a.Against, b.Against...)), append(a.Below, b.Below...)
}

// AddWorkload adds the lines of one of several workloads. Each of them keeps a line.
func (a *Answer) AddWorkload(b Answer) {
	a.Add(b)
	a.workloads = append(a.workloads, len(b.Results))
}

// Lines returns the lines to show. Results and objections that are left out are counted.
func (a Answer) Lines() []block.Sentence {
	if len(a.Results) == 0 {
		return nil
	}
	last := slices.Clone(a.Fleets)
	if len(last) == 0 {
		last = counted(a.Costs, 1, "")
	}
	last = slices.Concat(last, counted(a.Against, 1, "more below"))
	most := max(1, answerLines-len(last))
	if len(a.workloads) < 2 || len(a.Results) <= most {
		return append(counted(a.Results, most, "more below"), last...)
	}
	var out []block.Sentence
	at := 0
	for _, n := range a.workloads {
		out = append(out, counted(a.Results[at:at+n], 1, "more below")...)
		at += n
	}
	return append(out, last...)
}

// counted returns the first sentences, the last of which counts the others if there is a word for them.
func counted(all []block.Sentence, most int, word string) []block.Sentence {
	if len(all) <= most {
		return all
	}
	out := append([]block.Sentence{}, all[:most]...)
	if word != "" {
		out[most-1].Text += fmt.Sprintf("; %d %s", len(all)-most, word)
	}
	return out
}

// Opening returns the sections that open a document: the lines, and what is below.
func (a Answer) Opening() []block.Section { return append(a.Lead(), a.Below...) }

// Lead returns the section of the lines; none without a result.
func (a Answer) Lead() []block.Section {
	lines := a.Lines()
	if len(lines) == 0 {
		return nil
	}
	return []block.Section{
		{Class: block.Verdicts, Blocks: list.Map(lines, func(s block.Sentence) block.Block { return s })}}
}

// IntervalText returns the interval of a figure and the number of runs that it rests on, for a card.
func IntervalText(s figure.Span, u figure.Scale, n int) string {
	if !s.Bounded() {
		return fmt.Sprintf("n %d, no interval", n)
	}
	return fmt.Sprintf("95 %%: %s, n %d", s.Interval(u), n)
}

// SureText returns a figure with the half-width of its interval as a percentage; the interval itself if that is wide.
func SureText(s figure.Span, u figure.Scale, n int) string {
	switch {
	case !s.Bounded():
		return fmt.Sprintf("%s (n %d, no interval)", s.Estimate(u), n)
	case *s.Lo <= 0 || s.TooWide(): // a percentage of the estimate would mislead
		return fmt.Sprintf("%s (95 %%, n %d)", s.Interval(u), n)
	}
	half := math.Max(*s.Hi/s.Value-1, 1-*s.Lo/s.Value)
	return fmt.Sprintf("%s ±%s %% (95 %%, n %d)", s.Estimate(u), figure.PercentOf(half, 1), n)
}
