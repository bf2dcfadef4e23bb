package sweep

import (
	"cmp"
	"fmt"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

// showBySizes states each sweep of sizes, and draws them side by side.
func showBySizes(v *finding.View) []block.Block {
	return append(finding.SentencesEach(KindBySize, bySizeSentence)(v), finding.Blocks(sizePanels(v))...)
}

func bySizeSentence(v *finding.View, c finding.Cell, s BySize) []block.Sentence {
	return []block.Sentence{{Lead: "by size", Tone: block.Strong, Text: v.Along(c, s.Param) + bySizeText(s)}}
}

// bySizeText compares the largest size with the smallest, and the lowest figure with the highest.
func bySizeText(s BySize) string {
	byValue := func(a, b SizePoint) int { return cmp.Compare(a.Value, b.Value) }
	low, high := slices.MinFunc(s.Points, byValue), slices.MaxFunc(s.Points, byValue)
	over := figure.Claim{
		Subject: s.Param + "=" + sizeText(s.Points[len(s.Points)-1].Size), Object: sizeText(s.Points[0].Size),
		Verb: "handles", Direction: record.Higher,
	}
	if s.Last.Lo == nil || s.Spread.Lo == nil {
		return fmt.Sprintf("no interval, %d runs needed; by estimate %s", figure.MinReplicates,
			over.Clause(s.Last.Value, s.Last.Value))
	}
	return fmt.Sprintf("%s; the lowest, %s, reaches %s of the highest, %s", over.Clause(*s.Last.Lo, *s.Last.Hi),
		sizeText(low.Size), finding.ShareText(capped(s.Spread)), sizeText(high.Size))
}
