package judge

import (
	"slices"

	"plimsoll/internal/record"
)

// doubtPairs flags what makes it doubtful that pairs are pairs, or trials replicates.
func (c *Comparison) doubtPairs(s sample, m matched) {
	switch {
	case s.ranked:
		c.flag("no-order-of-time")
	case s.apart:
		c.flag("sides-in-blocks")
	case !s.paired && imported(s.a) && imported(s.b):
		c.flag("import-order")
	case !s.paired:
		c.flag("unpaired")
	case imported(s.a):
		c.flag("paired-by-import")
	}
	c.doubtCounts(s, m)
	if r, n := repeated(m.a); n > 1 {
		c.flag("repeated-a", r, n)
	}
	if r, n := repeated(m.b); n > 1 {
		c.flag("repeated-b", r, n)
	}
	if a, b := common(valid(m.a), record.KeyTLS), common(valid(m.b), record.KeyTLS); a != "" && b != "" && a != b {
		c.flag("unlike-encryption", a, b)
	}
}

func imported(trials []record.Trial) bool {
	return slices.ContainsFunc(trials, func(t record.Trial) bool { return imports(&t) })
}

func imports(t *record.Trial) bool { return t.Keys[record.KeyImported] != "" }

// repeated is the first replicate of a plan's cell of which a side has several valid trials, and how many.
func repeated(trials []record.Trial) (replicate, times int) {
	type place struct {
		slot
		cell    int
		machine string
	}
	seen := map[place]int{}
	for _, t := range ordinary(valid(trials)) {
		at := place{slotOf(t), t.Cell, t.Keys[record.KeyMachine]}
		if seen[at]++; seen[at] > max(times, 1) && t.Plan != "" {
			replicate, times = t.Replicate, seen[at]
		}
	}
	return replicate, times
}

// inOrder says whether the pairs of an import stand in the order of their values on both sides: such numbers
// were given after measuring, and the differences of such pairs scatter less than any measurement.
func (s sample) inOrder(metric string) bool {
	const least = 5 // pairs, which chance sorts so once in 7,200
	if !s.paired || len(s.a) < least || !imported(s.a) {
		return false
	}
	a, b := valuesOf(s.a, metric), valuesOf(s.b, metric)
	rising := slices.IsSorted(a) && slices.IsSorted(b)
	slices.Reverse(a)
	slices.Reverse(b)
	return (rising || slices.IsSorted(a) && slices.IsSorted(b)) && slices.Min(a) < slices.Max(a) && slices.Min(b) < slices.Max(b)
}
