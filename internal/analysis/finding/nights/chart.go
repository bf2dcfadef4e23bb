package nights

import (
	"fmt"
	"math"

	"plimsoll/internal/analysis/history"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

const (
	mostDrawn = 40 // histories on a page
	mostWords = 6  // nights of a drawing that are named for what changed
	mostTicks = 6  // dates below a drawing
)

// drawings returns a drawing of each history, those with suspected changes first.
func drawings(d history.Document, drawn bool) block.Section {
	out := block.Section{Title: "Over time", Level: block.PartLevel}
	if !drawn {
		return out
	}
	names := shortNames(d)
	for i, h := range d.Histories[:min(mostDrawn, len(d.Histories))] {
		if ch, ok := chartOf(h, names[keyOf(h)], fmt.Sprintf("history-%d", i+1)); ok {
			out.Blocks = append(out.Blocks, ch)
		}
	}
	if more := len(d.Histories) - mostDrawn; more > 0 {
		out.Blocks = append(out.Blocks, block.Sentence{Tone: block.Dim,
			Text: fmt.Sprintf("%s more: --benchmark draws those of a name", countOf(more))})
	}
	return out
}

// chartOf draws the nights of a history over days, the levels between suspected changes, and the nights at which the
// machine changed.
func chartOf(h history.History, name, id string) (block.Chart, bool) {
	at := daysOf(h)
	spans := spansOf(h)
	lo, hi, ok := rangeOf(spans)
	if !ok {
		return block.Chart{}, false
	}
	u := scaleOf(h, hi)
	ch := block.Chart{ID: id, Title: name + " on " + h.Machine,
		Hint: "a whisker is a 95% CI; dashed: the levels between suspected changes; named: nights at which the " +
			"machine changed",
		Desc: fmt.Sprintf("%s, %s, against %s", figure.Count(len(h.Nights), "night"),
			figure.Count(len(h.Changes), "suspected change"), againstText(h))}
	ch.X = block.Axis{Name: "night", Lo: block.Number(at[0] - .5), Hi: block.Number(at[len(at)-1] + .5),
		Ticks: ticksOf(h, at)}
	ch.Y = block.Axis{Name: yName(h), Unit: u.Unit, Lo: block.Number(lo / u.Factor), Hi: block.Number(hi / u.Factor)}
	nights := block.Line{Name: h.Metric, Shape: block.Shapes()[0], Group: -1}
	words := 0
	for i, n := range h.Nights {
		nights.Add(at[i], spans[i], u, tipOf(h, i))
		if len(n.Changed) > 0 && words < mostWords && figure.IsFinite(spans[i].Value) {
			words++
			nights.Notes = append(nights.Notes,
				block.Word{X: block.Number(at[i]), Y: block.Number(spans[i].Value / u.Factor), Text: shortMark(n.Changed)})
		}
	}
	ch.Lines = append(levelsOf(h, at, u), nights)
	return ch, true
}

func yName(h history.History) string {
	if h.Control != nil {
		return "ratio to the control"
	}
	return h.Metric
}

// leastApart is the distance, in days, at which a drawing keeps the nights of one day apart.
const leastApart = .5

// daysOf returns the days of nights since the first; nights of one day, and undated ones, keep their order.
func daysOf(h history.History) []float64 {
	out := make([]float64, len(h.Nights))
	first, err := record.ParseTime(h.Nights[0].Began)
	for i, n := range h.Nights {
		t, terr := record.ParseTime(n.Began)
		if err != nil || terr != nil {
			out[i] = float64(i)
			continue
		}
		out[i] = t.Sub(first).Hours() / 24
		if i > 0 {
			out[i] = max(out[i], out[i-1]+leastApart)
		}
	}
	return out
}

// spansOf returns what is drawn of each night: its ratio to the control, if there is one, else its estimate.
func spansOf(h history.History) []figure.Estimate {
	out := make([]figure.Estimate, len(h.Nights))
	for i, n := range h.Nights {
		switch {
		case h.Control == nil:
			out[i] = n.Estimate
		case n.Ratio == nil:
			out[i] = figure.Estimate{Value: math.NaN()}
		default:
			out[i] = n.Ratio.Estimate
		}
	}
	return out
}

// rangeOf returns the ends of the vertical axis: a tenth of the middle at least, so that noise stays as small as it is.
func rangeOf(spans []figure.Estimate) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range spans {
		for _, v := range s.Values() {
			if figure.IsFinite(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if lo > hi {
		return 0, 0, false
	}
	middle := (lo + hi) / 2
	half := max(.6*(hi-lo), .05*math.Abs(middle))
	if half == 0 {
		half = 1
	}
	if lo >= 0 {
		return max(0, middle-half), middle + half, true
	}
	return middle - half, middle + half, true
}

// levelsOf returns the levels between suspected changes; none without a change.
func levelsOf(h history.History, at []float64, u figure.Scale) []block.Line {
	var out []block.Line
	from := 0
	level := func(to int, v float64) {
		y := block.Number(v / u.Factor)
		out = append(out, block.Line{Name: "level", Group: -1, Dash: 1, Joined: true, Colour: 1,
			X: []block.Number{block.Number(at[from]), block.Number(at[to])}, Y: []block.Number{y, y}})
	}
	for i, c := range h.Changes {
		level(c.At-1, c.Before)
		from = c.At
		if i == len(h.Changes)-1 {
			level(len(at)-1, c.After)
		}
	}
	return out
}

// ticksOf returns dates of some nights.
func ticksOf(h history.History, at []float64) []block.Tick {
	var out []block.Tick
	step := max(1, (len(at)+mostTicks-1)/mostTicks)
	for i := 0; i < len(at); i += step {
		if text := day(h.Nights[i].Began); len(out) == 0 || out[len(out)-1].Text != text {
			out = append(out, block.Tick{At: block.Number(at[i]), Text: text})
		}
	}
	return out
}

func tipOf(h history.History, i int) string {
	n := h.Nights[i]
	u := valueScale(h, n.Value)
	ratio, sure := ratioTexts(n.Ratio)
	return figure.Joined(day(n.Began), u.Text(n.Value, figure.FineDigits), ratio, sure, nightWords(h, i))
}

// shortMark names the first thing that changed.
func shortMark(changed []string) string {
	for i, c := range changed[0] {
		if c == ':' && i > 0 {
			return changed[0][:i]
		}
	}
	return changed[0]
}
