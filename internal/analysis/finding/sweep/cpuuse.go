package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// CPUUse is how a figure follows the use of the CPUs over the loads of a sweep or a search: throughput, packets a
// second, or the time of a run. It belongs to the cell of the highest load.
type CPUUse struct {
	Metric   string     `json:"metric"`
	Unit     string     `json:"unit"`
	CPUScope string     `json:"cpu_scope"` // "server", "target", "imported": the CPUs that the use is a share of
	Points   []CPUPoint `json:"points"`    // the lowest use first
	Linear   *LinearUse `json:"linear,omitempty"`
}

// CPUPoint is one load.
type CPUPoint struct {
	Load string  `json:"load"`
	CPU  float64 `json:"cpu"` // %, mean of the runs
	estimate.Estimate
	N     int     `json:"n"`
	level float64 // of the load
}

// LinearUse is what the figure would be if it followed the CPU use. A rate is proportional to it, through the load
// nearest to 50% CPU (AWS' "expected maximum", docs/method.md#headroom-and-fleets). The time of runs that are copies
// of each other is that of the lowest load at any use.
type LinearUse struct {
	FromCPU float64 `json:"from_cpu"` // %, of the load that the line goes through
	At100   float64 `json:"at_100"`   // Unit
	// figure at the highest use over At100, or its inverse of a time; nil if the use stays below 90%
	Of *float64 `json:"of,omitempty"`
}

const (
	nearlyFull = 90.0 // % of CPU
	packetRate = "packets/s"
)

// cpuUses finds the figures that follow the CPU use in sweeps and searches.
func cpuUses(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, r := range in.Ramps {
		for _, use := range cpuUsesOf(r) {
			out = append(out, KindCPUUse.New(&use, r.Scope()...)...)
		}
	}
	order, searched := loadline.SearchedRamps(in.Counted, in.Plans)
	for _, at := range order {
		for _, use := range cpuUsesOf(searched[at]) {
			out = append(out, KindCPUUse.New(&use, at)...)
		}
	}
	return out
}

func cpuUsesOf(r loadline.Ramp) []CPUUse {
	var out []CPUUse
	for _, m := range followers(r) {
		use := CPUUse{Metric: m.Name, Unit: m.Unit, CPUScope: r.CPUScope()}
		for _, p := range r.Having(m.Name, record.CPUPercent).Points {
			use.Points = append(use.Points, CPUPoint{Load: trialset.LoadOf(p.Trials[0]),
				CPU: estimate.Average(trialset.ValuesOf(p.Trials, record.CPUPercent)), Estimate: p.Estimate(m.Name),
				N: len(p.Trials), level: p.X})
		}
		if len(use.Points) < loadline.MinRamp {
			continue
		}
		slices.SortStableFunc(use.Points, func(p, q CPUPoint) int { return cmp.Compare(p.CPU, q.CPU) })
		use.Linear = use.linear()
		out = append(out, use)
	}
	return out
}

// followers returns the metrics that are drawn over the CPU use: the time of a run if trials are judged by it or state
// it for runs on several CPUs, else the achieved rate; and packets.
func followers(r loadline.Ramp) []record.Metric {
	var out []record.Metric
	primary := PrimaryMetric(r.ByPoint()...)
	carried := r.Carried()
	timed := list.Filter(trialset.MetricsOf(r.ByPoint()...),
		func(m record.Metric) bool { return m.Name == record.Elapsed && m.Unit == "s" })
	switch {
	case primary.Unit == "s" && primary.Better == record.Lower && !trialset.IsLatency(primary):
		out = append(out, primary)
	case len(timed) > 0 && r.Points[0].Trials[0].Load.Unit == record.ParamCPUs:
		out = append(out, timed[0])
	case carried.Name != "":
		out = append(out, carried)
	}
	for _, m := range trialset.MetricsOf(r.ByPoint()...) {
		if m.Unit == packetRate && m.Name != carried.Name {
			out = append(out, m)
		}
	}
	return out
}

func (u CPUUse) linear() *LinearUse {
	last := u.Points[len(u.Points)-1]
	var out LinearUse
	var of float64
	if u.timed() {
		first, ok := u.copies()
		if !ok {
			return nil
		}
		out.FromCPU, out.At100 = first.CPU, first.Value
		of = out.At100 / last.Value
	} else {
		from, ok := loadline.NearHalf(u.Points, func(p CPUPoint) float64 { return p.CPU })
		if !ok {
			return nil
		}
		out.FromCPU, out.At100 = from.CPU, from.Value*100/from.CPU
		of = last.Value / out.At100
	}
	if last.CPU >= nearlyFull {
		out.Of = &of
	}
	return &out
}

// timed reports whether the figure is the time of a run.
func (u CPUUse) timed() bool { return u.Unit == "s" }

// copies returns the lowest load if higher ones do more of the same work, rather than the same work on more CPUs. The
// CPU time of all runs, CPU use times time, then grows like the load, and stays constant otherwise. Between the two
// the geometric mean decides.
func (u CPUUse) copies() (CPUPoint, bool) {
	byLevel := func(p, q CPUPoint) int { return cmp.Compare(p.level, q.level) }
	first, last := slices.MinFunc(u.Points, byLevel), slices.MaxFunc(u.Points, byLevel)
	grown := last.CPU * last.Value / (first.CPU * first.Value)
	return first, grown >= math.Sqrt(last.level/first.level)
}

// rising reports whether the CPU use rises with the load, so that a line through the points tells their course.
func (u CPUUse) rising() bool {
	seen := map[float64]bool{}
	for _, p := range u.Points {
		seen[p.CPU] = true
	}
	levels := make([]float64, len(u.Points))
	for i, p := range u.Points {
		levels[i] = p.level
	}
	return slices.IsSorted(levels) && len(seen) == len(u.Points)
}

// leastApart separates points of equal CPU use, in %: a line of the page has one point at a place.
const leastApart = .002

// cpuCharts draws figures over the CPU use, with the line that they would follow if they were linear.
func cpuCharts(v *finding.View) []block.Block {
	return finding.Blocks(charts{kind: "cpu", axis: cpuUseScale, bare: true, finish: addLinear}.
		draw(v, curvesOf(v, KindCPUUse, cpuCurve)))
}

func cpuUseScale(_ string, xs []float64) block.Axis {
	return block.Axis{Name: "CPU use", Unit: "%", Hi: block.Number(math.Max(100, xs[len(xs)-1]) * (1 + figure.AxisPad))}
}

// cpuCurve leaves room for the linear line, like scaleCurve.
func cpuCurve(v *finding.View, c finding.Cell, u CPUUse) curve {
	out := curve{Cell: c, use: &u, place: v.Alone().Sweep(c), metric: u.Metric, unit: figure.UnitOf(c.Counted(), u.Unit)}
	x := math.Inf(-1)
	most := 0.0
	for _, p := range u.Points {
		x = math.Max(p.CPU, x+leastApart)
		y := p.Estimate
		most = math.Max(most, p.Value)
		out.points = append(out.points, point{x, y, func(scale figure.Scale) string {
			return fmt.Sprintf("%s: %s at %s%% CPU (%s)", finding.LoadText(p.Load), figure.SpanText(y, scale),
				figure.Fixed(p.CPU, 1), figure.N(p.N))
		}})
	}
	if u.Linear != nil {
		out.top = math.Min(u.Linear.At100, idealRoom*most)
	}
	return out
}

// addLinear adds the line of each machine, cut at the chart's top, and says how far the figure is from it.
func addLinear(ch *block.Chart, curves []curve, scale figure.Scale) {
	ch.Hint = "whiskers: interval; " + scopeText(curves[0].use.CPUScope)
	joined := !slices.ContainsFunc(curves, func(c curve) bool { return !c.use.rising() })
	lines, dashed := ch.Lines, ""
	ch.Lines = nil
	for i, c := range curves {
		points := lines[i]
		points.Joined, ch.Legend[i].Joined = joined, joined
		ch.Lines = append(ch.Lines, points)
		if c.use.Linear == nil {
			continue
		}
		said, drawn := expectedText(*c.use, scale)
		dashed = drawn
		ch.Legend[i].Name += ": " + said
		ch.Desc += ". " + points.Name + ": " + said
		ch.Lines = append(ch.Lines, linearLine(*c.use, points, scale, float64(ch.Y.Hi)*scale.Factor))
		if len(curves) == 1 {
			ch.Hint += "; " + said
		}
	}
	if dashed != "" {
		ch.Hint += "; dashed: " + dashed
	}
}

func linearLine(u CPUUse, points block.Line, scale figure.Scale, top float64) block.Line {
	out := lineLike(points, "linear")
	out.Faint = true
	from, to, end := u.Linear.At100, u.Linear.At100, 100.0
	if !u.timed() {
		from, end = 0, math.Min(100, 100*top/u.Linear.At100)
		to *= end / 100
	}
	out.X, out.Y = []block.Number{0, block.Number(end)}, block.Numbers(scale, &from, &to)
	return out
}

// expectedText states the figure at the highest CPU use beside the linear expectation, and what the expectation is.
func expectedText(u CPUUse, scale figure.Scale) (said, drawn string) {
	at100, share := scale.Text(u.Linear.At100, figure.Digits), ""
	if u.Linear.Of != nil {
		share = figure.PercentOf(*u.Linear.Of, 0) + "% of "
	}
	switch {
	case u.timed() && share != "":
		return share + "the speed of the lowest load", "the time at the lowest load"
	case u.timed():
		return at100 + " at the lowest load", "the time at the lowest load"
	case share != "":
		return share + "the linear " + at100, "linear, from the load nearest to 50% CPU"
	}
	return "linear " + at100 + " at 100% CPU", "linear, from the load nearest to 50% CPU"
}

func scopeText(scope string) string {
	switch scope {
	case loadline.CPUScopeServer:
		return "CPU use: of the server's CPUs"
	case loadline.CPUScopeTarget:
		return "CPU use: of the whole machine"
	}
	return "CPU use: as the imported files define it"
}
