package instances

import (
	"maps"
	"math"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
)

// inBlocks pairs the machines that share a block, if enough do for an interval or too few are there for one without
// pairs. A pair's log ratios are of the replicates that both machines have.
func (l Launches) inBlocks() (Launches, bool) {
	inA, inB := l.A.byBlock(), l.B.byBlock()
	out := Launches{A: Instances{trials: map[string][]record.Trial{}}, B: Instances{trials: map[string][]record.Trial{}},
		metric: l.metric, Paired: true}
	for _, shared := range slices.Sorted(maps.Keys(inA)) {
		x, y := inA[shared], inB[shared]
		if len(x) != 1 || len(y) != 1 {
			continue
		}
		logs := matched(l.A.trials[x[0]], l.B.trials[y[0]], l.metric)
		if len(logs) == 0 {
			continue
		}
		out.A.add(x[0], l.A.trials[x[0]])
		out.B.add(y[0], l.B.trials[y[0]])
		out.d = append(out.d, [][]float64{logs})
	}
	if n := len(out.d); n == 0 || n < estimate.MinReplicates && l.N() >= estimate.MinReplicates {
		return l, false
	}
	for _, name := range slices.Concat(l.A.names, l.B.names) {
		if out.A.trials[name] == nil && out.B.trials[name] == nil {
			out.Alone = append(out.Alone, name)
		}
	}
	return out, true
}

func (in *Instances) add(name string, trials []record.Trial) {
	in.names, in.trials[name] = append(in.names, name), trials
}

// planBlock identifies a block of a plan.
type planBlock struct{ plan, number string }

// byBlock returns the names of the machines of each block. A machine in blocks of several plans is in each.
func (in Instances) byBlock() map[string][]string {
	out := map[string][]string{}
	for _, name := range in.names {
		own := map[planBlock]bool{}
		for _, t := range in.trials[name] {
			if at := (planBlock{t.Plan, t.Keys[record.KeyBlock]}); at.number != "" && !own[at] {
				own[at] = true
				out[at.plan+" "+at.number] = append(out[at.plan+" "+at.number], name)
			}
		}
	}
	return out
}

// matched returns the log ratios of b to a in the replicates that two machines both have.
func matched(a, b []record.Trial, metric string) []float64 {
	s := trialset.PairedBy(a, b, metric, trialset.SlotOf)
	if !s.Paired {
		return nil
	}
	return slices.DeleteFunc(s.Differences(metric), func(d float64) bool { return math.IsNaN(d) || math.IsInf(d, 0) })
}
