package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// flagPairs flags what makes it doubtful that pairs are pairs, or trials replicates.
func flagPairs(c *finding.Comparison, s trialset.Sample, m trialset.Matched) {
	switch {
	case s.Ranked:
		c.Flag("no-order-of-time")
	case s.Apart:
		c.Flag("sides-in-blocks")
	case !s.Paired && trialset.Imported(s.A) && trialset.Imported(s.B):
		c.Flag("import-order")
	case !s.Paired:
		c.Flag("unpaired")
	case trialset.Imported(s.A):
		c.Flag("paired-by-import")
	}
	flagCounts(c, s, m)
	if r, n := repeated(m.A); n > 1 {
		c.Flag("repeated-a", r, n)
	}
	if r, n := repeated(m.B); n > 1 {
		c.Flag("repeated-b", r, n)
	}
	if a, b := trialset.Common(trialset.Valid(m.A), record.KeyTLS), trialset.Common(trialset.Valid(m.B), record.KeyTLS); a != "" && b != "" && a != b {
		c.Flag("unlike-encryption", a, b)
	}
}

// repeated is the first replicate of a plan's cell of which a side has several valid trials, and how many.
func repeated(trials []record.Trial) (replicate, times int) {
	type place struct {
		trialset.Slot
		cell    int
		machine string
	}
	seen := map[place]int{}
	for _, t := range trialset.Counting(trialset.Valid(trials)) {
		at := place{trialset.SlotOf(t), t.Cell, t.Keys[record.KeyMachine]}
		if seen[at]++; seen[at] > max(times, 1) && t.Plan != "" {
			replicate, times = t.Replicate, seen[at]
		}
	}
	return replicate, times
}
