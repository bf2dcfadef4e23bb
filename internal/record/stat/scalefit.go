package stat

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/optimize"
)

// term is one of a curve's free parameters. Its value is parameterised as lo + (hi−lo)·sin², so that the search needs
// no bounds.
type term struct {
	lo, hi, start float64
	of            func(*Curve) *float64
}

// form is a model with some of its terms.
type form struct {
	model Model
	terms []term
}

func forms() []form {
	alpha := term{0, 1, .02, func(c *Curve) *float64 { return &c.Alpha }}
	beta := term{0, 1, 1e-4, func(c *Curve) *float64 { return &c.Beta }}
	yield := term{-.2, 1.2, .5, func(c *Curve) *float64 { return &c.Yield }}
	return []form{
		{Linear, nil}, {USL, []term{alpha}}, {USL, []term{alpha, beta}}, {SMT, []term{yield}}, {SMT, []term{yield, alpha}},
	}
}

// smallest is the least variance of ln X credited to a fit: anything below is rounding, which must not choose a model.
const smallest = 1e-18

// fit finds a form's least squares of ln X. Gamma has a closed form; the rest is a search in at most two dimensions.
func (s Sweep) fit(f form) Fit {
	logs := Logs(s.X)
	c, rss := s.search(f, logs, f.angles())
	n, p := float64(len(logs)), float64(len(f.terms)+1)
	k := p + 1 // including the variance
	return Fit{
		Curve: c, Model: f.model, Params: int(p), SD: math.Sqrt(rss / (n - p)),
		AICc: n*math.Log(math.Max(rss/n, smallest)) + 2*k + 2*k*(k+1)/(n-k-1),
		form: f,
	}
}

func (s Sweep) search(f form, logs, angles []float64) (Curve, float64) {
	if len(f.terms) > 0 {
		problem := optimize.Problem{Func: func(x []float64) float64 {
			rss := s.residual(s.curve(f, x), logs).rss
			if math.IsNaN(rss) {
				return math.Inf(1)
			}
			return rss
		}}
		// These bound the search; its best point by then is the answer.
		settings := &optimize.Settings{
			FuncEvaluations: 2000,
			Converger:       &optimize.FunctionConverge{Absolute: 1e-19, Relative: 1e-12, Iterations: 15},
		}
		if found, err := optimize.Minimize(problem, angles, settings, &optimize.NelderMead{}); found != nil &&
			(err == nil || found.X != nil) {
			angles = found.X
		}
	}
	c := s.curve(f, angles)
	r := s.residual(c, logs)
	c.Gamma = math.Exp(r.level)
	return c, r.rss
}

func (s Sweep) curve(f form, angles []float64) Curve {
	c := Curve{Gamma: 1, Yield: 1}
	if f.model == SMT {
		c.Cores = s.Cores
	}
	for i, t := range f.terms {
		sin := math.Sin(angles[i])
		*t.of(&c) = t.lo + (t.hi-t.lo)*sin*sin
	}
	return c
}

// angles returns the starting point of the search.
func (f form) angles() []float64 {
	out := make([]float64, len(f.terms))
	for i, t := range f.terms {
		out[i] = t.angle(t.start)
	}
	return out
}

func (t term) angle(v float64) float64 {
	return math.Asin(math.Sqrt(min(max((v-t.lo)/(t.hi-t.lo), 0), 1)))
}

// residual returns the mean of ln X over a curve of Gamma 1, which is the ln of the best Gamma, and the sum of squares
// around it.
func (s Sweep) residual(c Curve, logs []float64) (r struct{ level, rss float64 }) {
	left := make([]float64, len(logs))
	at := 0.0
	for i, n := range s.N {
		// Trials of one N are adjacent, and the search spends most of its time on this logarithm.
		if i == 0 || n != s.N[i-1] {
			at = math.Log(c.relative(n))
		}
		left[i] = logs[i] - at
		r.level += left[i] / float64(len(logs))
	}
	for _, l := range left {
		r.rss += (l - r.level) * (l - r.level)
	}
	return r
}

// Spread holds the 95% CIs of a fit's terms; infinite for a term that was not fitted.
type Spread struct{ Gamma, Alpha, Beta, Yield Interval }

// Bootstrap estimates the error of a fit's terms by refitting its own curve with resampled residuals. Residuals are
// widened by √(n/(n−p)), since a fit of p terms absorbs some of their scatter, and an interval is Student's around the
// estimate (coverage 94% at 24 trials; docs/derivations.md#scaling-over-cpus). It is deterministic for a given seed.
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
	out := Spread{Gamma: around(func(c *Curve) *float64 { return &c.Gamma }), Alpha: unknown(), Beta: unknown(),
		Yield: unknown()}
	out.Gamma.Lo = max(out.Gamma.Lo, 0)
	for _, term := range f.form.terms {
		iv := around(term.of)
		*out.of(term) = Interval{max(iv.Lo, term.lo), min(iv.Hi, term.hi)}
	}
	return out
}

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
