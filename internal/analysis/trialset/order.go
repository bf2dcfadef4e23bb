package trialset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// OrderOf tests the order of a sample's replicates for trends, if the order matters: the ratios of its pairs, or the
// values of either side. Pairs that one session ran side by side in random order have already cancelled changes over
// time, and pairs of a session with interim analyses are inflated there.
func (s Sample) OrderOf(metric string) stat.Order {
	switch {
	case !s.Ordered:
		return stat.Order{Widen: 1}
	case s.Paired:
		return stat.OrderOf(s.Differences(metric))
	}
	return stat.OrderOf(logsInTime(s.A, metric), logsInTime(s.B, metric))
}

// SignedOrder is OrderOf for values that have no logarithm, on a scale that is close to one. A side whose values are
// all equal has a level, however the other moves.
func (s Sample) SignedOrder(metric string) stat.Order {
	a, b := ValuesOf(InTime(s.A), metric), ValuesOf(InTime(s.B), metric)
	if s.Paired {
		a, b = ValuesOf(s.A, metric), ValuesOf(s.B, metric)
	}
	constant := func(x []float64) bool { return slices.Min(x) == slices.Max(x) }
	if !s.Ordered || s.N() == 0 || constant(a) || constant(b) {
		return stat.Order{Widen: 1}
	}
	scale := 0.0
	for _, v := range slices.Concat(a, b) {
		scale += math.Abs(v) / float64(len(a)+len(b))
	}
	a, b = stat.SignedLogs(a, scale), stat.SignedLogs(b, scale)
	if !s.Paired {
		return stat.OrderOf(a, b)
	}
	d := make([]float64, len(a))
	for i := range d {
		d[i] = b[i] - a[i]
	}
	return stat.OrderOf(d)
}

// InTime returns trials in the order of measurement, or of replicate numbers if no times are known.
func InTime(trials []record.Trial) []record.Trial {
	if slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Start == "" }) {
		return trials
	}
	sorted := slices.Clone(trials)
	slices.SortStableFunc(sorted, func(a, b record.Trial) int { return cmp.Compare(a.Start, b.Start) })
	return sorted
}

func logsInTime(trials []record.Trial, metric string) []float64 {
	return stat.Logs(ValuesOf(InTime(trials), metric))
}

// inBlocks reports whether there are no pairs since all trials of one side ran before those of the other.
func (s Sample) inBlocks() bool {
	if !s.Paired || len(s.A) < 2 {
		return false
	}
	a, b := InTime(s.A), InTime(s.B)
	last := len(a) - 1
	return a[0].Start != "" && b[0].Start != "" && (a[last].Start < b[0].Start || b[last].Start < a[0].Start)
}

// Disorder returns a note on how replicates fail to be independent values of one level.
func (s Sample) Disorder(o stat.Order) note.Note {
	what, trials := "the ratios of the pairs", s.A
	switch {
	case s.Paired:
	case o.Sample == 0:
		what = "the runs of the baseline"
	case o.Sample == 1:
		what, trials = "the runs of the candidate", s.B
	default:
		what = "the runs"
	}
	return DisorderNote(o, what, InTime(trials))
}

// DisorderNote returns the note of Disorder for trials in their order.
func DisorderNote(o stat.Order, what string, trials []record.Trial) note.Note {
	change := moveText(o.Change)
	verb := "rise"
	if o.Change < 0 {
		verb = "fall"
	}
	switch o.Why {
	case stat.Ramp:
		return note.New("ratios-ramp", what, verb, change)
	case stat.Step:
		return note.New("ratios-step", what, verb, change, record.RunNumber(trials[o.At].Replicate))
	case stat.Settles:
		return note.New("ratios-settle", what, verb, change)
	}
	return note.New("ratios-wander", what, o.Repeat)
}

// moveText returns a log ratio as a change, to two digits.
func moveText(log float64) string {
	switch percent := 100 * math.Abs(math.Expm1(log)); {
	case percent >= 10:
		return fmt.Sprintf("%.0f%%", percent)
	case percent >= 1:
		return fmt.Sprintf("%.1f%%", percent)
	default:
		return fmt.Sprintf("%.2g%%", percent)
	}
}

// Sum returns the sum of x.
func Sum(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}

// Part is a part of a whole, 0 of nothing.
func Part(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

// AtMost returns the trials whose load takes at most the given number of CPUs, so that machines of different sizes are
// compared on equal terms, and how many it left out. If cpus is 0 it leaves out none.
func AtMost(trials []record.Trial, cpus int) ([]record.Trial, int) {
	if cpus == 0 {
		return trials, 0
	}
	kept := slices.DeleteFunc(slices.Clone(trials), func(t record.Trial) bool { return CPUsOf(t) > cpus })
	return kept, len(trials) - len(kept)
}

// CPUsOf returns the number of CPUs that a load takes, or 0 if it counts none.
func CPUsOf(t record.Trial) int {
	if t.Load.Unit != record.ParamCPUs {
		return 0
	}
	return int(t.Load.Level)
}
