package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Rung holds the measurements at one value of a sweep.
type Rung struct {
	X    float64   // above 0
	Logs []float64 // ln of the metric of each trial
}

// Shape is how a metric depends on the swept value.
type Shape string

// The shapes, each a model of ln y over ln x.
const (
	Flat      Shape = "flat"       // independent of it
	Straight  Shape = "straight"   // one power law throughout
	LevelsOff Shape = "levels off" // a power law up to a bend, constant from there on
)

// Bend is the shape that explains a sweep best, by AICc.
type Bend struct {
	Shape Shape
	Slope float64 // of ln y over ln x, below the bend if there is one; 1 is proportional
	// For LevelsOff: the position of the bend with the 95% CI of its profile likelihood, which is open, to 0 or
	// +Inf, if the sweep does not bound it; and exp of the level above it with Student's interval.
	At, AtLo, AtHi    float64
	Top, TopLo, TopHi float64
}

// Requirements on a sweep.
const (
	minLevels = 4    // two on each side of a bend
	bendSteps = 2000 // candidate positions of the bend, equally spaced in ln x
	bendAlpha = .05
	evidence  = 6 // minimum gain in AICc: the best of many positions of a bend always fits a little better
)

// FitBend determines by segmented least squares on logs how a metric depends on the swept value. Levels must ascend. It
// returns false below four levels, or with too few trials to estimate their scatter.
//
// A bend needs two levels on each side, counting those at the bend on both: with one level above it, it could as well
// lie beyond the sweep. The scatter has the floor SDFloor, so that a machine that repeats itself to the last digit does
// not turn every wrinkle into a bend.
func FitBend(levels []Rung) (Bend, bool) {
	s := rungsOf(levels)
	if len(levels) < minLevels || s.n < minLevels+1 {
		return Bend{}, false
	}
	flat, straight := s.fit(1, nil), s.fit(2, func(x float64) float64 { return x })
	lowest, highest := math.Log(levels[1].X), math.Log(levels[len(levels)-2].X)
	bent, at := lineFit{rss: math.Inf(1)}, 0.0
	profile := make([]lineFit, bendSteps+1)
	place := func(i int) float64 { return lowest + (highest-lowest)*float64(i)/bendSteps }
	for i := range profile {
		k := place(i)
		profile[i] = s.fit(3, func(x float64) float64 { return math.Min(x-k, 0) })
		if profile[i].rss < bent.rss {
			bent, at = profile[i], k
		}
	}
	switch {
	case bent.slope > 0 && bent.aicc+evidence < flat.aicc && bent.aicc < straight.aicc:
	case straight.aicc+evidence < flat.aicc:
		return Bend{Shape: Straight, Slope: straight.slope}, true
	default:
		return Bend{Shape: Flat}, true
	}
	b := Bend{Shape: LevelsOff, Slope: bent.slope, At: math.Exp(at), AtLo: math.Exp(at), AtHi: math.Exp(at)}
	limit := bent.rss * (1 + distuv.F{D1: 1, D2: bent.df}.Quantile(1-bendAlpha)/bent.df)
	for i, f := range profile {
		if f.rss <= limit {
			b.AtLo, b.AtHi = math.Min(b.AtLo, math.Exp(place(i))), math.Max(b.AtHi, math.Exp(place(i)))
		}
	}
	// A bend beyond the candidates would fit as well.
	if profile[0].rss <= limit {
		b.AtLo = 0
	}
	if profile[bendSteps].rss <= limit {
		b.AtHi = math.Inf(1)
	}
	b.setTop(levels, bent)
	return b, true
}

// setTop estimates the top level from the levels that certainly lie beyond the bend.
func (b *Bend) setTop(levels []Rung, f lineFit) {
	var logs []float64
	for i, l := range levels {
		if l.X >= b.AtHi || i >= len(levels)-2 {
			logs = append(logs, l.Logs...)
		}
	}
	mean := Mean(logs)
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: f.df}.Quantile(1-bendAlpha/2) * math.Sqrt(f.rss/f.df/float64(len(logs)))
	b.Top, b.TopLo, b.TopHi = math.Exp(mean), math.Exp(mean-half), math.Exp(mean+half)
}

// rungs holds all trials of a sweep, ln y over ln x: a fit depends on the mean of each level and the scatter within
// them.
type rungs struct {
	x, mean, count []float64 // by level
	within         float64   // sum of squares about the levels' means
	n              int
}

func rungsOf(levels []Rung) rungs {
	var s rungs
	for _, l := range levels {
		if len(l.Logs) == 0 {
			continue
		}
		mean := Mean(l.Logs)
		s.x, s.mean, s.count = append(s.x, math.Log(l.X)), append(s.mean, mean), append(s.count, float64(len(l.Logs)))
		for _, y := range l.Logs {
			s.within += (y - mean) * (y - mean)
		}
		s.n += len(l.Logs)
	}
	return s
}

// lineFit is ln y = a + slope·z(ln x) by least squares.
type lineFit struct{ slope, rss, aicc, df float64 }

// fit regresses on z, or on a constant if z is nil; params is the number of fitted parameters without the variance.
func (s rungs) fit(params int, z func(float64) float64) lineFit {
	if z == nil {
		z = func(float64) float64 { return 0 }
	}
	var n, sz, sy, szz, szy float64
	for i, x := range s.x {
		v, c, y := z(x), s.count[i], s.mean[i]
		n, sz, sy, szz, szy = n+c, sz+c*v, sy+c*y, szz+c*v*v, szy+c*v*y
	}
	f := lineFit{df: n - float64(params), rss: s.within}
	if d := szz - sz*sz/n; d > 0 {
		f.slope = (szy - sz*sy/n) / d
	}
	at := (sy - f.slope*sz) / n
	for i, x := range s.x {
		off := s.mean[i] - at - f.slope*z(x)
		f.rss += s.count[i] * off * off
	}
	f.rss = math.Max(f.rss, n*SDFloor*SDFloor)
	k := float64(params + 1)
	f.aicc = n*math.Log(f.rss/n) + 2*k + 2*k*(k+1)/(n-k-1)
	return f
}
