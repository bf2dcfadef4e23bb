package judge

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// orderOf is what replicates of a sample say by their order, where it counts: the ratios of its pairs, or the values of either side. Pairs that a
// session of ours ran side by side in random order have taken out what changes with time, and those of a session with looks are inflated there.
func (s sample) orderOf(metric string) stat.Order {
	switch {
	case !s.ordered:
		return stat.Order{Widen: 1}
	case s.paired:
		return stat.OrderOf(s.differences(metric))
	}
	return stat.OrderOf(logsInTime(s.a, metric), logsInTime(s.b, metric))
}

// inTime are trials in the order in which they were measured, which the numbers of replicates are where no times are known.
func inTime(trials []record.Trial) []record.Trial {
	if slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Start == "" }) {
		return trials
	}
	sorted := slices.Clone(trials)
	slices.SortStableFunc(sorted, func(a, b record.Trial) int { return cmp.Compare(a.Start, b.Start) })
	return sorted
}

func logsInTime(trials []record.Trial, metric string) []float64 {
	return stat.Logs(valuesOf(inTime(trials), metric))
}

// inBlocks says whether pairs are none since all trials of one side ran before those of the other.
func (s sample) inBlocks() bool {
	if !s.paired || len(s.a) < 2 {
		return false
	}
	a, b := inTime(s.a), inTime(s.b)
	last := len(a) - 1
	return a[0].Start != "" && b[0].Start != "" && (a[last].Start < b[0].Start || b[last].Start < a[0].Start)
}

// doubtOrder flags what the order of replicates says of a ratio that it widened; false where it leaves no interval to speak of.
func (c *Comparison) doubtOrder(s sample, r stat.LogRatio, rule stat.Rule) bool {
	o := s.orderOf(c.Metric)
	if o.Why != "" {
		c.flag("no-level-no-verdict", s.disorder(o))
		return false
	}
	const much = 1.5
	if o.Widen < much {
		return true
	}
	plain, _ := s.ratioBy(c.Metric, rule.Opts)
	if wider := r.Hull.HalfWidth() / plain.Hull.HalfWidth(); wider >= much {
		c.flag("resembling-replicates", o.Repeat, wider)
	}
	return true
}

// disorder says in what way replicates are no independent values of one level.
func (s sample) disorder(o stat.Order) note.Note {
	what, trials := "the ratios of the pairs", s.a
	switch {
	case s.paired:
	case o.Sample == 0:
		what = "the replicates of side a"
	case o.Sample == 1:
		what, trials = "the replicates of side b", s.b
	default:
		what = "the replicates"
	}
	return disorderNote(o, what, inTime(trials))
}

// disorderNote says it of trials in their order.
func disorderNote(o stat.Order, what string, trials []record.Trial) note.Note {
	change := moveText(o.Change)
	verb := "rise"
	if o.Change < 0 {
		verb = "fall"
	}
	switch o.Why {
	case stat.Ramp:
		return note.New("ratios-ramp", what, verb, change)
	case stat.Step:
		return note.New("ratios-step", what, verb, change, trials[o.At].Replicate)
	case stat.Settles:
		return note.New("ratios-settle", what, verb, change)
	}
	return note.New("ratios-wander", what, o.Repeat)
}

// moveText is a log ratio as a change, to two digits.
func moveText(log float64) string {
	switch percent := 100 * math.Abs(math.Expm1(log)); {
	case percent >= 10:
		return fmt.Sprintf("%.0f %%", percent)
	case percent >= 1:
		return fmt.Sprintf("%.1f %%", percent)
	default:
		return fmt.Sprintf("%.2g %%", percent)
	}
}

// doubtOrder says of an import's cell what numbers are missing, and what its replicates say by their order: where that is no one level, there is no interval.
func (c *Cell) doubtOrder(trials []record.Trial, metric string) {
	if !imported(trials) {
		return
	}
	if gaps := gapsIn(numbersOf(trials)); gaps > 0 {
		c.Doubts = append(c.Doubts, note.New("replicates-missing", gaps))
	}
	in := inTime(having(trials, metric))
	o := stat.OrderOf(stat.Logs(valuesOf(in, metric)))
	if c.Lo == nil || o.Why == "" || math.IsNaN(o.Repeat) {
		return
	}
	c.Lo, c.Hi = nil, nil
	c.Doubts = append(c.Doubts, note.New("no-level", disorderNote(o, "the replicates", in)))
}
