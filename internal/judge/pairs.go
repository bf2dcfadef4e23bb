package judge

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// sample is the valid trials of one cell on both sides. Where paired, a[i] and
// b[i] ran side by side in time.
type sample struct {
	a, b   []record.Trial
	paired bool
}

// slot is what the two trials of a pair share.
type slot struct {
	plan             string
	group, replicate int
}

func slotOf(t record.Trial) slot { return slot{t.Plan, t.Group, t.Replicate} }

// roundOf is what the trials of one replicate share, whichever cells they are
// of: a plan runs all of its cells once before it runs them again.
func roundOf(t record.Trial) slot { return slot{plan: t.Plan, replicate: t.Replicate} }

// newSample takes the trials that have the metric and pairs them where their
// plan ran them side by side; where it paired none, all trials stand unpaired.
func newSample(a, b []record.Trial, metric string) sample { return pairedBy(a, b, metric, slotOf) }

// pairedBy pairs the trials of two cells of one plan that share a slot.
func pairedBy(a, b []record.Trial, metric string, at func(record.Trial) slot) sample {
	a, b = having(a, metric), having(b, metric)
	_, partners := grouped(b, at)
	var s sample
	for _, t := range a {
		shared := at(t)
		// One cell of a plan on both sides means one plan run on two machines, at two times.
		if len(partners[shared]) == 0 || t.Plan == "" || partners[shared][0].Cell == t.Cell {
			continue
		}
		s.a, s.b = append(s.a, t), append(s.b, partners[shared][0])
		partners[shared] = partners[shared][1:]
	}
	if len(s.a) > 0 {
		s.paired = true
		return s
	}
	return sample{a: a, b: b}
}

func having(trials []record.Trial, metric string) []record.Trial {
	var out []record.Trial
	for _, t := range valid(trials) {
		if _, ok := t.Value(metric); ok {
			out = append(out, t)
		}
	}
	return out
}

func (s sample) n() int { return min(len(s.a), len(s.b)) }

// undisturbed leaves out tainted trials, and their partners where paired.
func (s sample) undisturbed() sample {
	out := sample{paired: s.paired}
	for i, t := range s.a {
		if !tainted(t) && !(s.paired && tainted(s.b[i])) {
			out.a = append(out.a, t)
		}
	}
	for i, t := range s.b {
		if !tainted(t) && !(s.paired && tainted(s.a[i])) {
			out.b = append(out.b, t)
		}
	}
	return out
}

// ratio estimates the log ratio of b to a of one metric. It is false where a
// value is not positive, so that there is none.
func (s sample) ratio(metric string, boundary stat.Boundary) (stat.PairedLogRatio, bool) {
	a, b := stat.Logs(valuesOf(s.a, metric)), stat.Logs(valuesOf(s.b, metric))
	o := stat.OptsFor(boundary)
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
