package trialset

import (
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Imported reports whether any of the trials was imported.
func Imported(trials []record.Trial) bool {
	return slices.ContainsFunc(trials, func(t record.Trial) bool { return Imports(&t) })
}

// Imports reports whether a trial was imported.
func Imports(t *record.Trial) bool { return t.Keys[record.KeyImported] != "" }

// Sample holds the valid trials of one cell on both sides. If it is paired, A[i] and B[i] ran side by side in time.
type Sample struct {
	A, B   []record.Trial
	Paired bool
	spare  *Sample // extra pairs, which replace disturbed ones; nil if there are none
	Ranked bool    // an import paired them by the order of their values, so they are treated as unpaired
	Apart  bool    // all of one side ran before all of the other, so they are treated as unpaired

	Alone   [2]int // trials of either side without a partner, if paired
	Ordered bool   // nothing cancelled changes from one replicate to the next, so their order matters
}

// Slot identifies the two trials of a pair.
type Slot struct {
	Plan             string
	Group, Replicate int
}

// SlotOf returns a trial's slot by plan, group and replicate.
func SlotOf(t record.Trial) Slot { return Slot{t.Plan, t.Group, t.Replicate} }

// PairOf returns the slot that two trials share if they ran side by side. Replicates of an import are numbered in
// sequence: they form pairs only if the file says so.
func PairOf(t record.Trial) Slot {
	switch {
	case t.Keys[record.KeyImported] == "":
		return SlotOf(t)
	case t.Pair == nil:
		return Slot{}
	}
	return Slot{Plan: t.Plan, Group: -1, Replicate: *t.Pair}
}

// RoundOf returns the slot that trials of one replicate share across cells: a plan runs all of its cells once before it
// repeats them. That is unknown for an import, so its trials share none.
func RoundOf(t record.Trial) Slot {
	if t.Keys[record.KeyImported] != "" {
		return Slot{}
	}
	return SweepOf(t)
}

// SweepOf returns the slot that trials of one replicate share as parts of one sweep. Trials of an import can be grouped
// in this way too, since each belongs to one sweep only.
func SweepOf(t record.Trial) Slot { return Slot{Plan: t.Plan, Replicate: t.Replicate} }

// NewSample selects the trials that have the metric and pairs them if their plan ran them side by side; if it paired
// none, all trials are unpaired.
func NewSample(a, b []record.Trial, metric string) Sample {
	a, b, extraA, extraB := Counting(a), Counting(b), extras(a), extras(b)
	s := PairedBy(a, b, metric, PairOf)
	if s.inOrder(metric) {
		return Sample{A: Having(a, metric), B: Having(b, metric), Ranked: true, Ordered: true}
	}
	if s.inBlocks() {
		return Sample{A: Having(a, metric), B: Having(b, metric), Apart: true, Ordered: true}
	}
	s.Ordered = !s.Paired || Imported(s.A)
	if spare := PairedBy(extraA, extraB, metric, SlotOf); s.Paired && spare.Paired {
		s.spare = &spare
	}
	return s
}

// Own returns the sample without the extra pairs.
func (s Sample) Own() Sample {
	s.spare = nil
	return s
}

func extras(trials []record.Trial) []record.Trial {
	return Filter(trials, func(t *record.Trial) bool { return t.Role() == record.RoleExtra })
}

// PairedBy pairs the trials of two cells of one plan that share a slot.
func PairedBy(a, b []record.Trial, metric string, at func(record.Trial) Slot) Sample {
	a, b = Having(a, metric), Having(b, metric)
	partners := map[Slot][]int{}
	for i, t := range b {
		partners[at(t)] = append(partners[at(t)], i)
	}
	ofA, ofB := make([]int, 0, len(a)), make([]int, 0, len(a))
	for i, t := range a {
		shared := at(t)
		// If one cell of a plan is on both sides, one plan ran on two machines, at two times.
		if len(partners[shared]) == 0 || shared.Plan == "" || b[partners[shared][0]].Cell == t.Cell {
			continue
		}
		ofA, ofB = append(ofA, i), append(ofB, partners[shared][0])
		partners[shared] = partners[shared][1:]
	}
	if len(ofA) == 0 {
		return Sample{A: a, B: b}
	}
	return Sample{A: Chosen(a, ofA), B: Chosen(b, ofB), Paired: true, Alone: [2]int{len(a) - len(ofA), len(b) - len(ofA)}}
}

// Chosen returns the trials at the given indices; if these are one after the other, the slice of them, which callers
// must not change.
func Chosen(trials []record.Trial, at []int) []record.Trial {
	if n := len(at); n > 0 && isRun(at) {
		return trials[at[0] : at[0]+n : at[0]+n]
	}
	out := make([]record.Trial, len(at))
	for i, k := range at {
		out[i] = trials[k]
	}
	return out
}

// isRun reports whether indices follow each other without a gap.
func isRun(at []int) bool {
	for i, k := range at {
		if k != at[0]+i {
			return false
		}
	}
	return true
}

// Having returns the trials that have the metric.
func Having(trials []record.Trial, metric string) []record.Trial {
	return Filter(trials, func(t *record.Trial) bool {
		_, ok := ValueIn(t, metric)
		return ok && t.Void == ""
	})
}

// N returns the number of pairs, or of trials on the smaller side.
func (s Sample) N() int { return min(len(s.A), len(s.B)) }

// Undisturbed returns the sample without disturbed trials, and without their partners if paired; undisturbed extra
// pairs replace them.
func (s Sample) Undisturbed() Sample {
	var calmA, calmB []int
	for i := range s.A {
		if !Tainted(s.A[i]) && !(s.Paired && Tainted(s.B[i])) {
			calmA = append(calmA, i)
		}
	}
	for i := range s.B {
		if !Tainted(s.B[i]) && !(s.Paired && Tainted(s.A[i])) {
			calmB = append(calmB, i)
		}
	}
	out := Sample{A: Chosen(s.A, calmA), B: Chosen(s.B, calmB), Paired: s.Paired, Ordered: s.Ordered}
	if s.spare != nil {
		quiet := s.spare.Undisturbed()
		out.A, out.B = append(out.A, quiet.A...), append(out.B, quiet.B...)
	}
	return out
}

// Ratio estimates the log ratio of b to a of one metric, widened if the order of replicates demands it. It returns
// false if a value is not positive, so that there is no ratio.
func (s Sample) Ratio(metric string, o stat.Opts) (stat.PairedLogRatio, bool) {
	o.Widen = s.OrderOf(metric).Widen
	return s.RatioBy(metric, o)
}

// RatioBy estimates the log ratio of b to a of one metric with exactly the given options.
func (s Sample) RatioBy(metric string, o stat.Opts) (stat.PairedLogRatio, bool) {
	a, b := stat.Logs(ValuesOf(s.A, metric)), stat.Logs(ValuesOf(s.B, metric))
	if s.N() == 0 || math.IsNaN(stat.Mean(a)+stat.Mean(b)) {
		return stat.PairedLogRatio{}, false
	}
	if !s.Paired {
		return stat.PairedLogRatio{LogRatio: stat.WelchRatio(a, b, o)}, true
	}
	return stat.PairedRatio(s.Differences(metric), o), true
}

// Differences returns the log ratios of the pairs.
func (s Sample) Differences(metric string) []float64 {
	a, b := stat.Logs(ValuesOf(s.A, metric)), stat.Logs(ValuesOf(s.B, metric))
	d := make([]float64, len(a))
	for i := range d {
		d[i] = b[i] - a[i]
	}
	return d
}

// Sd returns the standard deviation of the pairs' log ratios, or the larger one of the logs of a side.
func (s Sample) Sd(metric string) float64 {
	if s.Paired {
		return stat.SD(s.Differences(metric))
	}
	return max(stat.SD(stat.Logs(ValuesOf(s.A, metric))), stat.SD(stat.Logs(ValuesOf(s.B, metric))))
}

// NotPositive returns a note with the first value that has no logarithm.
func NotPositive(metric string, sides ...[]record.Trial) note.Note {
	for _, trials := range sides {
		for _, t := range trials {
			if v, ok := t.Value(metric); ok && !(v.Value > 0) {
				return note.New("value-not-positive", metric, t.Keys[record.KeyMachine], v.Value, record.RunNumber(t.Replicate))
			}
		}
	}
	return note.New("value-missing", metric)
}

// Matched is one cell that both sides measured. Its trials may be void.
type Matched struct {
	Place  Key
	Params map[string]string
	A, B   []record.Trial
}

// CPUUse returns the mean CPU use of either side in %, as its trials state it; false unless both do.
func (m Matched) CPUUse() (a, b float64, known bool) {
	usesA, usesB := ValuesOf(Measuring(m.A), record.CPUPercent), ValuesOf(Measuring(m.B), record.CPUPercent)
	return stat.Mean(usesA), stat.Mean(usesB), len(usesA) > 0 && len(usesB) > 0
}

// inOrder reports whether the pairs of an import are sorted by value on both sides: their numbers were then assigned
// after measuring, and such differences scatter less than any measurement.
func (s Sample) inOrder(metric string) bool {
	const least = 5 // pairs, which chance sorts so once in 7,200
	if !s.Paired || len(s.A) < least || !Imported(s.A) {
		return false
	}
	a, b := ValuesOf(s.A, metric), ValuesOf(s.B, metric)
	rising := slices.IsSorted(a) && slices.IsSorted(b)
	slices.Reverse(a)
	slices.Reverse(b)
	return (rising || slices.IsSorted(a) && slices.IsSorted(b)) && slices.Min(a) < slices.Max(a) &&
		slices.Min(b) < slices.Max(b)
}
