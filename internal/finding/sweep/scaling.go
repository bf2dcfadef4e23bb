package sweep

import (
	"math"
	"strings"

	"plimsoll/internal/estimate"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
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
		MaxCPUs: points[len(points)-1].N, Roughness: fitted.Best.SD, Doubts: NonNil(doubt),
	}
	for m, w := range fitted.Weights {
		out.Weights[string(m)] = w
	}
	if s.single(metric) {
		out.Runs = fewestOf(points)
	}
	out.setTerms(trials, fitted)
	out.setPoints(points)
	out.doubt(fitted.Best, points, left, f.Emulated(s.Chief()))
	return out, note.Note{}
}

func fewestOf(points []stat.Point) int {
	fewest := math.MaxInt
	for _, p := range points {
		fewest = min(fewest, len(p.Logs))
	}
	return fewest
}

// NonNil returns a list of the note; empty, and not nil, if there is none.
func NonNil(doubt note.Note) []note.Note {
	if doubt.IsZero() {
		return []note.Note{}
	}
	return []note.Note{doubt}
}

// doubt adds notes on doubtful figures.
func (s *Scaling) doubt(best stat.Fit, points []stat.Point, left []string, emulated bool) {
	const few, unlikely = 6, .01
	add := func(code note.Code, args ...any) { s.Doubts = append(s.Doubts, note.New(code, args...)) }
	if emulated {
		add("scaling-emulated")
	}
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
