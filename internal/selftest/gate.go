package selftest

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Sense says how a value is held to its gate.
type Sense string

// The senses of a gate.
const (
	AtMost  Sense = "at most"
	AtLeast Sense = "at least"
	Equal   Sense = "equal" // within Tolerance
)

// Kind is what a gate's value counts.
type Kind string

// The kinds of values.
const (
	Share  Kind = "share"  // of simulated sessions, 0 to 1
	Pairs  Kind = "pairs"  // until a session stopped
	Number Kind = "number" // a figure that follows from others, without chance
)

// Gate is one row of the certificate. Lo and Hi are the 90 % interval of what
// the simulated value says of the true one, so that each end errs in 5 %; nil where there
// is no chance in the value.
type Gate struct {
	Name      string   `json:"name"`
	Value     float64  `json:"value"`
	Gate      float64  `json:"gate"`
	Pass      bool     `json:"pass"`
	Sense     Sense    `json:"sense"`
	Kind      Kind     `json:"kind"`
	Tolerance float64  `json:"tolerance,omitempty"` // of Equal, in the unit of Value
	Lo        *float64 `json:"lo"`
	Hi        *float64 `json:"hi"`
	N         int      `json:"n"`                   // simulations; 0 without chance
	KnownBad  bool     `json:"known_bad,omitempty"` // published for what it shows; does not fail the certificate
}

// bound is the error rate of one end of a simulated value's interval.
const bound = 0.05

// shareGate holds the share k of n to a gate: it fails where the interval of the
// true share lies wholly on the wrong side (Clopper and Pearson, Biometrika 26, 1934).
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

// medianGate holds the median of whole numbers to a gate, with the interval of the
// order statistics.
func medianGate(name string, values []int, gate float64) Gate {
	v := slices.Sorted(slices.Values(values))
	half := 1.645 * math.Sqrt(float64(len(v))) / 2
	at := func(off float64) float64 {
		i := int(math.Round(float64(len(v)-1)/2 + off))
		return float64(v[min(max(i, 0), len(v)-1)])
	}
	return chanced(name, Pairs, at(0), at(-half), at(half), len(v), AtMost, gate)
}

func chanced(name string, kind Kind, value, lo, hi float64, n int, sense Sense, gate float64) Gate {
	g := Gate{Name: name, Kind: kind, Value: value, Lo: &lo, Hi: &hi, N: n, Sense: sense, Gate: gate}
	g.Pass = sense == AtMost && lo <= gate || sense == AtLeast && hi >= gate
	return g
}

// asOracle holds a simulated value to that of method-sim, which is uncertain itself: within
// sigmas standard errors of their difference.
func asOracle(g Gate, oracle, tolerance float64) Gate {
	g.Sense, g.Gate, g.Tolerance = Equal, oracle, tolerance
	g.Pass = math.Abs(g.Value-oracle) <= tolerance
	return g
}

// exactGate holds a figure to what it must be, within a tolerance.
func exactGate(name string, value, want, tolerance float64) Gate {
	return Gate{Name: name, Kind: Number, Value: value, Gate: want, Sense: Equal, Tolerance: tolerance, Pass: math.Abs(value-want) <= tolerance}
}

// shown marks a gate as published for what it shows.
func shown(g Gate) Gate {
	g.KnownBad = true
	return g
}
