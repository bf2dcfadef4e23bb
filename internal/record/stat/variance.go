package stat

import "math"

// Level is a level of repetition, from the lowest up.
type Level int

// The levels: trials within one boot of one instance, boots of one instance, instances.
const (
	Trial Level = iota
	Boot
	Instance
	levels
)

// Nested holds the logs of values, or of pairs' ratios, as [instance][boot][trial].
type Nested [][][]float64

// Component is the contribution of one level to the variance of a log.
type Component struct {
	Total    float64 // S²: variance of this level's means within the level above
	Variance float64 // T²: this level's own part of it; can be below 0 by chance
	Repeated float64 // times within the level above: the harmonic mean
}

// Components returns the variance components by level, unbiased if the levels are independent (Kalibera and Jones,
// Rigorous Benchmarking in Reasonable Time, ISMM 2013):
//
//	T²(1) = S²(1)    T²(i) = S²(i) − S²(i−1)/r(i−1)
//
// Groups of unequal size count by their degrees of freedom. A level without a group of two members is NaN, and its
// variance cannot be separated from that of the level above. No group may be empty.
func (x Nested) Components() [3]Component {
	var out [levels]Component
	below := 0.0
	for l := range levels {
		out[l] = component(x.groups(l))
		out[l].Variance = out[l].Total - below
		if !math.IsNaN(out[l].Total) {
			below = out[l].Total / out[l].Repeated
		}
	}
	return out
}

// groups returns the means of the members of level l, grouped by the level above.
func (x Nested) groups(l Level) [][]float64 {
	var boots, instances [][]float64
	var all []float64
	for _, instance := range x {
		var means []float64
		for _, trials := range instance {
			boots = append(boots, trials)
			means = append(means, Mean(trials))
		}
		instances = append(instances, means)
		all = append(all, Mean(means))
	}
	return [levels][][]float64{boots, instances, {all}}[l]
}

func component(groups [][]float64) Component {
	var squares, df, inverse float64
	for _, g := range groups {
		m := Mean(g)
		for _, v := range g {
			squares += (v - m) * (v - m)
		}
		df += float64(len(g) - 1)
		inverse += 1 / float64(len(g)) / float64(len(groups))
	}
	return Component{Total: squares / df, Repeated: 1 / inverse}
}

// Means returns the values to test for a claim about level l: the mean of each of its members, after averaging out
// every level below. Members of a lower level are not independent if a level above varies: taking ten runs of one
// instance each for replicates finds equal types different in three comparisons of four
// (docs/derivations.md#machine-types). A claim about an instance type tests the means of instances.
func (x Nested) Means(l Level) []float64 {
	var out []float64
	for _, g := range x.groups(l) {
		out = append(out, g...)
	}
	return out
}

// Top returns the highest level that was repeated, whose Means are the ones to test: a claim reaches no further.
func (x Nested) Top() Level {
	for l := Instance; l > Trial; l-- {
		for _, g := range x.groups(l) {
			if len(g) > 1 {
				return l
			}
		}
	}
	return Trial
}

// Repetitions returns how often to repeat a level within one member of the level above for the smallest variance in a
// given time:
//
//	r = ⌈√((costAbove/cost)·(T²/T²above))⌉
//
// with the cost of one more of each, in any unit of time, and their Variances (Kalibera and Jones, as above). It is 1
// if the level itself has no variance, and 0, which means unbounded, if the level above has none.
func Repetitions(cost, costAbove, variance, varianceAbove float64) int {
	switch {
	case variance <= 0:
		return 1
	case varianceAbove <= 0:
		return 0
	}
	return int(math.Ceil(math.Sqrt(costAbove / cost * variance / varianceAbove)))
}

// The bounds of TrialSeconds: shorter trials end before a machine's slow states show, and longer ones cost pairs.
const (
	minTrialSeconds = 30
	maxTrialSeconds = 300
)

// TrialSeconds returns the length of a trial for the smallest variance of the mean in a given time, between 30 and 300
// s:
//
//	√(W·w²·tau/b²)
//
// for a warm-up of W seconds, a standard deviation w of the logs of windows of 1 s with the autocorrelation time tau in
// windows, and a standard deviation b of the logs of trials (docs/derivations.md#machine-types; the optimum of
// Kalibera and Jones for two levels).
func TrialSeconds(warmup, sdWindow, tau, sdTrials float64) float64 {
	if sdWindow == 0 {
		return minTrialSeconds
	}
	best := math.Sqrt(warmup*tau) * sdWindow / sdTrials
	return min(max(best, minTrialSeconds), maxTrialSeconds)
}
