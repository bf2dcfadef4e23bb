package compare

import (
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
)

// sweptLines returns the load lines of the sweeps that two sides share, one trial for each replicate of a sweep. At any
// single rate, two machines that handle it do the same.
func (x comparer) sweptLines(trials []record.Trial) []record.Trial {
	var found []record.Trial
	sides := map[trialset.Key]map[string]bool{}
	at := func(t record.Trial) trialset.Key { return trialset.KeyOf(t, x.axis.By, x.axis.Varied) }
	for _, side := range x.axis.Levels {
		of := trialset.Filter(trials, func(t *record.Trial) bool { return axis.Level(t.Keys, x.axis.By) == side })
		for _, r := range loadline.RampsOf(of) {
			for _, line := range r.LineTrials(x.in.Ask.Objectives) {
				found = append(found, line)
				if sides[at(line)] == nil {
					sides[at(line)] = map[string]bool{}
				}
				sides[at(line)][side] = true
			}
		}
	}
	return slices.DeleteFunc(found, func(t record.Trial) bool { return len(sides[at(t)]) < 2 })
}

// notCrossed returns a comparison without a ratio if a load line is only known to be at least the highest load. The
// crossed lines alone would be the lower ones, and their ratio biased.
func (x comparer) notCrossed(m trialset.Matched, metric record.Metric, primary bool) (finding.Comparison, bool) {
	if !loadline.IsLine(metric.Name) {
		return finding.Comparison{}, false
	}
	c := x.begin(m, metric, primary)
	if x.axis.By == trialset.ByType {
		c.Claim = trialset.ClaimType
	}
	a, b := trialset.Having(m.A, metric.Name), trialset.Having(m.B, metric.Name)
	openA, openB := atLeast(a, metric.Name), atLeast(b, metric.Name)
	if openA+openB == 0 {
		return c, false
	}
	c.A, c.B, c.N = estimate.Average(trialset.ValuesOf(a, metric.Name)),
		estimate.Average(trialset.ValuesOf(b, metric.Name)), min(len(a), len(b))
	for _, side := range []struct {
		name  string
		value *float64
		bound **float64
		open  int
		of    int
	}{{sideA, &c.A, &c.AtLeastA, openA, len(a)}, {sideB, &c.B, &c.AtLeastB, openB, len(b)}} {
		if side.open > 0 {
			least := *side.value
			*side.value, *side.bound = math.NaN(), &least
			c.Flag("line-not-crossed", side.open, side.of, side.name)
		}
	}
	return c, true
}

// atLeast counts the trials whose value is only a lower bound.
func atLeast(trials []record.Trial, metric string) int {
	n := 0
	for _, t := range trials {
		if v, ok := t.Value(metric); ok && v.AtLeast {
			n++
		}
	}
	return n
}
