package selftest

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// Sense is the direction of a gate.
type Sense string

// The senses of a gate.
const (
	AtMost  Sense = "at most"
	AtLeast Sense = "at least"
	Equal   Sense = "equal" // within Tolerance
)

// Kind is the quantity of a gate's value.
type Kind string

// The kinds of values.
const (
	Share  Kind = "share"       // of simulated sessions, 0 to 1
	Pairs  Kind = "pairs"       // until a session stopped
	Halves Kind = "half-widths" // of the reported interval
	Number Kind = "number"      // deterministic figure
	Bias   Kind = "bias"        // mean error, a share of the truth
)

// Gate is one row of the certificate. Its bounds are the 90% interval of the true value given the simulated one, so
// that each end errs in 5%; nil if the value is deterministic.
type Gate struct {
	Name      string  `json:"name"`
	Value     float64 `json:"value"`
	Gate      float64 `json:"gate"`
	Pass      bool    `json:"pass"`
	Sense     Sense   `json:"sense"`
	Kind      Kind    `json:"kind"`
	Tolerance float64 `json:"tolerance,omitempty"` // of Equal, in the unit of Value
	figure.Bounds
	N        int  `json:"n"`                   // simulations; 0 if deterministic
	KnownBad bool `json:"known_bad,omitempty"` // published for information; does not fail the certificate
}

// bound is the error rate of one end of a simulated value's interval.
const bound = 0.05

// shareGate gates the share k of n: it fails if the interval of the true share lies entirely on the wrong side (Clopper
// and Pearson, Biometrika 26, 1934).
func shareGate(name string, k, n int, sense Sense, gate float64) Gate {
	lo, hi := 0.0, 1.0
	if k > 0 {
		lo = mathext.InvRegIncBeta(float64(k), float64(n-k+1), bound)
	}
	if k < n {
		hi = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 1-bound)
	}
	return chanced(name, Share, float64(k)/float64(n), lo, hi, n, sense, gate)
}

// boundNormal is the normal quantile of bound.
const boundNormal = 1.645

// medianGate gates the median of whole numbers, with the interval of the order statistics.
func medianGate(name string, values []int, gate float64) Gate {
	mid, lo, hi := medianOf(values)
	return chanced(name, Pairs, float64(mid), float64(lo), float64(hi), len(values), AtMost, gate)
}

// biasGate gates how far the median of values is from 0, with the interval of the order statistics: 0 at its lower end
// if that has 0 within it.
func biasGate(name string, values []float64, gate float64) Gate {
	if len(values) == 0 {
		return chanced(name, Halves, 0, 0, 0, 0, AtMost, gate)
	}
	mid, lo, hi := medianOf(values)
	return chanced(name, Halves, math.Abs(mid), max(lo, -hi, 0), max(-lo, hi), len(values), AtMost, gate)
}

// medianOf returns the median of one value or more, and its interval by the order statistics.
func medianOf[T cmp.Ordered](values []T) (mid, lo, hi T) {
	v := slices.Sorted(slices.Values(values))
	half := boundNormal * math.Sqrt(float64(len(v))) / 2
	at := func(off float64) T {
		i := int(math.Round(float64(len(v)-1)/2 + off))
		return v[min(max(i, 0), len(v)-1)]
	}
	return at(0), at(-half), at(half)
}

func chanced(name string, kind Kind, value, lo, hi float64, n int, sense Sense, gate float64) Gate {
	g := Gate{Name: name, Kind: kind, Value: value, Bounds: figure.Between(lo, hi), N: n, Sense: sense, Gate: gate}
	g.Pass = sense == AtMost && lo <= gate || sense == AtLeast && hi >= gate
	return g
}

// errorGate gates the mean of errors at 0 within a tolerance: it fails if the normal interval of the true mean lies
// beyond.
func errorGate(name string, errors []float64, tolerance float64) Gate {
	mean, half := stat.Mean(errors), boundNormal*standardError(errors)
	lo, hi := mean-half, mean+half
	return Gate{Name: name, Kind: Bias, Value: mean, Bounds: figure.Between(lo, hi), N: len(errors), Sense: Equal,
		Tolerance: tolerance, Pass: lo <= tolerance && hi >= -tolerance}
}

// asOracle gates a simulated value against that of method-sim, which is uncertain itself: within sigmas standard errors
// of their difference.
func asOracle(g Gate, oracle, tolerance float64) Gate {
	g.Sense, g.Gate, g.Tolerance = Equal, oracle, tolerance
	g.Pass = math.Abs(g.Value-oracle) <= tolerance
	return g
}

// exactGate gates a figure against its required value, within a tolerance.
func exactGate(name string, value, want, tolerance float64) Gate {
	return Gate{Name: name, Kind: Number, Value: value, Gate: want, Sense: Equal, Tolerance: tolerance,
		Pass: math.Abs(value-want) <= tolerance}
}

// shown marks a gate as published for information.
func shown(g Gate) Gate {
	g.KnownBad = true
	return g
}
