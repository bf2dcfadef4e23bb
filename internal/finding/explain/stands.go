package explain

import (
	"math"

	"plimsoll/internal/category"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// Whatever disturbs a trial as a whole (neighbours, a cold cache, fewer operations) multiplies all that an operation takes. The tests here are of what is left
// when that is taken out.

// ratios are, for each category and pair, or trial of each side, the log of what an operation takes, against the median over the categories.
type ratios struct {
	a, b   map[category.Name][]float64
	floor  map[category.Name]float64 // standard deviation by counting samples alone
	paired bool
}

// ratiosOf takes the categories that are tested; there must be three for a median to mean anything.
func ratiosOf(s sides, scale float64) ratios {
	r := ratios{a: map[category.Name][]float64{}, b: map[category.Name][]float64{}, floor: map[category.Name]float64{}, paired: s.paired}
	var of []category.Name
	for _, c := range categoriesIn(s, false) {
		if c != category.Unattributed && math.Max(stat.Mean(categoryCosts(s.a, false, c)), stat.Mean(categoryCosts(s.b, false, c))) >= enoughCost*scale {
			of = append(of, c)
		}
	}
	if len(of) < 3 {
		return r
	}
	left, right := logCosts(s.a, of), logCosts(s.b, of)
	for i, c := range of {
		r.a[c], r.b[c] = left[i], right[i]
		r.floor[c] = math.Hypot(countingLog(s.a, c), countingLog(s.b, c))
	}
	middle := make([]float64, len(of))
	if s.paired {
		for t := range s.a {
			for i := range of {
				middle[i] = right[i][t] - left[i][t]
			}
			m := stat.Median(middle)
			for i := range of {
				right[i][t] -= m
			}
		}
		return r
	}
	for i := range of {
		middle[i] = stat.Mean(right[i]) - stat.Mean(left[i])
	}
	m := stat.Median(middle)
	for i := range of {
		for t := range right[i] {
			right[i][t] -= m
		}
	}
	return r
}

// logCosts are the logs of the categories' costs in each trial; half a sample stands in for none.
func logCosts(of []profiledTrial, categories []category.Name) [][]float64 {
	out := make([][]float64, len(categories))
	for i, name := range categories {
		for _, c := range of {
			share := (float64(c.cpu.Of(name).Samples) + .5) / (float64(c.cpu.Samples) + .5)
			out[i] = append(out[i], math.Log(share*c.cpu.PerOp))
		}
	}
	return out
}

// countingLog is the standard deviation of the log of a category's cost by counting alone: of n samples 1/√n.
func countingLog(of []profiledTrial, name category.Name) float64 {
	sum := 0.0
	for _, c := range of {
		sum += 1 / (float64(c.cpu.Of(name).Samples) + .5)
	}
	return math.Sqrt(sum / float64(len(of)))
}

// p is the probability that a category stands out as much among the others where it does not; 1 where its difference in seconds points the other way.
func (r ratios) p(name category.Name, difference float64) float64 {
	if len(r.a[name]) == 0 {
		return 1
	}
	d := stat.DifferenceOf(r.a[name], r.b[name], r.paired, math.Max(r.floor[name], stat.SDFloor))
	if d.Mean*difference <= 0 || !farApart(math.Exp(d.Mean)) {
		return 1
	}
	return d.P()
}

// threads states how many threads wait at a time, and is the probability that they are as far apart where they are not. It is 1 where those are more on the
// side that carries more: there it is the operations that are more.
func (w waitOf) threads(part *CostPart) float64 {
	if len(w.rateA) != len(w.a) || len(w.rateB) != len(w.b) {
		return 1
	}
	a, b := products(w.a, w.rateA), products(w.b, w.rateB)
	meanA, meanB := stat.Mean(a), stat.Mean(b)
	part.ThreadsA, part.ThreadsB = &meanA, &meanB
	d := stat.DifferenceOf(a, b, w.paired, stat.SDFloor*math.Max(meanA, meanB))
	if fewer := stat.Mean(w.rateA) - stat.Mean(w.rateB); d.Mean*fewer <= 0 || d.Mean*part.Diff <= 0 || math.Abs(d.Mean) < enoughThreads {
		return 1
	}
	return d.P()
}

func products(x, y []float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = x[i] * y[i]
	}
	return out
}

func costedTrials(of []profiledTrial) []record.Trial {
	out := make([]record.Trial, len(of))
	for i, c := range of {
		out[i] = c.trial
	}
	return out
}

// trialRates are operations a second; none where a trial does not say how many there were.
func trialRates(trials []record.Trial) []float64 {
	out := make([]float64, len(trials))
	for i, t := range trials {
		if out[i] = t.Operations() / t.DurationS; !(out[i] > 0) || math.IsInf(out[i], 0) {
			return nil
		}
	}
	return out
}
