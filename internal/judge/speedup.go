package judge

import (
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// overOnesOf says of each cell on several CPUs how many times it carries what
// the same carries on one, where that was measured.
func speedupsOf(trials []record.Trial) map[place]*Estimate {
	one := map[place][]record.Trial{}
	for _, t := range trials {
		if cpusOf(t) == 1 {
			one[familyOf(t)] = append(one[familyOf(t)], t)
		}
	}
	out := map[place]*Estimate{}
	order, cells := grouped(trials, func(t record.Trial) place { return placeOf(t, "", nil) })
	for _, p := range order {
		many := cells[p]
		base := one[familyOf(many[0])]
		if cpusOf(many[0]) > 1 && len(base) > 0 {
			out[p] = speedupOf(base, many)
		}
	}
	return out
}

// overOne is how many times as much the cell of many CPUs carries as that of one.
func speedupOf(one, many []record.Trial) *Estimate {
	m := primaryMetric(many)
	runs := runsIn(many[0], m)
	if runs == 0 {
		return ratioOf(one, many, rateOf(many))
	}
	times := ratioOf(one, many, m.Name)
	if times == nil {
		return nil
	}
	done := times.Inverse(runs)
	return &done
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
func ratioOf(a, b []record.Trial, metric string) *Estimate {
	if metric == "" {
		return nil
	}
	s := pairedBy(a, b, metric, roundOf)
	r, ok := s.ratio(metric, stat.OptsFor(stat.Fixed(Alpha)))
	if !ok {
		return nil
	}
	e := FromLogs(r.LogRatio, s.n())
	return &e
}
