package crossover

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

func crossingSentence(v *finding.PairView, c Crossing) block.Sentence {
	return block.Sentence{Lead: "crossing", Tone: block.Warn, Text: c.Text(v.LabelA, v.LabelB)}
}

// Text returns a crossing as a sentence.
func (c Crossing) Text(a, b string) string {
	where := finding.Placed(c.Workload, c.Wording.Of(c.Params), c.Load, c.Metric) + figure.PerUnit(c.Per)
	below, above := c.sides(a, b)
	text := fmt.Sprintf("%s is better at low %s, %s at high: they cross between %s", below, c.Axis, above, c.between())
	if c.Runs > 0 {
		return fmt.Sprintf("%s, by estimate %s, no verdict: %s", text, ofRuns(c.Runs), where)
	}
	if len(c.Even) > 0 {
		text += ", and neither is ahead at " + c.places(c.Even...)
	}
	return fmt.Sprintf("%s; no one figure holds for all of it: %s", text, where)
}

// Short returns a crossing in a few words.
func (c Crossing) Short(a, b string) string {
	below, above := c.sides(a, b)
	text := fmt.Sprintf("%s is better at low %s, %s at high: they cross between %s", below, c.Axis, above, c.between())
	if c.Runs > 0 {
		text += ", by estimate " + ofRuns(c.Runs)
	}
	return text
}

// between returns the measured places between which a crossing lies.
func (c Crossing) between() string { return c.places(c.Lo, c.Hi) }

// places returns measured places on the axis: as they were asked for, since nothing is estimated in them.
func (c Crossing) places(all ...float64) string {
	var out []string
	for _, x := range all {
		switch c.Unit {
		case "B":
			out = append(out, record.FormatSize(int64(x)))
		case "s":
			out = append(out, record.FormatDuration(x))
		default:
			out = append(out, figure.Exact(x))
		}
	}
	return figure.Listed(out)
}

// sides returns the sides that are better below and above.
func (c Crossing) sides(a, b string) (below, above string) {
	if c.FromBetter == "b" {
		return b, a
	}
	return a, b
}

// ofRuns names the replicates of each cell of a row that are too few for an interval.
func ofRuns(n int) string { return "of " + figure.RunPerSide.Count(n) }

func onParSentence(v *finding.PairView, o OnPar) block.Sentence {
	lead := "on par"
	switch {
	case len(o.Ahead) > 0:
		lead = "ahead"
	case o.Until == 0:
		lead = "behind"
	}
	return block.Sentence{Lead: lead, Tone: block.Warn, Text: onParText(o, v.LabelA, v.LabelB)}
}

func onParText(o OnPar, a, b string) string {
	weak, strong := a, b
	if o.Side == "b" {
		weak, strong = b, a
	}
	where := finding.Placed(o.Workload, o.Wording.Of(o.Params), "", o.Metric)
	if o.Runs > 0 {
		where += ", by estimate " + ofRuns(o.Runs) + ", no verdict"
	}
	if o.Until == 0 {
		return fmt.Sprintf("%s is behind %s already at %s, the fewest of the numbers up to %d that were measured: %s", weak,
			strong, figure.Count(o.From, "CPU"), o.Of, where)
	}
	behind := fmt.Sprintf("%s first falls behind at %d of %d", weak, o.From, o.Of)
	even := "neither is ahead at " + numbers(o.Even)
	if o.Lead == nil {
		return fmt.Sprintf("of %s and %s %s CPUs; %s: %s", weak, strong, even, behind, where)
	}
	ahead := fmt.Sprintf("%s is ahead of %s at %s, %s", weak, strong, counted(o.Ahead), o.Lead.text(o.Runs == 0))
	if len(o.Even) > 0 {
		ahead += "; " + even
	}
	return fmt.Sprintf("%s; %s: %s", ahead, behind, where)
}

// counted names numbers of CPUs.
func counted(all []int) string {
	if len(all) == 1 {
		return figure.Count(all[0], "CPU")
	}
	return numbers(all) + " CPUs"
}

// numbers lists those that were measured; of many their count and range.
func numbers(all []int) string {
	const many = 8
	if len(all) > many {
		return fmt.Sprintf("%d numbers from %d to %d", len(all), all[0], all[len(all)-1])
	}
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(all)), ", "), "[]")
}

// text returns a lead with its interval, if it has one, as a change for the better.
func (l Lead) text(bounded bool) string {
	by := "estimate " + figure.Percent(l.Ratio)
	if bounded {
		by = figure.PercentSpan(l.Ends())
	}
	return fmt.Sprintf("by %s at %s", by, figure.Count(l.CPUs, "CPU"))
}

func trendSentence(v *finding.PairView, t Trend) block.Sentence {
	return block.Sentence{Lead: "trend", Tone: block.Dim, Text: trendText(t, v.LabelA, v.LabelB)}
}

func trendText(t Trend, a, b string) string {
	where := finding.Placed(t.Workload, t.Wording.Of(t.Params), t.Load, t.Metric)
	from, to := record.FormatSize(int64(t.From)), record.FormatSize(int64(t.To))
	if !t.Bounded() {
		return fmt.Sprintf("%s; by estimate the ratio of %s to %s changes by %s from %s=%s to %s: %s",
			figure.NoInterval(), b, a, figure.Percent(t.Ratio), t.Axis, from, to, where)
	}
	one := figure.Scale{Factor: 1}
	return fmt.Sprintf("%s: from %s=%s to %s the ratio of %s to %s changes by %s, by estimate from %s to %s: %s",
		trendWord(t, a, b), t.Axis, from, to, b, a, figure.PercentSpan(t.Ends()), one.Number(t.First,
			figure.Digits), one.Number(t.Last, figure.Digits), where)
}

// trendWord names a trend that is certain.
func trendWord(t Trend, a, b string) string {
	gains := b
	if t.Ratio < 1 {
		gains = a
	}
	ahead := a
	if t.First > 1 {
		ahead = b
	}
	switch {
	case !t.Excludes(1):
		return "no certain trend with " + t.Axis
	case (t.First > 1) != (t.Last > 1):
		return fmt.Sprintf("%s gains with %s and passes %s", gains, t.Axis, ahead)
	case gains == ahead:
		return "the gap widens with " + t.Axis
	}
	return "the gap narrows with " + t.Axis
}
