package crossover

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

func crossingSentence(v *finding.PairView, c Crossing) block.Sentence {
	return block.Sentence{Lead: "crossing", Tone: block.Warn, Text: c.Text(v.LabelA, v.LabelB)}
}

// Text returns a crossing as a sentence.
func (c Crossing) Text(a, b string) string {
	where := finding.Placed(c.Workload, c.Wording.Of(c.Params), c.Load, c.Metric) + figure.PerUnit(c.Per)
	below, above := c.sides(a, b)
	if c.Runs > 0 {
		return fmt.Sprintf("%s is better at low %s, %s at high, by estimate from %s on; %s, so no interval and "+
			"no verdict: %s",
			below, c.Axis, above, c.estimate(), ofRuns(c.Runs), where)
	}
	u := figure.PlaceScale(c.Unit, c.Lo, c.Hi)
	s := figure.Span{Value: c.At, Lo: &c.Lo, Hi: &c.Hi}
	return fmt.Sprintf("%s is better at low %s, %s at high: on par from %s, by estimate at %s; no one figure holds for "+
		"all of it: %s",
		below, c.Axis, above, s.Interval(u), s.Estimate(u), where)
}

// Short returns a crossing in a few words.
func (c Crossing) Short(a, b string) string {
	below, above := c.sides(a, b)
	if c.Runs > 0 {
		return fmt.Sprintf("%s is better below %s %s, %s above, by estimate %s", below, c.estimate(), c.Axis, above,
			ofRuns(c.Runs))
	}
	at := figure.Span{Value: c.At, Lo: &c.Lo, Hi: &c.Hi}
	return fmt.Sprintf("%s is better below %s %s, %s above", below, at.Interval(figure.PlaceScale(c.Unit, c.Lo, c.Hi)),
		c.Axis, above)
}

// sides returns the sides that are better below and above.
func (c Crossing) sides(a, b string) (below, above string) {
	if c.FromBetter == "b" {
		return b, a
	}
	return a, b
}

func (c Crossing) estimate() string {
	return figure.Span{Value: c.At}.Estimate(figure.PlaceScale(c.Unit, c.At, c.At))
}

// ofRuns names the replicates of each cell of a row that are too few for an interval.
func ofRuns(n int) string {
	if n == 1 {
		return "of one run a cell"
	}
	return fmt.Sprintf("of %d runs a cell", n)
}

func onParSentence(v *finding.PairView, o OnPar) block.Sentence {
	lead := "on par"
	if len(o.Ahead) > 0 {
		lead = "ahead"
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
		return fmt.Sprintf("%s falls behind %s at every number of CPUs up to %d: %s", weak, strong, o.Of, where)
	}
	if o.Lead != nil {
		return fmt.Sprintf("%s is ahead of %s %s, %s, and falls behind beyond %d of %d: %s", weak, strong, o.aheadAt(),
			o.Lead.text(o.Runs == 0), o.Until, o.Of, where)
	}
	return fmt.Sprintf("%s stays on par with %s until %d of %d CPUs: %s", weak, strong, o.Until, o.Of, where)
}

// aheadAt names the CPUs at which the side that falls behind is ahead, and those at which no side is.
func (o OnPar) aheadAt() string {
	if len(o.Even) == 0 {
		return "until " + figure.Count(o.Until, "CPU")
	}
	return fmt.Sprintf("at %s CPUs and on par at %s", numbers(o.Ahead), numbers(o.Even))
}

func numbers(all []int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(all)), ", "), "[]")
}

// text returns a lead with its interval, if it has one, as a change for the better.
func (l Lead) text(bounded bool) string {
	by := "estimate " + figure.Percent(l.Ratio)
	if bounded {
		by = figure.Percent(l.Lo) + " to " + figure.Percent(l.Hi)
	}
	return fmt.Sprintf("by %s at %s", by, figure.Count(l.CPUs, "CPU"))
}

func trendSentence(v *finding.PairView, t Trend) block.Sentence {
	return block.Sentence{Lead: "trend", Tone: block.Dim, Text: trendText(t, v.LabelA, v.LabelB)}
}

func trendText(t Trend, a, b string) string {
	where := finding.Placed(t.Workload, t.Wording.Of(t.Params), t.Load, t.Metric)
	from, to := record.FormatSize(int64(t.From)), record.FormatSize(int64(t.To))
	if t.Lo == nil {
		return fmt.Sprintf("no interval, %d runs needed; by estimate the ratio of %s to %s changes by %s from "+
			"%s=%s to %s: %s",
			figure.MinReplicates, b, a, figure.Percent(t.Ratio), t.Axis, from, to, where)
	}
	one := figure.Scale{Factor: 1}
	return fmt.Sprintf("%s: from %s=%s to %s the ratio of %s to %s changes by %s to %s, by estimate from %s to %s: %s",
		trendWord(t, a, b), t.Axis, from, to, b, a, figure.Percent(*t.Lo), figure.Percent(*t.Hi), one.Number(t.First,
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
	case *t.Lo <= 1 && *t.Hi >= 1:
		return "no certain trend with " + t.Axis
	case (t.First > 1) != (t.Last > 1):
		return fmt.Sprintf("%s gains with %s and passes %s", gains, t.Axis, ahead)
	case gains == ahead:
		return "the gap widens with " + t.Axis
	}
	return "the gap narrows with " + t.Axis
}
