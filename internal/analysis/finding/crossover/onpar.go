package crossover

import (
	"iter"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// OnPar is at which of the numbers of CPUs measured the weaker side keeps up: it falls behind, say, from its second
// threads on.
type OnPar struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"` // the others, which the numbers of CPUs share
	Metric   string            `json:"metric"`
	Wording  finding.Wording   `json:"-"`

	Side  string `json:"side"`  // that falls behind at the most CPUs, "a" or "b"
	Until int    `json:"until"` // CPUs up to which the other is nowhere DIFFERENT and better; 0: it is so everywhere
	// the fewest CPUs measured at which the other is DIFFERENT and better: the side falls behind between the last of
	// Ahead, if there is one, and these
	From int `json:"from"`
	Of   int `json:"of"` // the most CPUs that both measured

	// CPUs up to Until at which the side is DIFFERENT and better: there it is ahead and not on par
	Ahead []int `json:"ahead,omitempty"`
	Even  []int `json:"even,omitempty"` // the others up to Until
	Lead  *Lead `json:"lead,omitempty"` // the largest of them

	Runs int `json:"runs,omitempty"` // runs of each benchmark, if they are too few for verdicts: by estimates only
}

// Lead is how far the side that later falls behind is ahead at one number of CPUs: its throughput, or the inverse of
// its time, over that of the other.
type Lead struct {
	CPUs  int     `json:"cpus"`
	Ratio float64 `json:"ratio"`
	// Ratio, without an interval
	figure.Bounds
}

// minOnPar is how many different numbers of CPUs there must be.
const minOnPar = 3

// onParsOf goes by the verdicts on primary metrics along the CPUs, or by estimates if cells have too few replicates for
// verdicts.
func onParsOf(all iter.Seq[point]) []OnPar {
	return append(onParsIn(all), onParsIn(leanings(all))...)
}

func onParsIn(all iter.Seq[point]) []OnPar {
	out := []OnPar{}
	keep := func(l point) bool { return rated(l) && decided(l) }
	for _, r := range rowsOf(all, keep) {
		last := r.steps[len(r.steps)-1]
		if !r.axis.load || r.axis.axis != record.ParamCPUs || len(r.steps) < minOnPar ||
			last.c.Verdict != trialset.Different {
			continue
		}
		o := OnPar{
			Workload: r.rest.c.Workload, Params: r.rest.c.Params, Wording: r.rest.c.Wording, Metric: r.rest.c.Metric,
			Side: other(last.c.Better), Of: int(last.x),
		}
		for _, s := range r.steps {
			if s.c.Verdict == trialset.Different && s.c.Better == last.c.Better {
				o.From = int(s.x)
				break
			}
			o.reach(s)
		}
		if runs := runsOf(r.steps); runs < estimate.MinReplicates {
			o.Runs = runs
		}
		out = append(out, o)
	}
	return out
}

// reach extends the range in which a side keeps up.
func (o *OnPar) reach(s step) {
	o.Until = int(s.x)
	if s.c.Verdict != trialset.Different {
		o.Even = append(o.Even, o.Until)
		return
	}
	o.Ahead = append(o.Ahead, o.Until)
	r := s.c.Change()
	if r.Value < 1 {
		r = r.Inverse(1)
	}
	if o.Lead == nil || r.Value > o.Lead.Ratio {
		o.Lead = &Lead{o.Until, r.Value, r.Bounds}
	}
}

func other(side string) string {
	if side == "a" {
		return "b"
	}
	return "a"
}
