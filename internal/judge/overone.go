package judge

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// overOnesOf says of each cell on several CPUs how many times it carries what
// the same carries on one, where that was measured.
func overOnesOf(trials []record.Trial) map[place]*Term {
	one := map[place][]record.Trial{}
	for _, t := range trials {
		if cpusOf(t) == 1 {
			one[familyOf(t)] = append(one[familyOf(t)], t)
		}
	}
	out := map[place]*Term{}
	order, cells := grouped(trials, func(t record.Trial) place { return placeOf(t, "", nil) })
	for _, p := range order {
		many := cells[p]
		base := one[familyOf(many[0])]
		if cpusOf(many[0]) > 1 && len(base) > 0 {
			out[p] = overOne(base, many)
		}
	}
	return out
}

// overOne is how many times as much the cell of many CPUs carries as that of one.
func overOne(one, many []record.Trial) *Term {
	if m := primaryMetric(many); runsIn(many[0], m) > 0 {
		return perTime(ratioTerm(one, many, m.Name), runsIn(many[0], m))
	}
	return ratioTerm(one, many, rateOf(many))
}

// perTime turns a ratio of times of so many runs, over that of one, into the ratio of runs done.
func perTime(t *Term, runs float64) *Term {
	if t == nil {
		return nil
	}
	out := Term{Value: runs / t.Value}
	if t.Lo != nil {
		lo, hi := runs / *t.Hi, runs / *t.Lo
		out.Lo, out.Hi = &lo, &hi
	}
	return &out
}

// rateOf is the primary metric's name where it is one of which more is better, else "".
func rateOf(trials []record.Trial) string {
	if m := primaryMetric(trials); m.Better == record.Higher {
		return m.Name
	}
	return ""
}

func primaryMetric(trials []record.Trial) record.Metric {
	for _, m := range metricsOf(valid(trials)) {
		if m.Name == primaryOf(trials) {
			return m
		}
	}
	return record.Metric{}
}

// ratioTerm is the ratio of b to a of one machine's cells, by replicate where one
// plan measured both; nil where there is none.
func ratioTerm(a, b []record.Trial, metric string) *Term {
	if metric == "" {
		return nil
	}
	s := pairedBy(a, b, metric, roundOf)
	r, ok := s.ratio(metric, stat.OptsFor(stat.Fixed(defaultAlpha)))
	if !ok {
		return nil
	}
	return termOf(r.LogRatio, s.n())
}

// termOf leaves the log scale; n is the number of replicates behind it.
func termOf(r stat.LogRatio, n int) *Term {
	t := Term{Value: math.Exp(r.Mean)}
	if n >= minReplicates {
		t = bounded(t.Value, stat.Interval{Lo: math.Exp(r.Hull.Lo), Hi: math.Exp(r.Hull.Hi)})
	}
	return &t
}
