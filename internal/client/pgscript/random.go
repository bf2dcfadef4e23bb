package pgscript

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// The bounds of the distributions' parameters, as in pgbench.
const (
	leastGaussian = 2.0
	leastZipfian  = 1.001
	mostZipfian   = 1000.0
)

var errEmptyRange = errors.New("the range is empty: the upper bound is below the lower one")

// span returns the number of whole numbers from lo to hi.
func span(lo, hi int64) (uint64, error) {
	if hi < lo {
		return 0, errEmptyRange
	}
	n := uint64(hi) - uint64(lo) + 1
	if n == 0 || n > math.MaxInt64 {
		return 0, errors.New("the range exceeds that of a whole number")
	}
	return n, nil
}

// uniform returns each whole number from lo to hi with equal probability.
func uniform(r *rand.Rand, lo, hi int64) (int64, error) {
	n, err := span(lo, hi)
	if err != nil {
		return 0, err
	}
	return lo + int64(r.Uint64N(n)), nil
}

// part returns the whole number at a fraction, in [0, 1), of the range.
func part(lo int64, n uint64, fraction float64) int64 {
	// The product of the largest fraction below 1 and a large range may round to the range.
	return lo + int64(min(uint64(float64(n)*fraction), n-1))
}

// exponential returns numbers closer to lo the larger the parameter: it inverts the distribution function of an
// exponential distribution truncated at the parameter.
func exponential(r *rand.Rand, lo, hi int64, parameter float64) (int64, error) {
	n, err := span(lo, hi)
	if err != nil {
		return 0, err
	}
	if !(parameter > 0) {
		return 0, fmt.Errorf("the parameter of an exponential distribution must be positive, not %g", parameter)
	}
	below := -math.Expm1(-parameter) // share of the untruncated distribution below the limit
	return part(lo, n, -math.Log1p(-below*r.Float64())/parameter), nil
}

// gaussian returns numbers closer to the middle the larger the parameter: a normal distribution truncated at so many
// standard deviations on either side.
func gaussian(r *rand.Rand, lo, hi int64, parameter float64) (int64, error) {
	n, err := span(lo, hi)
	if err != nil {
		return 0, err
	}
	if !(parameter >= leastGaussian) || math.IsInf(parameter, 1) {
		return 0, fmt.Errorf("the parameter of a Gaussian distribution must be at least %g, not %g",
			leastGaussian, parameter)
	}
	deviate := r.NormFloat64()
	for deviate < -parameter || deviate >= parameter {
		deviate = r.NormFloat64()
	}
	return part(lo, n, (deviate+parameter)/(2*parameter)), nil
}

// zipfian returns the kth number from lo with probability proportional to k to the power of minus s, by rejection
// (Devroye, Non-Uniform Random Variate Generation, 1986, p. 550).
func zipfian(r *rand.Rand, lo, hi int64, s float64) (int64, error) {
	n, err := span(lo, hi)
	if err != nil {
		return 0, err
	}
	if !(s >= leastZipfian && s <= mostZipfian) {
		return 0, fmt.Errorf("the parameter of a Zipfian distribution must be %g to %g, not %g",
			leastZipfian, mostZipfian, s)
	}
	if n == 1 {
		return lo, nil
	}
	b := math.Pow(2, s-1)
	for {
		u, v := 1-r.Float64(), r.Float64()
		x := math.Floor(math.Pow(u, -1/(s-1)))
		if !(x <= float64(n)) {
			continue
		}
		t := math.Pow(1+1/x, s-1)
		if v*x*(t-1)/(b-1) <= t/b {
			return lo + int64(min(uint64(x), n)) - 1, nil
		}
	}
}

// distributed returns the script function of a distribution with a parameter.
func distributed(draw func(r *rand.Rand, lo, hi int64, parameter float64) (int64, error)) func(*State, []value) (value,
	error) {
	return func(st *State, args []value) (value, error) {
		lo, hi, err := wholes(args)
		if err != nil {
			return value{}, err
		}
		parameter, err := args[2].float()
		if err != nil {
			return value{}, err
		}
		out, err := draw(st.random, lo, hi, parameter)
		return intOf(out), err
	}
}
