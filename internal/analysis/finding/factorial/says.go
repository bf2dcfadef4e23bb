package factorial

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// shows returns the sentences and the plots of the factorials of a view.
func shows(v *finding.View) []block.Block {
	var said, plots []block.Block
	for _, c := range v.Cells {
		a := KindAttribution.Of(c)
		if a == nil {
			continue
		}
		where := attributedPlace(v, c, *a)
		one := finding.Blocks(oneAttribution(c, *a, where))
		if !c.Primary {
			one = block.Details(one)
		}
		said = append(said, one...)
		if a.Total != nil {
			title := strings.Join(
				figure.NonEmpty(fmt.Sprintf("%s, %s: what each factor does of the change", c.Workload, c.Metric), where), ", ")
			plots = append(plots, sharePlot(fmt.Sprintf("%s-factors-%d", v.ID, len(plots)+1), title, *a, c.Better))
		}
	}
	return append(said, plots...)
}

// attributedPlace names a cell without the levels of the factorial's factors; "" if nothing else tells it from others.
func attributedPlace(v *finding.View, c finding.Cell, a Attribution) string {
	for _, f := range a.Factors {
		c = c.Without(f.Factor)
	}
	c.Load = ""
	return v.Place(c)
}

// oneAttribution returns the sentences of one factorial: the total, each factor's share, and the interactions.
func oneAttribution(c finding.Cell, a Attribution, where string) []block.Sentence {
	if where != "" {
		where = strings.TrimSuffix(where, ", ") + ": "
	}
	head := fmt.Sprintf("%s%s by %s: %s", where, c.Metric, factorsText(a.Factors), designText(a.Design, a.Relation))
	if a.Total == nil {
		return append([]block.Sentence{{Lead: "factors", Tone: block.Strong, Text: head}}, finding.Doubts("", a.Doubts)...)
	}
	head += fmt.Sprintf(", %s, runs scatter by %s%%", figure.Count(a.Blocks, "block"), figure.PercentOf(a.SD, 1))
	out := []block.Sentence{{Lead: "factors", Tone: block.Strong, Text: head},
		{Lead: "total", Tone: block.Strong, Text: "all at the second level against all at the first: " +
			changeText(*a.Total, c.Better)}}
	for _, s := range a.Shares {
		out = append(out, block.Sentence{Lead: "share", Tone: block.Plain, Text: factorShareText(s, c.Better)})
	}
	out = append(out, interactionNotes(a.Interactions, c.Better, "")...)
	return append(out, finding.Doubts("", a.Doubts)...)
}

func factorsText(factors []TwoLevels) string {
	var out []string
	for _, f := range factors {
		out = append(out, fmt.Sprintf("%s (%s to %s)", f.Factor, f.From, f.To))
	}
	return strings.Join(out, ", ")
}

func designText(design, relation string) string {
	if relation == "" {
		return design
	}
	return fmt.Sprintf("%s, %s of the factors A to D as they stand here: a share holds if no three interact", design,
		relation)
}

// changeText puts an interval of ratios into words.
func changeText(s Share, better record.Better) string {
	return changeWords(s.Bounds, better)
}

func changeWords(ratio figure.Bounds, better record.Better) string {
	lo, hi := ratio.Ends()
	if lo >= figure.ManyTimes {
		return figure.Factors(lo, hi) + " as much"
	}
	more, less := changeNames(better)
	return figure.Percents(lo, hi, more, less)
}

func changeNames(better record.Better) (more, less string) {
	if better == record.Higher {
		return "more", "less"
	}
	return "higher", "lower"
}

func factorShareText(s Share, better record.Better) string {
	text := strings.Join(s.Factors, " x ") + ": " + changeText(s, better)
	if s.OfTotal != nil {
		text += ", " + ofTotal(*s.OfTotal, "the total")
	}
	return text
}

// ofTotal words a part of a total; one that is more than all of it, since others go against it, as a multiple.
func ofTotal(part float64, total string) string {
	const overAll = 1.005 // from which it does not round to 100%
	if part >= overAll {
		return fmt.Sprintf("%s times %s", figure.Fixed(part, 2), total)
	}
	return fmt.Sprintf("%s%% of %s", figure.Fixed(100*part, 0), total)
}

// interactionNotes say every interaction whose interval excludes 1, and of the others how many there are and how large
// they may be.
func interactionNotes(all []Share, better record.Better, with string) []block.Sentence {
	var out []block.Sentence
	var others []Share
	for _, x := range all {
		if !x.Excludes(1) {
			others = append(others, x)
			continue
		}
		out = append(out, block.Sentence{Lead: "together", Tone: block.Strong,
			Text: fmt.Sprintf("%s: %s beyond what they do apart", crossText(x, with), changeText(x, better))})
	}
	if len(others) == 0 {
		return out
	}
	var names []string
	lo, hi := 1.0, 1.0
	for _, x := range others {
		names = append(names, crossText(x, with))
		least, most := x.Ends()
		lo, hi = min(lo, least), max(hi, most)
	}
	const few = 3
	text := strings.Join(names, ", ")
	if len(names) > few {
		text = fmt.Sprintf("%d of the %d interactions", len(names), len(all))
	}
	more, less := changeNames(better)
	return append(out, block.Sentence{Lead: "together", Tone: block.Dim,
		Text: fmt.Sprintf("%s: not significant; at most %s%% %s or %s%% %s", text, figure.PercentOf(1-lo, 1), less,
			figure.PercentOf(hi-1, 1), more)})
}

// crossText names an interaction, and those that cannot be told from it.
func crossText(x Share, with string) string {
	text := strings.Join(figure.NonEmpty(append([]string{with}, x.Factors...)...), " x ")
	if len(x.Alias) > 0 {
		text += " or " + strings.Join(figure.NonEmpty(append([]string{with}, x.Alias...)...), " x ")
	}
	return text
}

// gapsSaid returns the sentences about the gap between two machines: the part of each factor in it.
func gapsSaid(v *finding.PairView) []block.Block {
	var out []block.Sentence
	for _, m := range KindByFactor.All(v) {
		params := m.Wording.Of(m.Params)
		for _, f := range m.Factors {
			delete(params, strings.TrimPrefix(f.Factor, m.Workload+"."))
		}
		head := fmt.Sprintf("machine x factor, %s by %s: ",
			strings.Join(figure.NonEmpty(m.Workload, finding.ParamsText(params), m.Load, m.Metric), ", "),
			factorsText(m.Factors))
		if m.Change == nil {
			out = append(out, factorSentence("factors", head+"not known"))
		} else {
			out = append(out, factorSentence("factors", head+designText(m.Design, m.Relation)+", "+blocksText(m)))
			out = append(out, gapNotes(m, v.A, v.B)...)
		}
		out = append(out, finding.Doubts("", m.Doubts)...)
	}
	return finding.Blocks(out)
}

func factorSentence(lead, text string) block.Sentence {
	return block.Sentence{Lead: lead, Tone: block.Strong, Text: text}
}

func blocksText(m MachineByFactor) string {
	if m.Paired {
		return figure.Count(m.BlocksA, "block") + " on both machines side by side"
	}
	return fmt.Sprintf("%d and %d blocks", m.BlocksA, m.BlocksB)
}

func gapNotes(m MachineByFactor, a, b string) []block.Sentence {
	var out []block.Sentence
	for _, g := range []*Gap{m.First, m.Last} {
		if g == nil {
			continue
		}
		var at []string
		for i, l := range g.Levels {
			at = append(at, m.Factors[i].Factor+"="+l)
		}
		out = append(out, block.Sentence{Lead: "gap", Tone: block.Plain,
			Text: fmt.Sprintf("at %s, %s against %s: %s", strings.Join(at, " "), b, a, changeWords(g.Bounds, m.Better))})
	}
	out = append(out, block.Sentence{Lead: "gap", Tone: block.Strong,
		Text: "from the first to the last of these it changes by " + changeText(*m.Change, m.Better) + ", of which"})
	for _, s := range m.Shares {
		name := s
		name.Factors = append([]string{"machine"}, s.Factors...)
		text := factorShareText(name, m.Better)
		if !s.Excludes(1) {
			text += ": not significant"
		}
		out = append(out, block.Sentence{Lead: "share", Tone: block.Plain, Text: text})
	}
	return append(out, interactionNotes(m.Interactions, m.Better, "machine")...)
}

// sharePlot draws the shares of a factorial with their intervals, from no change on; the total is the first row.
func sharePlot(id, title string, a Attribution, better record.Better) block.Plot {
	rows := []labelled{{"total", *a.Total}}
	for _, s := range a.Shares {
		rows = append(rows, labelled{strings.Join(s.Factors, " x "), s})
	}
	for _, x := range a.Interactions {
		if x.Excludes(1) {
			rows = append(rows, labelled{"together beyond apart: " + crossText(x, ""), x})
		}
	}
	values := []float64{1}
	for _, r := range rows {
		values = append(values, r.Around(r.Ratio).Values()...)
	}
	ax, _ := figure.NewAxis(values)
	p := block.Plot{ID: id, Whiskers: true, Title: title, Scale: ax, Unit: figure.Scale{Factor: 1},
		Axis: "ratio of the second level to the first; shares multiply to the total", One: new(1.0)}
	if ax.Log {
		p.Axis += ", logarithmic"
	}
	for _, r := range rows {
		row := block.IntervalRow(r.Around(r.Ratio))
		row.Foot = new(1.0)
		row.Label, row.Figure = r.label, changeText(r.Share, better)
		if r.OfTotal != nil {
			row.Figure += ", " + ofTotal(*r.OfTotal, "it")
		}
		p.Rows = append(p.Rows, row)
	}
	p.Desc = block.DescribeRows(p.Rows)
	return p
}

// labelled is a row of a chart of shares.
type labelled struct {
	label string
	Share
}
