package sweep

import (
	"math"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Caveats returns the notes of the finding.
func (s Scaling) Caveats() []note.Note { return s.Doubts }

// MaxExtrapolation is the largest multiple of the measured CPUs at which a curve is evaluated.
const MaxExtrapolation = 2

// At returns the throughput of n CPUs on the fitted curve, in the metric's unit. It is an extrapolation beyond MaxCPUs,
// and worthless beyond twice as many.
func (s Scaling) At(n float64) float64 { return s.curve().At(n) }

// Ideal returns the throughput of n CPUs at linear scaling of the curve.
func (s Scaling) Ideal(n float64) float64 { return s.Terms["gamma"].Value * n }

func (s Scaling) curve() stat.Curve {
	c := stat.Curve{Gamma: s.Terms["gamma"].Value, Alpha: s.Terms["alpha"].Value, Beta: s.Terms["beta"].Value}
	if y, ok := s.Terms["yield"]; ok {
		c.Yield, c.Cores = y.Value, s.Cores
	}
	return c
}

// scalingOf analyzes a sweep, or returns the reason why it cannot.
func scalingOf(s Sweep, f trialset.Fleet) (*Scaling, note.Note) {
	metric, reason := s.metric()
	if !reason.IsZero() {
		return nil, reason
	}
	points, left, reason := s.FitPoints(metric)
	if !reason.IsZero() {
		return nil, reason
	}
	cores, doubt := CoresOf(f.Of(s.Chief()))
	trials := Flat(points, cores)
	fitted, err := stat.FitScaling(trials)
	if err != nil {
		return nil, note.New("no-fit", err)
	}
	carried := metric
	if runsIn(s.Chief(), metric) > 0 {
		carried = record.Metric{Name: record.Throughput, Unit: "op/s"}
	}
	out := &Scaling{
		Metric: carried.Name, Unit: carried.Unit, Model: string(fitted.Best.Model), Weights: map[string]float64{},
		Cores:   cores,
		MaxCPUs: points[len(points)-1].N, Roughness: fitted.Best.SD, Doubts: nonNil(doubt),
	}
	for m, w := range fitted.Weights {
		out.Weights[string(m)] = w
	}
	if s.single(metric) {
		out.Runs = fewestOf(points)
	}
	out.setTerms(trials, fitted)
	out.setPoints(points)
	out.doubt(fitted.Best, points, left)
	return out, note.Note{}
}

func fewestOf(points []stat.Point) int {
	fewest := math.MaxInt
	for _, p := range points {
		fewest = min(fewest, len(p.Logs))
	}
	return fewest
}

// nonNil returns a list of the note; empty, and not nil, if there is none.
func nonNil(doubt note.Note) []note.Note {
	if doubt.IsZero() {
		return []note.Note{}
	}
	return []note.Note{doubt}
}

// doubt adds notes on doubtful figures.
func (s *Scaling) doubt(best stat.Fit, points []stat.Point, left []string) {
	const few, unlikely = 6, .01
	add := func(code note.Code, args ...any) { s.Doubts = append(s.Doubts, note.New(code, args...)) }
	if len(left) > 0 {
		add("cpus-left-out", estimate.MinReplicates, strings.Join(left, ", "))
	}
	if s.Runs > 0 {
		add("scaling-by-estimate", estimate.MinReplicates)
		return
	}
	if s.LinearTo == nil {
		add("nothing-at-one-cpu")
	}
	if over := s.OverLinear(); over > 0 {
		add("more-than-linear", over)
	}
	if best.Model == stat.USL && len(points) < few {
		add("few-cpu-counts", len(points), few)
	}
	if p := stat.LackOfFit(best, points, stat.SDFloor); p < unlikely {
		add("no-model-fits")
	}
}

// muchOverLinear is the throughput per CPU, relative to one, beyond the effect of caches and clocks.
const muchOverLinear = 1.1

// OverLinear returns the first number of CPUs whose throughput exceeds that multiple, and the scatter of replicates; 0
// if there is none. The scatter around the curve does not count: no curve has such points.
func (s *Scaling) OverLinear() int {
	for _, p := range s.Points {
		if e := p.Efficiency; e != nil && e.Value > muchOverLinear*(1+3*s.Noise) {
			return p.CPUs
		}
	}
	return 0
}

// ScalingFinding is a sweep's analysis or the reason why there is none.
type ScalingFinding struct {
	Scaling *Scaling
	Reason  note.Note
	Scope   []trialset.Key
}

// ScalingsOf returns each sweep's analysis by the cell of its most CPUs.
func ScalingsOf(trials []record.Trial, f trialset.Fleet) map[trialset.Key]ScalingFinding {
	out := map[trialset.Key]ScalingFinding{}
	for _, s := range SweepsOf(trials) {
		scaling, reason := scalingOf(s, f)
		out[s.Last().At()] = ScalingFinding{scaling, reason, s.Scope()}
	}
	return out
}

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
		at := Peak{CPUs: p.N, Estimate: estimate.Estimate{Value: math.Exp(p.Mean())}, N: len(p.Logs)}
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
		s.LossPastPeak = new(figure.Between(-math.Expm1(r.Hull.Hi), -math.Expm1(r.Hull.Lo)).Around(-math.Expm1(r.Mean)))
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
	if p.N == one.N {
		return new(figure.Between(1, 1).Around(1))
	}
	r, n := stat.PointRatio(one, p, sd, df), float64(p.N)
	iv := r.Hull.Exp()
	return new(figure.Between(iv.Lo/n, iv.Hi/n).Around(math.Exp(r.Mean) / n))
}

// peakOf returns one point with the scatter of all of them.
func peakOf(p stat.Point, sd, df float64) Peak {
	at := estimate.Bounded(math.Exp(p.Mean()), stat.PointInterval(p, sd, df).Exp())
	return Peak{CPUs: p.N, Estimate: at, N: len(p.Logs)}
}

// spread returns the uncertainty of a fit's terms: unknown for runs that were not repeated.
func (s *Scaling) spread(trials stat.Sweep, f stat.Fit) stat.Spread {
	if s.Runs > 0 {
		none := stat.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}
		return stat.Spread{Gamma: none, Alpha: none, Beta: none, Yield: none}
	}
	return trials.Bootstrap(f, bootstraps, bootstrapSeed)
}
