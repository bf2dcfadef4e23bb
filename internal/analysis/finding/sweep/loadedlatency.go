package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// LoadedLatency is the latency of memory by the bandwidth that other CPUs use meanwhile, all else equal. It belongs to
// the benchmark of the sweep's largest value.
type LoadedLatency struct {
	Metric string         `json:"metric"` // of the latency, s
	Param  string         `json:"param"`  // the swept parameter, or the unit of the load
	Points []LatencyPoint `json:"points"` // smallest value of Param first
}

// LatencyPoint is one value of a sweep of the traffic.
type LatencyPoint struct {
	X       float64 `json:"x"`       // value of Param
	Traffic float64 `json:"traffic"` // B/s, mean of the runs
	estimate.Estimate
	N int `json:"n"`
}

// loadedLatencies finds the latencies of memory along the sweeps of a parameter or of the load.
func loadedLatencies(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	timed := trialset.Having(trialset.Valid(in.Swept), record.MemoryTraffic)
	curves := trialset.CurvesAlong(timed, trialset.NumberAxesFromZero)
	for _, r := range in.Ramps {
		curves = append(curves, r.Having(record.MemoryTraffic).Curve)
	}
	for _, c := range curves {
		if found := loadedLatencyOf(c); found != nil {
			out = append(out, KindLoadedLatency.New(found, c.Scope()...)...)
		}
	}
	return out
}

// loadedLatencyOf returns nil if there are too few points, if runs are judged by no time, or without any traffic.
func loadedLatencyOf(c trialset.Curve) *LoadedLatency {
	if len(c.Points) < loadline.MinRamp {
		return nil
	}
	m := PrimaryMetric(c.ByPoint()...)
	if m.Unit != "s" || m.Better != record.Lower {
		return nil
	}
	out, most := &LoadedLatency{Metric: m.Name, Param: c.Param}, 0.
	for _, p := range c.Points {
		traffic := p.Average(record.MemoryTraffic)
		most = math.Max(most, traffic)
		out.Points = append(out.Points, LatencyPoint{X: p.X, Traffic: traffic, Estimate: p.Estimate(m.Name),
			N: len(p.Trials)})
	}
	if !(most > 0) {
		return nil
	}
	return out
}

// rising reports whether the traffic rises along the sweep, so that a line through the points shows their course.
func (l LoadedLatency) rising() bool {
	for i := 1; i < len(l.Points); i++ {
		if !(l.Points[i].Traffic > l.Points[i-1].Traffic) {
			return false
		}
	}
	return true
}

// trafficUnit is the unit of a chart's axis of traffic, B/s, in which all machines have their points.
const trafficUnit = 1e9

// latencyCharts draws the latency over the bandwidth, as curves of loaded latency are usually drawn.
func latencyCharts(v *finding.View) []block.Block {
	return finding.Blocks(charts{kind: "latency", hint: "whiskers: interval", axis: trafficScale,
		finish: joinRising}.draw(v, curvesOf(v, KindLoadedLatency, latencyCurve)))
}

func trafficScale(_ string, xs []float64) block.Axis {
	return block.Axis{Name: "memory traffic", Unit: "GB/s", Hi: block.Number(xs[len(xs)-1] * (1 + figure.AxisPad))}
}

func latencyCurve(v *finding.View, c finding.Cell, l LoadedLatency) curve {
	out := curve{Cell: c, param: l.Param, place: v.Alone().Sweep(c.Without(l.Param)), metric: l.Metric,
		unit: figure.UnitOf(c.Counted(), "s"), apart: !l.rising()}
	points := slices.Clone(l.Points)
	slices.SortStableFunc(points, func(p, q LatencyPoint) int { return cmp.Compare(p.Traffic, q.Traffic) })
	x := math.Inf(-1)
	for _, p := range points {
		x = math.Max(p.Traffic/trafficUnit, x+leastApart)
		y := p.Estimate
		out.points = append(out.points, point{x, y, func(u figure.Scale) string {
			return fmt.Sprintf("%s=%s: %s at %s (%s)", l.Param, figure.Exact(p.X), figure.SpanText(y, u),
				figure.ScaleFor("B/s", p.Traffic).Text(p.Traffic, figure.Digits), figure.N(p.N))
		}})
	}
	return out
}

// joinRising joins the marks of a sweep unless more of the parameter was less traffic: a line from left to right would
// then show another course.
func joinRising(ch *block.Chart, curves []curve, _ figure.Scale) {
	for i, c := range curves {
		ch.Lines[i].Joined, ch.Legend[i].Joined = !c.apart, !c.apart
	}
}
