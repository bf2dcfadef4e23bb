package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

// times returns the repetitions of a simulation.
func times(full, byDay int) int { return simtest.Times(full, byDay) }

// slack returns four standard errors of the difference between a share p counted in n sessions and the reference
// counted in m.
func slack(p float64, n, m int) float64 {
	return 4 * math.Sqrt(p*(1-p)/float64(n)+p*(1-p)/float64(m))
}

// seeded prints the seed with which a simulation can be repeated.
func seeded(t *testing.T, seed uint64) *rand.Rand {
	t.Helper()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// autoregressive are n values of mean 0 and standard deviation sd of which each repeats
// phi of the one before.
func autoregressive(r *rand.Rand, n int, phi, sd float64) []float64 {
	x := make([]float64, n)
	x[0] = sd * r.NormFloat64()
	for i := 1; i < n; i++ {
		x[i] = phi*x[i-1] + sd*math.Sqrt(1-phi*phi)*r.NormFloat64()
	}
	return x
}

// chaotic is a series without randomness that any language reproduces bit by bit: the
// logistic map, less ½. The oracle's values below were made of it.
func chaotic(n int) []float64 {
	x := make([]float64, n)
	at := .3
	for i := range x {
		x[i] = float64(at) - .5
		at = float64(float64(3.9*at) * float64(1-at))
	}
	return x
}

// smoothed lets each value repeat phi of the one before.
func smoothed(x []float64, phi float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v
		if i > 0 {
			y[i] += phi * y[i-1]
		}
	}
	return y
}
