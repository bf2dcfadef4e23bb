package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// batches is the number of batch means of a run: few enough to be nearly independent, and enough for Student's t with 9
// degrees of freedom.
const batches = 10

// BatchInterval returns the interval of the mean of a run's dependent windows x: Student's t over the means of 10
// batches of consecutive windows, leaving out the remainder at the end. It is infinite below 10 windows. It describes
// this one run; verdicts rest on many.
func BatchInterval(x []float64, alpha float64) Interval {
	return TInterval(batchMeans(x), alpha, 0)
}

// batchMeans returns nil below 10 values.
func batchMeans(x []float64) []float64 {
	size := len(x) / batches
	if size == 0 {
		return nil
	}
	out := make([]float64, batches)
	for i := range out {
		out[i] = Mean(x[i*size : (i+1)*size])
	}
	return out
}

// Drift is a straight line through the windows of a run.
type Drift struct {
	Change float64 // from the first window to the last, as a share of the mean: -0.05 is 5% down
	P      float64 // two-sided probability of such a slope by chance alone
}

// Holds reports whether the run drifts: by more than 1%, with P below 0.01.
func (d Drift) Holds() bool { return math.Abs(d.Change) > 0.01 && d.P < 0.01 }

// driftOf fits a line by least squares to the means of 10 batches, with Student's t of 8 degrees of freedom. Pass it
// the windows from SteadyState.Start on. It returns false below 10 windows.
func driftOf(x []float64) (Drift, bool) {
	y := batchMeans(x)
	if y == nil {
		return Drift{}, false
	}
	m, slope, across := Mean(y), 0.0, 0.0
	for i, v := range y {
		at := float64(i) - (batches-1)/2.0
		slope += at * (v - m)
		across += at * at
	}
	slope /= across
	rest := 0.0
	for i, v := range y {
		off := v - m - slope*(float64(i)-(batches-1)/2.0)
		rest += off * off
	}
	size := len(x) / batches
	d := Drift{Change: slope / float64(size) * float64(len(x)) / Mean(x), P: 1}
	if slope != 0 {
		t := math.Abs(slope) / math.Sqrt(rest/(batches-2)/across)
		d.P = twoSided(t, batches-2)
	}
	return d, true
}

// twoSided returns the two-sided tail probability of Student's t.
func twoSided(t, df float64) float64 {
	return 2 * distuv.StudentsT{Sigma: 1, Nu: df}.Survival(math.Abs(t))
}

// autocorrelationTime returns the number of dependent values in x that carry as much information about the mean as one
// independent value: 1 or more, so that n/autocorrelationTime is their effective number. It is 1 if all values are
// equal.
//
// It is −1 + 2·ΣG(m), with G(m) = r(2m) + r(2m+1) of the autocorrelations r, up to the first G that is not positive:
// the initial positive sequence (Geyer, Statistical Science 7, 1992).
func autocorrelationTime(x []float64) float64 {
	m := Mean(x)
	centered := make([]float64, len(x))
	for i, v := range x {
		centered[i] = v - m
	}
	all := lagged(centered, 0)
	if !(all > 0) {
		return 1
	}
	tau := -1.0
	for lag := 0; lag+1 < len(x); lag += 2 {
		g := (lagged(centered, lag) + lagged(centered, lag+1)) / all
		if g <= 0 {
			break
		}
		tau += 2 * g
	}
	return max(tau, 1)
}

// lagged returns the sum of the products of values that are lag apart.
func lagged(x []float64, lag int) float64 {
	sum := 0.0
	for i, v := range x[lag:] {
		sum += x[i] * v
	}
	return sum
}
