package explain

import (
	"math"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// A disturbance of a whole trial (neighbours, a cold cache, fewer operations) multiplies all costs per operation. The
// tests here divide that factor out.

// ratios holds, for each category and pair, or trial of each side, the log of the cost per operation relative to the
// median over the categories.
type ratios struct {
	a, b   map[category.Name][]float64
	floor  map[category.Name]float64 // standard deviation due to sampling alone
	paired bool
}

// ratiosOf takes the tested categories; a median requires at least three.
func ratiosOf(s sides, scale float64) ratios {
	r := ratios{a: map[category.Name][]float64{}, b: map[category.Name][]float64{}, floor: map[category.Name]float64{},
		paired: s.paired}
	var of []category.Name
	for _, c := range categoriesIn(s, false) {
		if c != category.Unattributed && math.Max(stat.Mean(categoryCosts(s.a, false, c)),
			stat.Mean(categoryCosts(s.b, false, c))) >= enoughCost*scale {
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

// logCosts returns the logs of the categories' costs in each trial; half a sample stands in for none.
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

// countingLog returns the standard deviation of the log of a category's cost due to sampling alone: 1/√n for n samples.
func countingLog(of []profiledTrial, name category.Name) float64 {
	sum := 0.0
	for _, c := range of {
		sum += 1 / (float64(c.cpu.Of(name).Samples) + .5)
	}
	return math.Sqrt(sum / float64(len(of)))
}

// p returns the probability that a category of equal sides stands out as much among the others; 1 if its difference in
// seconds has the other sign.
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

// threads states the mean number of waiting threads, and returns the p-value of their difference. It is 1 if the side
// with more of them has the higher throughput, which explains them.
func (w waitOf) threads(part *CostPart) float64 {
	if len(w.rateA) != len(w.a) || len(w.rateB) != len(w.b) {
		return 1
	}
	a, b := products(w.a, w.rateA), products(w.b, w.rateB)
	meanA, meanB := stat.Mean(a), stat.Mean(b)
	part.ThreadsA, part.ThreadsB = &meanA, &meanB
	d := stat.DifferenceOf(a, b, w.paired, stat.SDFloor*math.Max(meanA, meanB))
	if fewer := stat.Mean(w.rateA) - stat.Mean(w.rateB); d.Mean*fewer <= 0 || d.Mean*part.Diff <= 0 ||
		math.Abs(d.Mean) < enoughThreads {
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
		out[i] = *c.trial
	}
	return out
}

// trialRates returns operations/s; nil if a trial does not have their number.
func trialRates(trials []record.Trial) []float64 {
	out := make([]float64, len(trials))
	for i, t := range trials {
		if out[i] = t.Operations() / t.DurationS; !(out[i] > 0) || math.IsInf(out[i], 0) {
			return nil
		}
	}
	return out
}
