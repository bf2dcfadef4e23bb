package sweep

import (
	"math"

	"plimsoll/internal/estimate"
	"plimsoll/internal/stat"
)

// The bootstrap of a sweep has a fixed seed for reproducible results.
const (
	bootstraps    = 200
	bootstrapSeed = 1
)

// setTerms states the chosen curve, and the yield of second threads if there are any, for any model.
func (s *Scaling) setTerms(trials stat.Sweep, fitted stat.Scaled) {
	best := fitted.Best
	spread := s.spread(trials, best)
	s.Terms = map[string]estimate.Estimate{"gamma": estimate.Bounded(best.Gamma, spread.Gamma)}
	if best.Model != stat.Linear {
		s.Terms["alpha"] = estimate.Bounded(best.Alpha, spread.Alpha)
	}
	if best.Model == stat.USL {
		s.Terms["beta"] = estimate.Bounded(best.Beta, spread.Beta)
	}
	smt, ok := fitted.ByModel[stat.SMT]
	if !ok {
		return
	}
	if best.Model != stat.SMT {
		spread = s.spread(trials, smt)
	}
	yield := estimate.Bounded(smt.Yield, spread.Yield)
	s.SMTYield, s.SMTYieldLo, s.SMTYieldHi = &yield.Value, yield.Lo, yield.Hi
	if best.Model == stat.SMT {
		s.Terms["yield"] = yield
	}
}

// setEstimates states the points with too few runs for intervals.
func (s *Scaling) setEstimates(points []stat.Point) {
	s.Noise = math.NaN()
	for i, p := range points {
		at := Peak{CPUs: p.N, Value: math.Exp(p.Mean()), Lo: math.NaN(), Hi: math.NaN(), N: len(p.Logs)}
		if points[0].N == 1 {
			at.Efficiency = &estimate.Estimate{Value: math.Exp(p.Mean()-points[0].Mean()) / float64(p.N)}
			s.EfficiencyAtMax = &at.Efficiency.Value
		}
		if s.Points = append(s.Points, at); i == 0 || at.Value > s.Peak.Value {
			s.Peak = at
		}
	}
	if last := s.Points[len(s.Points)-1]; s.Peak.CPUs < last.CPUs {
		s.LossPastPeak = &estimate.Estimate{Value: 1 - last.Value/s.Peak.Value}
	}
}

// setPoints states the results of the points without any model.
func (s *Scaling) setPoints(points []stat.Point) {
	if s.Runs > 0 {
		s.setEstimates(points)
		return
	}
	first, last, peak := points[0], points[len(points)-1], points[0]
	sd, df := stat.PooledSD(points)
	s.Noise, sd = sd, math.Max(sd, stat.SDFloor)
	for _, p := range points {
		s.Points = append(s.Points, peakOf(p, sd, df))
		if p.Mean() > peak.Mean() {
			peak = p
		}
	}
	s.Peak = peakOf(peak, sd, df)
	if peak.N < last.N {
		r := stat.PointRatio(peak, last, sd, df)
		loss := estimate.Bounded(-math.Expm1(r.Mean), stat.Interval{Lo: -math.Expm1(r.Hull.Hi), Hi: -math.Expm1(r.Hull.Lo)})
		s.LossPastPeak = &loss
	}
	if first.N != 1 {
		return
	}
	to := stat.LinearTo(points, stat.SDFloor)
	s.LinearTo = &to
	for i, p := range points {
		s.Points[i].Efficiency = efficiencyOf(first, p, sd, df)
	}
	most := s.Points[len(points)-1].Efficiency
	s.EfficiencyAtMax, s.EfficiencyLo, s.EfficiencyHi = &most.Value, most.Lo, most.Hi
}

// efficiencyOf returns the throughput per CPU of a point over that of one CPU, which by definition is 1 there.
func efficiencyOf(one, p stat.Point, sd, df float64) *estimate.Estimate {
	of := func(ln float64) *float64 {
		v := math.Exp(ln) / float64(p.N)
		return &v
	}
	if p.N == one.N {
		return &estimate.Estimate{Value: 1, Lo: of(0), Hi: of(0)}
	}
	r := stat.PointRatio(one, p, sd, df)
	return &estimate.Estimate{Value: *of(r.Mean), Lo: of(r.Hull.Lo), Hi: of(r.Hull.Hi)}
}

// peakOf returns one point with the scatter of all of them.
func peakOf(p stat.Point, sd, df float64) Peak {
	iv := stat.PointInterval(p, sd, df)
	return Peak{CPUs: p.N, Value: math.Exp(p.Mean()), Lo: math.Exp(iv.Lo), Hi: math.Exp(iv.Hi), N: len(p.Logs)}
}

// spread returns the uncertainty of a fit's terms: unknown for runs that were not repeated.
func (s *Scaling) spread(trials stat.Sweep, f stat.Fit) stat.Spread {
	if s.Runs > 0 {
		none := stat.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
		return stat.Spread{Gamma: none, Alpha: none, Beta: none, Yield: none}
	}
	return trials.Bootstrap(f, bootstraps, bootstrapSeed)
}
