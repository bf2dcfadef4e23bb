package selftest

import (
	"plimsoll/internal/base/list"
	"plimsoll/internal/record/stat"
)

// biasLimit is how far the median of the estimates after a stop may be from the truth, in half-widths of the interval.
const biasLimit = .1

// hopeless is the most pairs, on average, of a comparison of equal machines whose noise keeps it from a verdict: three
// quarters of the 29.1 that it takes without an end for futility.
const hopeless = 21.8

// foundNoisy is the least share of differences of 3% that are found under noise of 4%: 86.7% without an end for
// futility, which may cost two points.
const foundNoisy = .847

// stops returns gates for the estimate that a stop has selected, and for sessions that end for futility. The one of
// claims alone is published: whoever reads only these reads the largest.
func (t tests) stops() ([]Gate, error) {
	hidden, err := t.sequential(equal("futile, sd 4%", normal(.04)))
	if err != nil {
		return nil, err
	}
	out := []Gate{meanGate("A/A until decided or futile, normal, sd 4%: pairs, mean", hidden, hopeless)}
	for _, c := range []struct {
		setting
		claims, found bool // gate these too
	}{
		{faster("+2%, sd 2%", .02, normal(.02)), false, false},
		{faster("+2%, sd 4%", .02, normal(.04)), true, false},
		{faster("+3%, sd 4%", .03, normal(.04)), false, true},
	} {
		got, err := t.sequential(c.setting)
		if err != nil {
			return nil, err
		}
		name := "estimate after the stop, " + c.name
		out = append(out, biasGate(name+": bias of the median", offs(got), biasLimit))
		if c.found {
			out = append(out, shareGate(c.name+": found", claims(got), len(got), AtLeast, foundNoisy))
		}
		if c.claims {
			claimed := list.Filter(got, func(o outcome) bool { return o.claim })
			out = append(out, shown(biasGate(name+", of claims alone: bias of the median", offs(claimed), biasLimit)))
		}
	}
	return out, nil
}

func offs(of []outcome) []float64 {
	out := make([]float64, len(of))
	for i, o := range of {
		out[i] = o.off
	}
	return out
}

// meanGate gates the mean number of pairs.
func meanGate(name string, got []outcome, gate float64) Gate {
	pairs := pairsOf(got)
	mean, off := stat.Mean(pairs), boundNormal*standardError(pairs)
	return chanced(name, Pairs, mean, mean-off, mean+off, len(got), AtMost, gate)
}
