package crossover

import (
	"iter"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// Crossing is a change of the better side along an axis. It lies between Lo and Hi, the nearest measured places at
// which the one and the other side is ahead. Where in between is not known: curves that agree at both ends, such as
// linear and saturating ones, cross at other places.
type Crossing struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`         // the others, which the points share
	Load     string            `json:"load,omitempty"` // if it is not the axis
	Metric   string            `json:"metric"`
	Per      string            `json:"per"`
	Wording  finding.Wording   `json:"-"`

	Axis       string  `json:"axis"`        // "cpus", "clients", "rate", or a parameter
	Unit       string  `json:"unit"`        // of the axis: "B", "s"; "" for a plain number
	Lo         float64 `json:"lo"`          // the last place measured at which FromBetter is ahead
	Hi         float64 `json:"hi"`          // the first one at which ToBetter is
	FromBetter string  `json:"from_better"` // the side that is better below, "a" or "b"
	ToBetter   string  `json:"to_better"`

	Even []float64 `json:"even,omitempty"` // the places measured in between: neither side is known to be ahead there
	Runs int       `json:"runs,omitempty"` // runs of each benchmark, if they are too few for verdicts: by estimates only
}

// crossingsOf finds the crossings of each row of comparisons that differ in nothing but their place on one axis. It
// takes verdicts alone: a side is ahead if the comparison is DIFFERENT, and between two such points of opposite winners
// lies one crossing, however the undecided points between them scatter.
//
// If cells have too few replicates for verdicts, it goes by their estimates, and says so.
func crossingsOf(all iter.Seq[point]) []Crossing {
	out := []Crossing{}
	for _, row := range rowsOf(all, decided) {
		out = append(out, row.crossings()...)
	}
	for _, row := range rowsOf(leanings(all), decided) {
		out = append(out, row.wavering(row.crossings())...)
	}
	return out
}

// crossings returns those of a row whose points have verdicts.
func (r row) crossings() []Crossing {
	var out []Crossing
	ahead := -1
	for _, i := range r.ahead() {
		if ahead >= 0 && r.steps[ahead].c.Better != r.steps[i].c.Better {
			out = append(out, r.crossing(r.steps[ahead:i+1]))
		}
		ahead = i
	}
	return out
}

// ahead returns the places at which a side is ahead. A crossing means that either side is ahead somewhere, and of many
// places at which both handle as much, some are DIFFERENT by chance. So the places that follow each other with one
// winner count if one of them is DIFFERENT at an error rate for all places of the row together (Bonferroni).
func (r row) ahead() []int {
	var out, run []int
	sure := false
	end := func() {
		if sure {
			out = append(out, run...)
		}
		run, sure = nil, false
	}
	for i, s := range r.steps {
		if s.c.Verdict != trialset.Different {
			continue
		}
		if len(run) > 0 && r.steps[run[0]].c.Better != s.c.Better {
			end()
		}
		run, sure = append(run, i), sure || s.sureAmong(len(r.steps))
	}
	end()
	return out
}

// sureAmong reports whether a step would be DIFFERENT, and its side ahead, at the error rate that leaves a false one
// among so many places the rate of a verdict. Only one of the two sides can be ahead falsely at a place, so the rate of
// the verdict, which counts both, is that of two places. An estimate without a verdict has no rate to keep.
func (s step) sureAmong(places int) bool {
	if s.c.Alpha == 0 {
		return true
	}
	rate := s.c.Alpha * min(1, 2/float64(places))
	if s.c.Difference != nil {
		return s.c.Ranked.P() <= rate
	}
	iv := estimate.LogsOf(s.c.Bounds)
	half := iv.HalfWidth() * stat.Fixed(rate).Crit(s.c.N) / stat.Fixed(s.c.Alpha).Crit(s.c.N)
	return math.Abs(iv.Lo+iv.Hi)/2 > half
}

// wavering returns what crossings by estimates tell. The scatter of single runs makes estimates near par go to and fro:
// several crossings are one between the first and the last of them, or none if the same side is ahead at both ends.
func (r row) wavering(found []Crossing) []Crossing {
	if len(found) < 2 {
		return found
	}
	first, last := found[0], found[len(found)-1]
	if first.FromBetter == last.FromBetter {
		within := func(s step) bool { return s.x >= first.Lo && s.x <= last.Hi }
		from, to := slices.IndexFunc(r.steps, within), len(r.steps)
		for to > 0 && !within(r.steps[to-1]) {
			to--
		}
		return []Crossing{r.crossing(r.steps[from:to])}
	}
	return nil
}

// crossing returns the one between the first and the last of some steps, whose winners differ.
func (r row) crossing(steps []step) Crossing {
	first, last := steps[0], steps[len(steps)-1]
	out := Crossing{
		Workload: r.rest.c.Workload, Params: r.rest.c.Params, Wording: r.rest.c.Wording, Load: r.rest.c.Load,
		Metric: r.rest.c.Metric, Per: r.rest.c.Per,
		Axis: r.axis.axis, Unit: r.axis.unit, Lo: first.x, Hi: last.x, FromBetter: first.c.Better, ToBetter: last.c.Better,
	}
	if runs := runsOf(steps); runs < estimate.MinReplicates {
		out.Runs = runs
	}
	for _, s := range steps[1 : len(steps)-1] {
		if s.c.Verdict != trialset.Different || out.Runs > 0 {
			out.Even = append(out.Even, s.x)
		}
	}
	return out
}
