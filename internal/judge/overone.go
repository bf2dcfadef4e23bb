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
			out[p] = ratioTerm(base, many, rateOf(many))
		}
	}
	return out
}

// rateOf is the primary metric's name where it is one of which more is better, else "".
func rateOf(trials []record.Trial) string {
	for _, m := range metricsOf(valid(trials)) {
		if m.Name == primaryOf(trials) && m.Better == record.Higher {
			return m.Name
		}
	}
	return ""
}

// ratioTerm is the ratio of b to a of one machine's cells, by replicate where one
// plan measured both; nil where there is none.
func ratioTerm(a, b []record.Trial, metric string) *Term {
	if metric == "" {
		return nil
	}
	s := pairedBy(a, b, metric, roundOf)
	r, ok := s.ratio(metric, stat.Fixed(defaultAlpha))
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
