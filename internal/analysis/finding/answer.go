package finding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// Answer is the opening of a document: the result, what it rests on, its reason, its cost, the gravest objection to it,
// and the step that would settle it; or a line for each of several workloads. Rooms word their lines; a document shows
// as many results as its lines allow, and of the others the first.
//
// The sentences of a room fall into three groups. The answer holds the result with its percentage and confidence, a
// price if one is known, and a note that weakens the result. Tables hold the figures of each setting and load.
// Everything else is detail: breakdowns, alarms, registrations and the notes on single runs.
type Answer struct {
	Results []Result // the setting or side, its figure and confidence; the most important first
	Reasons []Reason // of the only result; the first is shown
	Costs   []block.Sentence
	Fleets  []block.Sentence // for the demands that a reader stated: each keeps its line, in place of the costs
	Against []Objection      // to the results
	Nexts   []string         // commands and flags that would settle what the results leave open; the first is shown
	Stats   []block.Stat     // the results again, for the cards of a page
	Also    string           // ends the first result, if another room words that

	workloads []int           // results of each of several workloads
	Below     []block.Section // tables that a reader asked for, right below the lines
}

// Result is a line with a result.
type Result struct {
	block.Sentence
	Sure  string // interval and number of runs, for a line below the only result or the end of others; "" if in Text
	Place string // the benchmark among others; "" for the only one

	SureLead string // the name of the interval in Sure; "": 95% CI
}

// Reason is the cause of a result.
type Reason struct {
	Text string
	Next string // the step that removes it or shows more; "" for none
}

// Plainly returns a result that states its confidence itself.
func Plainly(s block.Sentence) Result { return Result{Sentence: s} }

// answerLines is the maximum number of results, costs and objections of an answer about one workload.
const answerLines = 3

// The lead words of the other lines.
const (
	whyLead     = "why"
	costLead    = "cost"
	againstLead = "but"
	nextLead    = "next"
)

// SureLead names the interval of a change by its confidence, a fraction; 0 is 95%.
func SureLead(confidence float64) string {
	return figure.PercentText(cmp.Or(confidence, 1-estimate.Alpha)) + " CI"
}

func (r Result) sureLead() string { return cmp.Or(r.SureLead, SureLead(0)) }

// Why adds a reason of the only result, and the step that follows from it; "" for none.
func (a *Answer) Why(text, next string) { a.Reasons = append(a.Reasons, Reason{text, next}) }

// Next adds a step that would settle a result.
func (a *Answer) Next(text string) {
	if text != "" {
		a.Nexts = append(a.Nexts, text)
	}
}

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
	text := note.Uncapitalized(chief.Text)
	switch everywhere := slices.ContainsFunc(same, func(o Objection) bool { return o.Place == "" }); {
	case everywhere:
	case len(same) > 1:
		text += fmt.Sprintf(" (%s and %d more)", chief.Place, len(same)-1)
	default:
		text += fmt.Sprintf(" (%s)", chief.Place)
	}
	return []block.Sentence{{Lead: againstLead, Tone: block.Warn, Text: text}}
}

// Add adds the lines of another answer.
func (a *Answer) Add(b Answer) {
	a.Results, a.Costs = append(a.Results, b.Results...), append(a.Costs, b.Costs...)
	a.Reasons, a.Fleets = append(a.Reasons, b.Reasons...), append(a.Fleets, b.Fleets...)
	a.Nexts = append(a.Nexts, b.Nexts...)
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
		last = a.Costs[:min(1, len(a.Costs))]
	}
	last = slices.Concat(last, a.gravest())
	most := max(1, answerLines-len(last))
	reasons, nexts := a.Reasons, a.Nexts
	if len(a.Results) > 1 {
		reasons = nil
	}
	if len(reasons) > 0 && len(nexts) == 0 && reasons[0].Next != "" {
		nexts = []string{reasons[0].Next}
	}
	if len(nexts) > 0 {
		last = append(last, block.Sentence{Lead: nextLead, Tone: block.Plain, Text: nexts[0]})
	}
	var out []block.Sentence
	switch {
	case len(a.Results) == 1 && a.Results[0].Sure != "" && a.Results[0].Place == "":
		first := a.Results[0]
		out = []block.Sentence{first.Sentence, {Lead: first.sureLead(), Tone: block.Plain, Text: first.Sure}}
	case len(a.workloads) < 2 || len(a.Results) <= most:
		out = counted(a.Results, most)
	default:
		at := 0
		for _, n := range a.workloads {
			out = append(out, counted(a.Results[at:at+n], 1)...)
			at += n
		}
	}
	if len(reasons) > 0 {
		out = append(out, block.Sentence{Lead: whyLead, Tone: block.Plain, Text: reasons[0].Text})
	}
	return append(out, last...)
}

// moreBelow ends a line that counts the results left out.
const moreBelow = " more below"

// Uncounted returns a line of an answer without the number of the results that are left out.
func Uncounted(line string) string {
	if at := strings.LastIndex(line, "; "); at >= 0 && strings.HasSuffix(line, moreBelow) {
		return line[:at]
	}
	return line
}

// counted returns the first results in a line each, the last of which counts the others.
func counted(all []Result, most int) []block.Sentence {
	out := list.Map(all[:min(most, len(all))], Result.line)
	if left := len(all) - len(out); left > 0 && len(out) > 0 {
		out[len(out)-1].Text += fmt.Sprintf("; %d%s", left, moreBelow)
	}
	return out
}

// line returns a result with its confidence.
func (r Result) line() block.Sentence {
	out := r.Sentence
	if r.Sure != "" {
		out.Text += fmt.Sprintf(" (%s %s)", r.sureLead(), r.Sure)
	}
	out.Text = strings.Join(figure.NonEmpty(out.Text, r.Place), "; ")
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
func IntervalText(s figure.Estimate, u figure.Scale, n int) string {
	if !s.Bounded() {
		return figure.N(n) + ", no interval"
	}
	return fmt.Sprintf("95%% CI: %s, %s", s.Interval(u), figure.N(n))
}

// SureText returns a figure with the half-width of its interval as a percentage, or with the interval if that is wide.
func SureText(s figure.Estimate, u figure.Scale, n int) string {
	switch {
	case !s.Bounded():
		return fmt.Sprintf("%s (%s, no interval)", s.Estimate(u), figure.N(n))
	case *s.Lo <= 0 || s.TooWide(): // a percentage of the estimate would mislead
		return fmt.Sprintf("%s (95%% CI: %s, %s)", s.Estimate(u), s.Interval(u), figure.N(n))
	}
	half := math.Max(*s.Hi/s.Value-1, 1-*s.Lo/s.Value)
	return fmt.Sprintf("%s ±%s%% (95%% CI, %s)", s.Estimate(u), figure.PercentOf(half, 1), figure.N(n))
}
