package crossover

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// OnPar is up to how many of the CPUs measured the weaker side keeps up: it falls behind, say, from its second threads on.
type OnPar struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"` // the others, which the numbers of CPUs share
	Metric   string            `json:"metric"`
	Minor    []string          `json:"-"` // parameters that tables leave out

	Side  string `json:"side"`  // that falls behind at the most CPUs, "a" or "b"
	Until int    `json:"until"` // CPUs up to which the other is nowhere DIFFERENT and better; 0: it is so everywhere
	Of    int    `json:"of"`    // the most CPUs that both measured

	Runs int `json:"runs,omitempty"` // replicates of each cell, if they are too few for verdicts: by estimates alone
}

// minOnPar is how many different numbers of CPUs there must be.
const minOnPar = 3

// onParsOf goes by the verdicts on primary metrics along the CPUs, or by estimates if cells have too few replicates for
// verdicts.
func onParsOf(all []point) []OnPar {
	return append(onParsIn(all), onParsIn(leanings(all))...)
}

func onParsIn(all []point) []OnPar {
	out := []OnPar{}
	keep := func(l point) bool { return rated(l) && decided(l) }
	for _, r := range rowsOf(all, keep) {
		last := r.steps[len(r.steps)-1]
		if !r.axis.load || r.axis.axis != record.ParamCPUs || len(r.steps) < minOnPar || last.c.Verdict != trialset.Different {
			continue
		}
		o := OnPar{
			Workload: r.rest.c.Workload, Params: r.rest.c.Params, Minor: r.rest.c.Minor, Metric: r.rest.c.Metric,
			Side: other(last.c.Better), Of: int(last.x),
		}
		for _, s := range r.steps {
			if s.c.Verdict == trialset.Different && s.c.Better == last.c.Better {
				break
			}
			o.Until = int(s.x)
		}
		if runs := runsOf(r.steps); runs < estimate.MinReplicates {
			o.Runs = runs
		}
		out = append(out, o)
	}
	return out
}

func other(side string) string {
	if side == "a" {
		return "b"
	}
	return "a"
}
