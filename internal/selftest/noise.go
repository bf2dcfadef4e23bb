package selftest

import (
	"math"
	"math/rand/v2"
)

// noise draws the ln of the throughput of two machines in n replicates, around 0.
type noise func(r *rand.Rand, n int) [2][]float64

// independent returns noise of one distribution for each side.
func independent(a, b func(*rand.Rand) float64) noise {
	return func(r *rand.Rand, n int) (out [2][]float64) {
		for range n {
			out[0], out[1] = append(out[0], a(r)), append(out[1], b(r))
		}
		return out
	}
}

func both(draw func(*rand.Rand) float64) noise { return independent(draw, draw) }

// normal returns noise whose pairs have the standard deviation sd.
func normal(sd float64) noise { return both(gauss(sd / math.Sqrt2)) }

func gauss(sd float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return sd * r.NormFloat64() }
}

// student draws from Student's t with 3 degrees of freedom, scaled to the standard deviation 2%.
func student(r *rand.Rand) float64 {
	squares := 0.0
	for range 3 {
		z := r.NormFloat64()
		squares += z * z
	}
	return .02 * r.NormFloat64() / math.Sqrt(squares/3) / math.Sqrt(3)
}

// slowed only ever loses, by 2% on average.
func slowed(r *rand.Rand) float64 { return -.02 * r.ExpFloat64() }

// contaminated loses 5 to 20% in one run of ten.
func contaminated(r *rand.Rand) float64 { return .01*r.NormFloat64() + outlier(r) }

func outlier(r *rand.Rand) float64 {
	if r.Float64() >= .10 {
		return 0
	}
	return math.Log1p(-.05 - .15*r.Float64())
}

// stalled returns a draw of a run that loses 50 to 95% with a probability, around noise of 1.4%.
func stalled(share float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		v := gauss(.02 / math.Sqrt2)(r)
		if r.Float64() < share {
			v += math.Log(.05 + .45*r.Float64())
		}
		return v
	}
}

// bursts returns noise of 1.4% a side, in which a disturbance begins before one pair in 50 and slows each run of three
// pairs by up to a half.
func bursts(r *rand.Rand, n int) [2][]float64 {
	out := normal(.02)(r, n)
	for i := 0; i < n; i++ {
		if r.Float64() >= .02 {
			continue
		}
		for last := min(n, i+3); i < last; i++ {
			out[0][i] += math.Log1p(-.5 * r.Float64())
			out[1][i] += math.Log1p(-.5 * r.Float64())
		}
	}
	return out
}

// contamination returns the mean of outlier: a tenth of that of ln(1−u), u from 0.05 to 0.20.
func contamination() float64 {
	integral := func(x float64) float64 { return x*math.Log(x) - x }
	return .10 * (integral(.95) - integral(.80)) / .15
}

// bimodal is 2% above or below, with equal probability.
func bimodal(r *rand.Rand) float64 {
	return .02*float64(1-2*r.IntN(2)) + .005/math.Sqrt2*r.NormFloat64()
}

// repeating returns noise of each machine's own, in which each run repeats phi of the one before; pairs have the
// standard deviation 2%.
func repeating(phi float64) noise {
	return func(r *rand.Rand, n int) [2][]float64 {
		return [2][]float64{autoregressive(r, n, phi, .02/math.Sqrt2), autoregressive(r, n, phi, .02/math.Sqrt2)}
	}
}

func autoregressive(r *rand.Rand, n int, phi, sd float64) []float64 {
	x := make([]float64, n)
	x[0] = sd * r.NormFloat64()
	for i := 1; i < n; i++ {
		x[i] = phi*x[i-1] + sd*math.Sqrt(1-phi*phi)*r.NormFloat64()
	}
	return x
}

// drift draws the common deviation of both machines over time.
type drift func(r *rand.Rand, trials int) []float64

// ramp gains or loses 3% over the session.
func ramp(r *rand.Rand, trials int) []float64 {
	sign := float64(1 - 2*r.IntN(2))
	out := make([]float64, trials)
	for i := range out {
		out[i] = sign * .03 * float64(i) / float64(trials-1)
	}
	return out
}

// step loses 3% at a random time.
func step(r *rand.Rand, trials int) []float64 {
	out := make([]float64, trials)
	for i := 1 + r.IntN(trials-1); i < trials; i++ {
		out[i] = -.03
	}
	return out
}

// wander is autoregressive, .9, with a standard deviation of 2%.
func wander(r *rand.Rand, trials int) []float64 { return autoregressive(r, trials, .9, .02) }
