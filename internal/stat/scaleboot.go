package stat

import (
	"math"
	"math/rand/v2"
)

// Spread holds the 95 % intervals of a fit's terms; infinite for a term that was not fitted.
type Spread struct{ Gamma, Alpha, Beta, Yield Interval }

// Bootstrap estimates the error of a fit's terms by refitting its own curve with resampled residuals. Residuals are
// widened by √(n/(n−p)), since a fit of p terms absorbs some of their scatter, and an interval is Student's around the
// estimate (coverage 94 % at 24 trials; docs/method.md#scaling-over-cpus). It is deterministic for a given seed.
func (s Sweep) Bootstrap(f Fit, times int, seed uint64) Spread {
	curves := s.resampled(f, times, seed)
	t := tCrit(.05, float64(len(s.X)-f.Params))
	around := func(of func(*Curve) *float64) Interval {
		values := make([]float64, len(curves))
		for i := range curves {
			values[i] = *of(&curves[i])
		}
		at, half := *of(&f.Curve), t*SD(values)
		return Interval{at - half, at + half}
	}
	out := Spread{Gamma: around(func(c *Curve) *float64 { return &c.Gamma }), Alpha: unknown(), Beta: unknown(), Yield: unknown()}
	out.Gamma.Lo = max(out.Gamma.Lo, 0)
	for _, term := range f.form.terms {
		iv := around(term.of)
		*out.of(term) = Interval{max(iv.Lo, term.lo), min(iv.Hi, term.hi)}
	}
	return out
}

// of returns the interval of a term.
func (s *Spread) of(t term) *Interval {
	var c Curve
	switch t.of(&c) {
	case &c.Alpha:
		return &s.Alpha
	case &c.Beta:
		return &s.Beta
	}
	return &s.Yield
}

// resampled fits the curve times times.
func (s Sweep) resampled(f Fit, times int, seed uint64) []Curve {
	r := rand.New(rand.NewPCG(seed, uint64(len(s.X))))
	widen := math.Sqrt(float64(len(s.X)) / float64(len(s.X)-f.Params))
	logs, fitted := Logs(s.X), make([]float64, len(s.X))
	left := make([]float64, len(s.X))
	for i, n := range s.N {
		fitted[i] = math.Log(f.At(n))
		left[i] = widen * (logs[i] - fitted[i])
	}
	angles := make([]float64, len(f.form.terms))
	for i, t := range f.form.terms {
		angles[i] = t.angle(*t.of(&f.Curve))
	}
	out := make([]Curve, times)
	for b := range out {
		for i := range logs {
			logs[i] = fitted[i] + left[r.IntN(len(left))]
		}
		out[b], _ = s.search(f.form, logs, angles)
	}
	return out
}
