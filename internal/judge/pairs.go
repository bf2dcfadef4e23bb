package judge

import (
	"math"
	"slices"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// sample is the valid trials of one cell on both sides. Where paired, a[i] and
// b[i] ran side by side in time.
type sample struct {
	a, b   []record.Trial
	paired bool
	spare  *sample // extra pairs, which stand in for tainted ones; nil: none
	ranked bool    // an import paired them in the order of their values, so that they stand unpaired
	apart  bool    // all of one side ran before all of the other, so that they stand unpaired

	alone   [2]int // trials of either side that have no partner, where paired
	ordered bool   // nothing took out what changes from one replicate to the next, so that their order counts
}

// slot is what the two trials of a pair share.
type slot struct {
	plan             string
	group, replicate int
}

func slotOf(t record.Trial) slot { return slot{t.Plan, t.Group, t.Replicate} }

// pairOf is what two trials share that ran side by side. The replicates of an import are numbered in an order and not in pairs: only
// what the file says of pairs makes some.
func pairOf(t record.Trial) slot {
	switch {
	case t.Keys[record.KeyImported] == "":
		return slotOf(t)
	case t.Pair == nil:
		return slot{}
	}
	return slot{plan: t.Plan, group: -1, replicate: *t.Pair}
}

// roundOf is what the trials of one replicate share, whichever cells they are
// of: a plan runs all of its cells once before it runs them again. Of an import nobody knows
// that, and its trials share none.
func roundOf(t record.Trial) slot {
	if t.Keys[record.KeyImported] != "" {
		return slot{}
	}
	return sweepOf(t)
}

// sweepOf is what the trials of one replicate share as parts of one sweep. An import's belong together
// as well as any others of its trials do: each stands in one sweep only.
func sweepOf(t record.Trial) slot { return slot{plan: t.Plan, replicate: t.Replicate} }

// newSample takes the trials that have the metric and pairs them where their
// plan ran them side by side; where it paired none, all trials stand unpaired.
func newSample(a, b []record.Trial, metric string) sample {
	a, b, extraA, extraB := ordinary(a), ordinary(b), extras(a), extras(b)
	s := pairedBy(a, b, metric, pairOf)
	if s.inOrder(metric) {
		return sample{a: having(a, metric), b: having(b, metric), ranked: true, ordered: true}
	}
	if s.inBlocks() {
		return sample{a: having(a, metric), b: having(b, metric), apart: true, ordered: true}
	}
	s.ordered = !s.paired || imported(s.a)
	if spare := pairedBy(extraA, extraB, metric, slotOf); s.paired && spare.paired {
		s.spare = &spare
	}
	return s
}

// own is the sample without the extra pairs.
func (s sample) own() sample {
	s.spare = nil
	return s
}

func extras(trials []record.Trial) []record.Trial {
	return kept(trials, func(t *record.Trial) bool { return t.Extra })
}

// pairedBy pairs the trials of two cells of one plan that share a slot.
func pairedBy(a, b []record.Trial, metric string, at func(record.Trial) slot) sample {
	a, b = having(a, metric), having(b, metric)
	partners := map[slot][]int{}
	for i, t := range b {
		partners[at(t)] = append(partners[at(t)], i)
	}
	ofA, ofB := make([]int, 0, len(a)), make([]int, 0, len(a))
	for i, t := range a {
		shared := at(t)
		// One cell of a plan on both sides means one plan run on two machines, at two times.
		if len(partners[shared]) == 0 || shared.plan == "" || b[partners[shared][0]].Cell == t.Cell {
			continue
		}
		ofA, ofB = append(ofA, i), append(ofB, partners[shared][0])
		partners[shared] = partners[shared][1:]
	}
	if len(ofA) == 0 {
		return sample{a: a, b: b}
	}
	return sample{a: chosen(a, ofA), b: chosen(b, ofB), paired: true, alone: [2]int{len(a) - len(ofA), len(b) - len(ofA)}}
}

// chosen are the trials at the given places.
func chosen(trials []record.Trial, at []int) []record.Trial {
	if len(at) == len(trials) && slices.IsSorted(at) {
		return trials[:len(at):len(at)]
	}
	out := make([]record.Trial, len(at))
	for i, k := range at {
		out[i] = trials[k]
	}
	return out
}

func having(trials []record.Trial, metric string) []record.Trial {
	return kept(trials, func(t *record.Trial) bool {
		_, ok := valueIn(t, metric)
		return ok && t.Void == ""
	})
}

func (s sample) n() int { return min(len(s.a), len(s.b)) }

// undisturbed leaves out tainted trials, and their partners where paired; the extra pairs that
// are not tainted take their places.
func (s sample) undisturbed() sample {
	var calmA, calmB []int
	for i := range s.a {
		if !tainted(s.a[i]) && !(s.paired && tainted(s.b[i])) {
			calmA = append(calmA, i)
		}
	}
	for i := range s.b {
		if !tainted(s.b[i]) && !(s.paired && tainted(s.a[i])) {
			calmB = append(calmB, i)
		}
	}
	out := sample{a: chosen(s.a, calmA), b: chosen(s.b, calmB), paired: s.paired, ordered: s.ordered}
	if s.spare != nil {
		quiet := s.spare.undisturbed()
		out.a, out.b = append(out.a, quiet.a...), append(out.b, quiet.b...)
	}
	return out
}

// ratio estimates the log ratio of b to a of one metric, as wide as the order of replicates asks for. It is false where a
// value is not positive, so that there is none.
func (s sample) ratio(metric string, o stat.Opts) (stat.PairedLogRatio, bool) {
	o.Widen = s.orderOf(metric).Widen
	return s.ratioBy(metric, o)
}

func (s sample) ratioBy(metric string, o stat.Opts) (stat.PairedLogRatio, bool) {
	a, b := stat.Logs(valuesOf(s.a, metric)), stat.Logs(valuesOf(s.b, metric))
	if s.n() == 0 || math.IsNaN(stat.Mean(a)+stat.Mean(b)) {
		return stat.PairedLogRatio{}, false
	}
	if !s.paired {
		return stat.PairedLogRatio{LogRatio: stat.WelchRatio(a, b, o)}, true
	}
	return stat.PairedRatio(s.differences(metric), o), true
}

// differences are the log ratios of the pairs.
func (s sample) differences(metric string) []float64 {
	a, b := stat.Logs(valuesOf(s.a, metric)), stat.Logs(valuesOf(s.b, metric))
	d := make([]float64, len(a))
	for i := range d {
		d[i] = b[i] - a[i]
	}
	return d
}

// sd is the standard deviation of the log ratios of the pairs, or the larger one of the logs of a side.
func (s sample) sd(metric string) float64 {
	if s.paired {
		return stat.SD(s.differences(metric))
	}
	return max(stat.SD(stat.Logs(valuesOf(s.a, metric))), stat.SD(stat.Logs(valuesOf(s.b, metric))))
}

// notPositive names the first value of which there is no log.
func notPositive(metric string, sides ...[]record.Trial) note.Note {
	for _, trials := range sides {
		for _, t := range trials {
			if v, ok := t.Value(metric); ok && !(v.Value > 0) {
				return note.New("value-not-positive", metric, t.Keys[record.KeyMachine], v.Value, t.Replicate)
			}
		}
	}
	return note.New("value-missing", metric)
}

// farthest is the replicate of the pair that lies farthest from the center.
func (s sample) farthest(metric string, center float64) int {
	at, distance := 0, -1.0
	for i, d := range s.differences(metric) {
		if away := math.Abs(d - center); away > distance {
			at, distance = i, away
		}
	}
	return s.a[at].Replicate
}
