package headroom

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
)

// answer returns a result for each chief load line of a view, the highest first.
func answer(v *finding.View) finding.Answer {
	type limit struct {
		of, machine string
		line        loadline.Line
	}
	var found []limit
	for _, c := range v.Cells {
		if l := Chief(c); l != nil {
			found = append(found, limit{v.Sweep(c), c.Machine, inUnitsOf(c.Workload, *l)})
		}
	}
	slices.SortStableFunc(found, func(a, b limit) int { return cmp.Compare(b.line.MaxSustained, a.line.MaxSustained) })
	var out finding.Answer
	for _, f := range found {
		rate, limit := limitAnswer(f.line)
		out.Results = append(out.Results, block.Sentence{Lead: v.Cells[0].Workload, Tone: block.Strong,
			Text: f.of + rate + " at " + limit})
		card := limitStat(v.Cells[0].Workload, strings.TrimSuffix(f.of, ": "), limit, f.line)
		card.Of, card.Column = f.machine, "handles at "+limit
		if f.line.Objective <= 0 { // the limits differ
			card.Column = "handles at 2 × idle " + latencyName(f.line.Statistic)
		}
		out.Stats = append(out.Stats, card)
		for _, d := range f.line.Doubts {
			if d.Code != "too-few-sweeps" {
				out.Object(f.of + d.Text())
			}
		}
	}
	return out
}

// limitStat returns the card of a load line.
func limitStat(workload, of, limit string, l loadline.Line) block.Stat {
	s := figure.Span{Value: l.MaxSustained, Lo: l.Lo, Hi: l.Hi}
	u := figure.ScaleFor(l.Unit, s.Values()...)
	out := block.Stat{Kind: block.CapacityStat, Label: figure.Joined(workload, of, "at "+limit), Text: s.Estimate(u),
		Sure: finding.IntervalText(s, u, l.N)}
	if s.Bounded() {
		out.Short = u.Number(*s.Lo, figure.Digits) + " to " + u.Number(*s.Hi, figure.Digits)
	}
	switch {
	case l.AtMost != nil:
		out.Text, out.Sure = fmt.Sprintf("%s to %s", s.Estimate(u), u.Text(*l.AtMost, figure.Digits)), "bounds, no interval"
	case l.SteeredBy != "" || !l.Crossed:
		out.Text, out.Sure = "≥ "+out.Text, "the highest load measured"
	}
	return out
}

// limitAnswer returns the rate of a load line, and its latency limit.
func limitAnswer(l loadline.Line) (rate, limit string) {
	s := figure.Span{Value: l.MaxSustained, Lo: l.Lo, Hi: l.Hi}
	u := figure.ScaleFor(l.Unit, s.Values()...)
	rate = finding.SureText(s, u, l.N)
	switch {
	case l.AtMost != nil:
		rate = fmt.Sprintf("%s to %s", s.Estimate(u), u.Text(*l.AtMost, figure.Digits))
	case l.SteeredBy != "" || !l.Crossed:
		rate = "at least " + s.Estimate(u) + ", the highest load measured,"
	}
	return rate, limitText(l)
}

// perMonth returns the monthly cost of a fleet; infinity if it is unknown.
func perMonth(n loadline.Need) float64 {
	if n.PerMonth == nil {
		return math.Inf(1)
	}
	return *n.PerMonth
}
