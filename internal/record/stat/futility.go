package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// FutileBelow is the probability of a decision below which a session with interim analyses ends undecided: it saves at
// least a quarter of the pairs of equal sides at a noise of 4% and more, and costs at most 2% of all sessions a
// decision (docs/derivations.md#futility).
const FutileBelow = 0.035

// calmSpread returns the standard deviation of a pair by which a session is judged for futility: the smaller of
// pairSpread and 1.2 times that by the median absolute deviation, which half of the pairs being stalled would not move.
// The factor makes the smaller one right on average for 8 to 30 normal pairs. By pairSpread alone, which a few of ten
// pairs still move, 3 to 13% of the sessions of which runs stall would end that were to decide.
func calmSpread(d []float64) float64 {
	const right = 1.2
	_, byMedian := MedianSpread(d)
	return min(pairSpread(d), right*byMedian)
}

// calmDegrees is how many degrees of freedom calmSpread has for each that a standard deviation would have: 1/(2
// Var(ln)) of 20,000 simulated sessions of normal pairs was 0.44 to 0.59 times n-1 for 8 to 30 pairs.
const calmDegrees = 0.5

// Chance returns the probability that a session decides at its last analysis, given the estimate and the spread of
// its n pairs so far: the predictive probability (Spiegelhalter, Freedman and Blackburn, Controlled Clinical Trials 7,
// 1986) under a flat prior of the mean and of ln of the standard deviation, for independent normal pairs. Sums of
// squares add up exactly: with k more pairs, those around the last mean are those of the n pairs, plus σ²z² for the
// standard normal z by which the mean moves, plus σ² times a chi-squared variable with k-1 degrees of freedom.
//
// It takes the signed ranks for as efficient as Student's t, which they are within 5% for normal noise, and leaves out
// what widens intervals, and so errs towards going on. A session of fewer than MinRanks pairs is never futile: one
// stalled run would end it.
func (r Rule) Chance(n int, mean, sd float64) float64 {
	return r.projectionFrom(n).chance(mean, sd)
}

// projection is what is known beforehand of the last analysis of a session after some pairs.
type projection struct {
	Rule
	n, all, crit float64
	spreads      []float64 // equally likely values of the true standard deviation over that of the pairs
}

func (r Rule) projectionFrom(n int) projection {
	const spreads = 8
	last := r.Boundary.Looks[len(r.Boundary.Looks)-1]
	p := projection{Rule: r, n: float64(n), all: float64(last), crit: r.Boundary.Crit(last)}
	df := calmDegrees * (p.n - 1)
	for i := range spreads {
		z := distuv.UnitNormal.Quantile((float64(i) + .5) / spreads)
		p.spreads = append(p.spreads, math.Sqrt(df/chiSquaredQuantile(z, df)))
	}
	return p
}

func (p projection) chance(mean, sd float64) float64 {
	const reach, step = 4.0, 0.5
	k, moves := p.all-p.n, math.Sqrt(1/p.n-1/p.all)
	s := math.Max(sd, p.SDFloor)
	squares := (p.n - 1) * s * s
	sum, weights := 0.0, 0.0
	for _, spread := range p.spreads {
		sigma := s * spread
		for z := -reach; z <= reach; z += step {
			weight := math.Exp(-z * z / 2)
			weights += weight
			most := p.decisive(mean+sigma*z*moves) * math.Sqrt(p.all) / p.crit // the scatter that decides
			left := ((p.all-1)*most*most-squares)/(sigma*sigma) - z*z
			switch {
			case most <= p.SDFloor:
			case k == 1 && left >= 0:
				sum += weight
			case k > 1:
				sum += weight * chiSquared(left, k-1)
			}
		}
	}
	return sum / weights
}

// futileMeans returns between which absolute means a session with that scatter ends undecided; none if hi is 0.
func (p projection) futileMeans(sd float64) (lo, hi float64) {
	futile := func(mean float64) bool { return p.chance(mean, sd) < p.Boundary.Futile }
	worst := p.Margin / 2 // as far from a difference as from equality
	if p.Quick {
		worst = 0
	}
	if !futile(worst) {
		return 0, 0
	}
	const halvings = 10
	between := func(inside, outside float64) float64 {
		for range halvings {
			if mid := (inside + outside) / 2; futile(mid) {
				inside = mid
			} else {
				outside = mid
			}
		}
		return (inside + outside) / 2
	}
	if worst > 0 && !futile(0) {
		lo = between(worst, 0)
	}
	return lo, between(worst, worst+2*p.crit*math.Max(sd, p.SDFloor)/math.Sqrt(p.n))
}

// Sufficient returns how many pairs of this spread would decide for this mean at the error rate of one analysis, which
// are more than the analysed ones. It is 0 if MostPairs are too few.
func (r Rule) Sufficient(mean, spread float64, analysed int) int {
	target := r.decisive(mean)
	for n := analysed + 1; n <= MostPairs; n++ {
		if r.Boundary.Crit(n)*max(spread, r.SDFloor)/math.Sqrt(float64(n)) < target {
			return n
		}
	}
	return 0
}
