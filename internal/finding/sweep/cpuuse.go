package sweep

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/list"
	"plimsoll/internal/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
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

// runTime is the metric of the time that one run of a piece of work takes.
const runTime = "time"

// followers returns the metrics that are drawn over the CPU use: the time of a run if trials are judged by it or state
// it for runs on several CPUs, else the achieved rate; and packets.
func followers(r loadline.Ramp) []record.Metric {
	var out []record.Metric
	primary := PrimaryMetric(r.ByPoint()...)
	carried := r.Carried()
	timed := list.Filter(trialset.MetricsOf(r.ByPoint()...),
		func(m record.Metric) bool { return m.Name == runTime && m.Unit == "s" })
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

// copies returns the lowest load if higher ones do more of the same work, rather than the same work on more CPUs: the
// CPU time of all runs, CPU use times time, then grows like the load and stays constant otherwise. Between the two the
// geometric mean decides.
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
