package bottleneck

import (
	"cmp"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// Thresholds for an activity to coincide with a dip.
const (
	besideBefore = 2.  // s that a checkpoint may begin before the dip: its first writes and page images take time to show
	besideEnds   = 1.  // s before the dip in which a checkpoint may end: its last fsyncs block other writes
	besideTimes  = 1.5 // ratio of images, or of the share of time, to that outside dips
	besideImages = 5.  // images/s: any server has fewer
	besideShare  = .10 // of the backends' time, above that outside dips
	besideHalf   = .5  // fraction of the dip's seconds in which a vacuum must run
	besideRest   = .5  // of that fraction, the most outside dips
)

// besides returns the activities during a dip that are absent outside all dips of the trial.
func besides(t Track, d stat.Dip, all []stat.Dip) []Beside {
	out := []Beside{}
	rest := restOf(len(t.Ops), all)
	in := seconds(d)
	if b, ok := besideBroker(t, d); ok {
		out = append(out, b)
	}
	if b, ok := besideCheckpoint(t, d, rest); ok {
		out = append(out, b)
	}
	if b, ok := besideRate(t.Series[record.DBPageImages], t.Step, in, rest); ok {
		out = append(out, b)
	}
	if b, ok := besideVacuum(t, in, rest); ok {
		out = append(out, b)
	}
	return append(out, besideWaits(t, in, rest)...)
}

// seconds returns the steps of a dip. The server reports its counters late: a dip's second may show up in the next one.
func seconds(d stat.Dip) []int {
	var out []int
	for i := d.From; i < d.To; i++ {
		out = append(out, i)
	}
	return out
}

func restOf(n int, all []stat.Dip) []int {
	var out []int
	for i := range n {
		if !slices.ContainsFunc(all, func(d stat.Dip) bool { return i >= d.From && i <= d.To }) {
			out = append(out, i)
		}
	}
	return out
}

// besideBroker returns the broker that was killed or added before the end of the dip, if the cluster was not yet whole
// at its beginning.
func besideBroker(t Track, d stat.Dip) (Beside, bool) {
	for _, m := range t.Marks {
		if isFault(m) && m.From < t.Step*float64(d.To) && m.To > t.Step*float64(d.From) {
			return Beside{What: m.What, Detail: m.Detail, At: &m.From}, true
		}
	}
	return Beside{}, false
}

// besideCheckpoint returns the first checkpoint that began shortly before or in a dip, or ended there. It reports false
// if most other seconds are as close to a checkpoint.
func besideCheckpoint(t Track, d stat.Dip, rest []int) (Beside, bool) {
	near := func(from, to int) (Mark, bool) {
		begin, end := t.Step*float64(from), t.Step*float64(to)
		for _, m := range t.Marks {
			if m.What == BesideCheckpoint && (m.From >= begin-besideBefore && m.From < end ||
				m.To >= begin-besideEnds && m.To < end) {
				return m, true
			}
		}
		return Mark{}, false
	}
	m, ok := near(d.From, d.To)
	if !ok {
		return Beside{}, false
	}
	others := 0.
	for _, i := range rest {
		if _, ok := near(i, i+1); ok {
			others++
		}
	}
	if len(rest) > 0 && others > besideRest*float64(len(rest)) {
		return Beside{}, false
	}
	return Beside{What: m.What, Detail: m.Detail, At: &m.From}, true
}

// besideRate reports whether a dip has many more full-page images than the rest.
func besideRate(series []float64, step float64, in, rest []int) (Beside, bool) {
	within, other := meanAt(series, in)/step, meanAt(series, rest)/step
	if within < besideImages || within < besideTimes*other {
		return Beside{}, false
	}
	return Beside{What: BesideImages, Within: &within, Other: &other}, true
}

// besideVacuum reports whether autovacuum ran during a dip, and seldom otherwise.
func besideVacuum(t Track, in, rest []int) (Beside, bool) {
	there := func(of []int) float64 {
		n := 0.0
		for _, i := range of {
			if valueAt(t.Series[record.DBAutovacuum], i) > 0 {
				n++
			}
		}
		return trialset.Part(n, float64(len(of)))
	}
	within, other := there(in), there(rest)
	if within < besideHalf || other > besideRest*within {
		return Beside{}, false
	}
	b := Beside{What: BesideVacuum, Within: &within, Other: &other}
	from, to := t.Step*float64(in[0]), t.Step*float64(in[len(in)-1]+1)
	for _, m := range t.Marks {
		if m.What == BesideVacuum && m.From < to && m.To > from {
			b.Detail, b.At = m.Detail, &m.From
			break
		}
	}
	return b, true
}

// besideWaits returns the wait classes with a much larger share of the backends' time in a dip than otherwise, largest
// first.
func besideWaits(t Track, in, rest []int) []Beside {
	var out []Beside
	for _, class := range record.WaitClasses() {
		within, other := shareAt(t, class, in), shareAt(t, class, rest)
		if within-other >= besideShare && within >= besideTimes*other {
			out = append(out, Beside{What: class, Within: &within, Other: &other})
		}
	}
	slices.SortStableFunc(out, func(a, b Beside) int { return cmp.Compare(*b.Within-*b.Other, *a.Within-*a.Other) })
	return out
}

// shareAt returns the share of a class in the sampled activity of the backends over some steps.
func shareAt(t Track, class string, of []int) float64 {
	own, all := 0.0, 0.0
	for _, c := range record.WaitClasses() {
		n := meanAt(t.Series[record.DBWait(c)], of)
		all += n
		if c == class {
			own = n
		}
	}
	return trialset.Part(own, all)
}

func meanAt(series []float64, of []int) float64 {
	sum := 0.0
	for _, i := range of {
		sum += valueAt(series, i)
	}
	return trialset.Part(sum, float64(len(of)))
}

// valueAt returns a value of a series; 0 if it is missing.
func valueAt(series []float64, i int) float64 {
	if i >= len(series) {
		return 0
	}
	return series[i]
}
