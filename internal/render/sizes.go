package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// bySizeNotes put each sweep of sizes into sentences.
func bySizeNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	for _, c := range v.Cells {
		if sweep.KindBySize.Of(c) == nil {
			continue
		}
		swept := c
		swept.Params = maps.Clone(c.Params)
		delete(swept.Params, sweep.KindBySize.Of(c).Param)
		out = append(out, block.Sentence{Lead: "by size", Tone: block.Strong, Text: v.Place(swept) + ": " + bySizeText(*sweep.KindBySize.Of(c))})
	}
	return out
}

// bySizeText holds the largest size against the smallest, and the lowest figure
// against the highest.
func bySizeText(s sweep.BySize) string {
	byValue := func(a, b sweep.SizePoint) int { return cmp.Compare(a.Value, b.Value) }
	low, high := slices.MinFunc(s.Points, byValue), slices.MaxFunc(s.Points, byValue)
	over := figure.Claim{
		Subject: s.Param + "=" + sizeOf(s.Points[len(s.Points)-1]), Object: sizeOf(s.Points[0]),
		Verb: "carries", Direction: record.Higher,
	}
	if s.Last.Lo == nil || s.Spread.Lo == nil {
		return fmt.Sprintf("no interval, %d replicates needed; by estimate %s", figure.MinReplicates, over.Clause(s.Last.Value, s.Last.Value))
	}
	return fmt.Sprintf("%s; the lowest, %s, carries %s of the highest, %s", over.Clause(*s.Last.Lo, *s.Last.Hi),
		sizeOf(low), figure.PercentRange(*s.Spread.Lo, min(*s.Spread.Hi, 1)), sizeOf(high))
}

func sizeOf(p sweep.SizePoint) string { return record.FormatSize(int64(p.Size)) }

// trendText says how the ratio of two sides follows the size.
func trendText(t judge.Trend, a, b string) string {
	where := crossingPlace(judge.Crossing{Workload: t.Workload, Params: t.Params, Minor: t.Minor, Load: t.Load, Metric: t.Metric})
	from, to := record.FormatSize(int64(t.From)), record.FormatSize(int64(t.To))
	if t.Lo == nil {
		return fmt.Sprintf("no interval, %d replicates needed; by estimate the ratio of %s to %s changes by %s from %s=%s to %s: %s",
			figure.MinReplicates, b, a, figure.Percent(t.Ratio), t.Axis, from, to, where)
	}
	one := figure.Scale{Factor: 1}
	return fmt.Sprintf("%s: from %s=%s to %s the ratio of %s to %s changes by %s to %s, by estimate from %s to %s: %s",
		trendWord(t, a, b), t.Axis, from, to, b, a, figure.Percent(*t.Lo), figure.Percent(*t.Hi), one.Number(t.First, figure.Digits), one.Number(t.Last, figure.Digits), where)
}

// trendWord names a trend that is certain.
func trendWord(t judge.Trend, a, b string) string {
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
