package stat

import "math"

// Disorder is why replicates in their order are not independent values of one level.
type Disorder string

// The disorders; "" is none.
const (
	Ramp    Disorder = "ramp"    // they rise or fall along a straight line
	Step    Disorder = "step"    // one level up to a replicate, and another from there on
	Settles Disorder = "settles" // they approach a level
	Repeats Disorder = "repeats" // each repeats most of the one before
)

// Order describes the dependence of replicates in the order in which they were measured.
type Order struct {
	Repeat float64  // lag-1 autocorrelation, all samples together, corrected for its bias
	Widen  float64  // factor of the standard error of a mean, at least 1
	Why    Disorder // why their interval cannot be trusted; "": it can
	Sample int      // the sample that is farthest from order; -1: all together
	Change float64  // log: Ramp per replicate, Step its height, Settles from first to last, Repeats 0
	At     int      // index of the first replicate after a step
}

const (
	// repeatsMost is the autocorrelation from which replicates are unusable however many there are; repeatsChance, over
	// the root of their number, is a bound that independent ones reach in 0.7% of samples.
	repeatsMost, repeatsChance = 0.5, 2.6
	// above is added to the autocorrelation, in standard errors of it.
	above = 0.3
	// mostRepeat limits the autocorrelation used for Widen, a factor of 4.4.
	mostRepeat = 0.9
	// leastOrder is the number of replicates needed to test for a straight line, leastMoves that for repetition or any
	// other movement.
	leastOrder, leastMoves = 5, 8
	// rampP is the error rate of the test for a ramp.
	rampP = 0.001
	// leastChange is the change from the first replicate to the last that matters: 1%, as in Drift.Holds.
	leastChange = 0.01
	// explains is the share of the variance that a movement must explain to describe the replicates.
	explains = 0.5
)

// OrderOf tests samples of logs, each in the order measured, for whether an interval of their means may treat them as
// independent.
//
// Widen is √((1+r)/(1−r)) (docs/derivations.md#order-of-runs), with r the autocorrelation of all samples
// together plus 0.3 of its standard error: with more, over 2 of 100 comparisons of ten independent replicates that
// differ by 2.4 standard deviations would end without a verdict; with less, those that repeat 0.3 of the one before
// would claim more. Beyond that there are three tests, which independent normal values fail in 0.2 to 0.8% of pairs of
// samples: of r, of a straight line, and of the largest cumulative sum over the scatter between neighbours, which no
// movement inflates.
func OrderOf(samples ...[]float64) Order {
	o := Order{Widen: 1, Sample: -1}
	fewest, values := math.MaxInt, 0
	for _, x := range samples {
		fewest, values = min(fewest, len(x)), values+len(x)
	}
	if values == 0 || fewest < 2 {
		return o
	}
	for _, x := range samples {
		n := float64(len(x))
		r := lagOne(x)
		o.Repeat += (r + (1+3*r)/n) * n / float64(values)
	}
	r := min(max(o.Repeat+above/math.Sqrt(float64(values)), 0), mostRepeat)
	o.Widen = math.Sqrt((1 + r) / (1 - r))
	if moved(samples) {
		o.describe(samples)
	}
	if o.Why == "" && fewest >= leastMoves && o.Repeat > max(repeatsMost, repeatsChance/math.Sqrt(float64(values))) &&
		matters(samples) {
		o.Why = Repeats
	}
	return o
}

// moved reports whether a sample, or all together, moves by more than chance.
func moved(samples [][]float64) bool {
	sum, df := 0.0, 0.0
	for _, x := range samples {
		if len(x) < leastOrder {
			return false
		}
		t := slopeT(x)
		if twoSided(math.Abs(t), float64(len(x)-2)) < rampP ||
			len(x) >= leastMoves && cumulative(x) > 1.75+5/float64(len(x)) {
			return true
		}
		sum, df = sum+t, df+float64(len(x)-2)
	}
	return twoSided(math.Abs(sum)/math.Sqrt(float64(len(samples))), df) < rampP
}

// matters reports whether replicates scatter by more than the floor once their standard deviation is widened by the
// maximum of Widen.
func matters(samples [][]float64) bool {
	for _, x := range samples {
		if SD(x)*math.Sqrt((1+mostRepeat)/(1-mostRepeat)) > SDFloor {
			return true
		}
	}
	return false
}

// describe finds the movement that explains most of a sample: a straight line unless another fits clearly better.
func (o *Order) describe(samples [][]float64) {
	const clearly = 0.05
	best := 0.0
	take := func(sample int, why Disorder, explained, change float64, at int) {
		bonus := 0.0
		if why == Ramp {
			bonus = clearly
		}
		if explained+bonus > best {
			best = explained + bonus
			o.Why, o.Sample, o.Change, o.At = why, sample, change, at
		}
	}
	for i, x := range samples {
		n := len(x)
		b, explained := against(x, func(i int) float64 { return float64(i) })
		take(i, Ramp, explained, b, 0)
		height, explained, at := stepIn(x)
		take(i, Step, explained, height, at)
		for tau := 1.0; tau <= float64(n)/3; tau *= 1.5 {
			b, explained := against(x, func(i int) float64 { return -math.Exp(-float64(i) / tau) })
			take(i, Settles, explained, b*(1-math.Exp(-float64(n-1)/tau)), 0)
		}
	}
	whole := o.Change
	if o.Why == Ramp {
		whole *= float64(len(samples[o.Sample]) - 1)
	}
	if math.Abs(whole) < leastChange {
		*o = Order{Repeat: o.Repeat, Widen: o.Widen, Sample: -1}
	} else if best < explains {
		*o = Order{Repeat: o.Repeat, Widen: o.Widen, Sample: -1, Why: Repeats}
	}
}

// stepIn returns the split of x that explains most of its variance: the height of the step, the share explained, and
// its position.
func stepIn(x []float64) (height, explained float64, at int) {
	n, m, sum, squares := float64(len(x)), Mean(x), 0.0, 0.0
	for _, v := range x {
		squares += (v - m) * (v - m)
	}
	for i, v := range x[:len(x)-1] {
		sum += v - m
		k := float64(i + 1)
		if share := sum * sum * n / (k * (n - k)) / max(squares, 1e-300); share > explained {
			height, explained, at = -sum*n/(k*(n-k)), share, i+1
		}
	}
	return height, explained, at
}

// against returns the least-squares slope of x over a function of its index, and the share of the variance that it
// explains.
func against(x []float64, g func(int) float64) (slope, explained float64) {
	n := float64(len(x))
	m, mg := Mean(x), 0.0
	for i := range x {
		mg += g(i) / n
	}
	var xg, gg, xx float64
	for i, v := range x {
		off := g(i) - mg
		xg, gg, xx = xg+off*(v-m), gg+off*off, xx+(v-m)*(v-m)
	}
	if gg == 0 || xx == 0 {
		return 0, 0
	}
	return xg / gg, xg * xg / gg / xx
}

// slopeT returns Student's t of a straight line through x.
func slopeT(x []float64) float64 {
	slope, explained := against(x, func(i int) float64 { return float64(i) })
	if explained == 0 {
		return 0
	}
	return math.Copysign(math.Sqrt(float64(len(x)-2)*explained/max(1-explained, 1e-12)), slope)
}

// cumulative returns the largest cumulative sum about the mean, over √n standard deviations as estimated from the
// differences of neighbours; 0 if those are all 0.
func cumulative(x []float64) float64 {
	m, n := Mean(x), float64(len(x))
	var sum, most, squares float64
	for i, v := range x {
		sum += v - m
		most = max(most, math.Abs(sum))
		if i > 0 {
			squares += (v - x[i-1]) * (v - x[i-1])
		}
	}
	if squares == 0 {
		return 0
	}
	return most / math.Sqrt(n*squares/(2*(n-1)))
}
