package stat

import (
	"fmt"
	"math"
	"slices"
)

// Model is a family of curves.
type Model string

// The models. Amdahl's law is a USL with Beta 0.
const (
	Linear Model = "linear" // X = Gamma·n
	USL    Model = "usl"    // the universal scalability law
	SMT    Model = "smt"    // cores first, then second threads of a lower yield, with contention
)

// minScalingN is the number of distinct numbers of CPUs that a fit needs.
const minScalingN = 4

// Sweep is throughput measured at several numbers of CPUs.
type Sweep struct {
	N, X  []float64 // one entry a trial
	Cores int       // number of cores, beyond which CPUs are second threads; 0: none, or unknown
}

// Fit is one model fitted to a sweep by least squares of ln X.
type Fit struct {
	Curve
	Model  Model
	Params int     // fitted parameters, Gamma included
	SD     float64 // of the residuals of ln X, with Params subtracted from the degrees of freedom
	AICc   float64 // Akaike's criterion for small samples (Hurvich and Tsai, Biometrika 76, 1989)

	form form
}

// Scaled holds all models fitted to one sweep.
type Scaled struct {
	Best    Fit
	ByModel map[Model]Fit
	Weights map[Model]float64 // Akaike weights, which add up to 1
}

// FitScaling fits all models. Of a model's forms, with and without each of its terms, the best represents it, and their
// weights add up to the model's. It fits SMT only if CPUs on both sides of Cores were measured. It fails below four
// distinct N, or if a value is not positive.
func FitScaling(s Sweep) (Scaled, error) {
	if err := s.check(); err != nil {
		return Scaled{}, err
	}
	var fits []Fit
	for _, f := range forms() {
		if f.model != SMT || s.crossesCores() {
			fits = append(fits, s.fit(f))
		}
	}
	out := Scaled{ByModel: map[Model]Fit{}, Weights: map[Model]float64{}}
	out.Best = slices.MinFunc(fits, byAICc)
	total := 0.0
	for _, f := range fits {
		weight := math.Exp((out.Best.AICc - f.AICc) / 2)
		out.Weights[f.Model] += weight
		total += weight
		if known, ok := out.ByModel[f.Model]; !ok || byAICc(f, known) < 0 {
			out.ByModel[f.Model] = f
		}
	}
	for m := range out.Weights {
		out.Weights[m] /= total
	}
	return out, nil
}

func byAICc(a, b Fit) int {
	switch {
	case a.AICc < b.AICc:
		return -1
	case a.AICc > b.AICc:
		return 1
	}
	return 0
}

func (s Sweep) check() error {
	distinct := map[float64]bool{}
	for i, n := range s.N {
		if len(s.X) != len(s.N) || n < 1 || !(s.X[i] > 0) || math.IsInf(s.X[i], 0) {
			return fmt.Errorf("scaling: trial %d of %d: need at least 1 CPU and a positive throughput", i, len(s.N))
		}
		distinct[n] = true
	}
	if len(distinct) < minScalingN {
		return fmt.Errorf("scaling: %d distinct numbers of CPUs, need %d", len(distinct), minScalingN)
	}
	if len(s.N) < minScalingN+3 {
		return fmt.Errorf("scaling: %d trials are too few to fit", len(s.N))
	}
	return nil
}

func (s Sweep) crossesCores() bool {
	c := float64(s.Cores)
	return c > 0 && slices.Max(s.N) > c && slices.Min(s.N) < c
}
