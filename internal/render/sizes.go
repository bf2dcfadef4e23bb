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
