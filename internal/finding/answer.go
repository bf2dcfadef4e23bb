package finding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/list"
	"plimsoll/internal/note"
)

// Answer is the opening of a document: one to three lines with the result, its cost and the gravest objection to it, or
// a line for each of several workloads, and these. Rooms word their lines; a document shows as many results as its
// lines allow, and of the others the first.
//
// The sentences of a room fall into three groups. The answer holds the result with its percentage and confidence, a
// price if one is known, and a note that weakens the result. Tables hold the figures of each setting and load.
// Everything else is detail: breakdowns, alarms, registrations and the notes on single runs.
type Answer struct {
	Results []block.Sentence // the setting or side, its figure and confidence; the most important first
	Costs   []block.Sentence
	Fleets  []block.Sentence // for the demands that a reader stated: each keeps its line, in place of the costs
	Against []Objection      // to the results
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

// Objection is a sentence that may change an answer.
type Objection struct {
	Text    string // without full stop
	Place   string // the benchmark or side that it is about; "" for all
	Gravity note.Gravity
	Size    float64 // among those of its gravity
}

// ObjectionBy returns the objection that a note makes about a place.
func ObjectionBy(n note.Note, place string) Objection {
	return Objection{Text: n.Headline(), Place: place, Gravity: n.Gravity(), Size: n.Size()}
}

// Object adds an objection, unless it can change nothing or is there.
func (a *Answer) Object(o Objection) {
	o.Text, o.Place = block.Clean(o.Text), block.Clean(o.Place)
	if o.Gravity != note.Harmless && !slices.Contains(a.Against, o) {
		a.Against = append(a.Against, o)
	}
}

// gravest returns the line of the objection that can change the answer most; of several equal ones, that of the largest
// size, and of these the first. What applies to several places is said once.
func (a Answer) gravest() []block.Sentence {
	if len(a.Against) == 0 {
		return nil
	}
	chief := slices.MinFunc(a.Against, func(x, y Objection) int {
		return cmp.Or(cmp.Compare(y.Gravity, x.Gravity), cmp.Compare(y.Size, x.Size))
	})
	same := list.Filter(a.Against, func(o Objection) bool { return o.Text == chief.Text })
	text := uncapitalized(chief.Text)
	switch everywhere := slices.ContainsFunc(same, func(o Objection) bool { return o.Place == "" }); {
	case everywhere:
	case len(same) > 1:
		text += fmt.Sprintf(" (%s and %d more)", chief.Place, len(same)-1)
	default:
		text += fmt.Sprintf(" (%s)", chief.Place)
	}
	return []block.Sentence{{Lead: againstLead, Tone: block.Warn, Text: text}}
}

// uncapitalized returns a sentence as it continues a line, unless its first word is an abbreviation.
func uncapitalized(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if second, _ := utf8.DecodeRuneInString(text[n:]); unicode.IsUpper(second) {
		return text
	}
	return string(unicode.ToLower(first)) + text[n:]
}

// Add adds the lines of another answer.
func (a *Answer) Add(b Answer) {
	a.Results, a.Costs = append(a.Results, b.Results...), append(a.Costs, b.Costs...)
	a.Fleets = append(a.Fleets, b.Fleets...)
	a.Stats = append(a.Stats, b.Stats...)
	for _, o := range b.Against {
		a.Object(o)
	}
	a.Below = append(a.Below, b.Below...)
}

// AddWorkload adds the lines of one of several workloads. Each of them keeps a line.
func (a *Answer) AddWorkload(b Answer) {
	a.Add(b)
	a.workloads = append(a.workloads, len(b.Results))
}

// Lines returns the lines to show. Results that are left out are counted.
func (a Answer) Lines() []block.Sentence {
	if len(a.Results) == 0 {
		return nil
	}
	last := slices.Clone(a.Fleets)
	if len(last) == 0 {
		last = counted(a.Costs, 1, "")
	}
	last = slices.Concat(last, a.gravest())
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
		return fmt.Sprintf("n=%d, no interval", n)
	}
	return fmt.Sprintf("95%% CI: %s, n=%d", s.Interval(u), n)
}

// SureText returns a figure with the half-width of its interval as a percentage; the interval itself if that is wide.
func SureText(s figure.Span, u figure.Scale, n int) string {
	switch {
	case !s.Bounded():
		return fmt.Sprintf("%s (n=%d, no interval)", s.Estimate(u), n)
	case *s.Lo <= 0 || s.TooWide(): // a percentage of the estimate would mislead
		return fmt.Sprintf("%s (95%% CI, n=%d)", s.Interval(u), n)
	}
	half := math.Max(*s.Hi/s.Value-1, 1-*s.Lo/s.Value)
	return fmt.Sprintf("%s ±%s%% (95%% CI, n=%d)", s.Estimate(u), figure.PercentOf(half, 1), n)
}
