package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/capacity"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// addExtra states how many more CPUs the weaker side needs, for the cell of each workload that loads the most CPUs. If
// a factor is compared, both sides are one machine, and there is none.
func (x comparer) addExtra(p *finding.Pair, both []trialset.Matched, scope []record.Trial) {
	if x.axis.By != record.KeyMachine {
		return
	}
	cells, most, sweeps := cellsByName(both), mostCPUs(both), sweepsByFamily(scope)
	for i, c := range p.Verdicts {
		m, ok := cells[nameOf(c)]
		if !ok || !c.Primary || c.Per != finding.PerMachine || trialset.CPUsOf(m.A[0]) < most[sweep.FamilyOf(m.A[0])] ||
			integrity.Unseen(m.A) || integrity.Unseen(m.B) {
			continue
		}
		p.Verdicts[i].Extra = x.extraOf(c, m, sweeps)
		if x.whole(c, m) {
			p.Verdicts[i].ExtraMachines = MachinesOf(c)
		}
	}
}

// nameOf returns the key of a comparison's cell.
func nameOf(c finding.Comparison) trialset.Key {
	return trialset.Key{Workload: c.Workload, Params: trialset.ParamsText(c.Params), Load: c.Load}
}

// cellsByName returns the cells under the keys of their comparisons; of several with one key, the first.
func cellsByName(both []trialset.Matched) map[trialset.Key]trialset.Matched {
	out := make(map[trialset.Key]trialset.Matched, len(both))
	for _, m := range both {
		at := trialset.Key{Workload: m.Place.Workload, Params: trialset.ParamsText(m.Params), Load: m.Place.Load}
		if _, ok := out[at]; !ok {
			out[at] = m
		}
	}
	return out
}

// mostCPUs returns the most CPUs that a cell of each sweep of the baseline loads.
func mostCPUs(both []trialset.Matched) map[trialset.Key]int {
	out := make(map[trialset.Key]int, len(both))
	for _, m := range both {
		family := sweep.FamilyOf(m.A[0])
		out[family] = max(out[family], trialset.CPUsOf(m.A[0]))
	}
	return out
}

// sweepsByFamily returns the sweeps of all machines by the key that their trials share.
func sweepsByFamily(scope []record.Trial) map[trialset.Key]sweep.Sweep {
	out := map[trialset.Key]sweep.Sweep{}
	for _, s := range sweep.SweepsOf(scope) {
		out[sweep.FamilyOf(s.Chief())] = s
	}
	return out
}

// extraOf returns nil without a verdict on a rate that is better if higher.
func (x comparer) extraOf(c finding.Comparison, m trialset.Matched,
	sweeps map[trialset.Key]sweep.Sweep) *finding.ExtraCPUs {
	weak, out := m.A[0], &finding.ExtraCPUs{Side: "a"}
	if c.Verdict != trialset.Different || !c.Bounded() || c.Direction != record.Higher {
		return nil
	}
	ratio := c.Change()
	if c.Better == "a" {
		weak, out.Side = m.B[0], "b"
		ratio = ratio.Inverse(1)
	}
	n := float64(trialset.CPUsOf(weak))
	if loadline.IsLine(c.Metric) {
		n = x.vcpusOf(weak)
	}
	if n == 0 {
		return nil
	}
	out.Over = n
	lo, hi := ratio.Ends()
	out.CPUs, out.Bounds = stat.ExtraCPUs(n, ratio.Value), figure.Between(stat.ExtraCPUs(n, lo), stat.ExtraCPUs(n, hi))
	cores, _ := sweep.CoresOf(x.in.Fleet.Of(weak))
	if s, ok := sweeps[sweep.FamilyOf(weak)]; ok {
		followCurve(out, s, cores, n, ratio.Value)
	}
	return out
}

// followCurve reads the weaker side's own curve, if it was measured at enough numbers of CPUs.
func followCurve(e *finding.ExtraCPUs, s sweep.Sweep, cores int, n, ratio float64) {
	points, _, reason := s.FitPoints(sweep.PrimaryMetric(s.ByPoint()...))
	if !reason.IsZero() {
		return
	}
	if peak := measuredPeak(points); peak > 0 {
		e.Never, e.Peak = true, peak
		return
	}
	fitted, err := stat.FitScaling(sweep.Flat(points, cores))
	if err != nil {
		return
	}
	curve, measured := fitted.Best.Curve, float64(points[len(points)-1].N)
	at, ok := curve.CPUsFor(ratio*curve.At(n), n, sweep.MaxExtrapolation*measured)
	if !ok {
		e.Never, e.Peak = true, peakOf(curve, int(sweep.MaxExtrapolation*measured))
		return
	}
	extra := at - n
	e.OnCurve, e.Beyond = &extra, at > measured
}

// measuredPeak returns the CPUs of the highest throughput if that of the most CPUs is lower by more than the scatter
// that replicates may have; else 0.
func measuredPeak(points []stat.Point) int {
	last := points[len(points)-1].Mean()
	peak := slices.MaxFunc(points, func(a, b stat.Point) int { return cmp.Compare(a.Mean(), b.Mean()) })
	if peak.Mean()-last > math.Log1p(estimate.MaxCV) {
		return peak.N
	}
	return 0
}

// peakOf returns the CPUs at which a curve is highest; 0 if it still rises at the last.
func peakOf(c stat.Curve, last int) int {
	peak := 1
	for n := 2; n <= last; n++ {
		if c.At(float64(n)) > c.At(float64(peak)) {
			peak = n
		}
	}
	if peak == last {
		return 0
	}
	return peak
}

// replaced returns the reported numbers of machines: with one, much is rounding.
func replaced() []int { return []int{1, 10} }

// MachinesOf derives it from a ratio's interval; nil without a verdict on a rate that is better if higher.
func MachinesOf(c finding.Comparison) []finding.Replacement {
	if c.Verdict == "" || !c.Bounded() || !trialset.IsRate(record.Metric{Unit: c.Unit, Better: c.Direction}) {
		return nil
	}
	var out []finding.Replacement
	for _, n := range replaced() {
		out = append(out, finding.Replacement{Of: n, Machines: stat.MachinesOnPar(n, c.Ratio),
			Lo: stat.MachinesOnPar(n, *c.Hi), Hi: stat.MachinesOnPar(n, *c.Lo)})
	}
	return out
}

// whole reports whether a cell saturates whole machines: at their load lines, or with all of their CPUs loaded.
func (x comparer) whole(c finding.Comparison, m trialset.Matched) bool {
	if loadline.IsLine(c.Metric) || strings.HasPrefix(c.Load, "all ") {
		return true
	}
	cpuA, cpuB, known := m.CPUUse()
	if m.A[0].Load.Unit == record.ParamClients {
		return known && min(cpuA, cpuB) >= capacity.FullCPU
	}
	loads := func(side []record.Trial) bool {
		n := x.vcpusOf(side[0])
		return n > 0 && float64(trialset.CPUsOf(side[0])) >= n
	}
	return loads(m.A) && loads(m.B)
}

// vcpusOf returns how many vCPUs a trial's machine has; 0 if it is unknown.
func (x comparer) vcpusOf(t record.Trial) float64 {
	if x.in.Read.Basis != nil {
		return x.in.BasisOf(t.Keys[record.KeyMachine]).VCPUs
	}
	cpu := x.in.Fleet.Of(t).CPU
	if n := len(cpu.Allowed); n > 0 {
		return float64(n)
	}
	return float64(cpu.Threads)
}

// extraNotes states the number of CPUs that the weaker side lacks beyond those that it was measured with; where names
// the cell and the metric.
func extraNotes(c finding.Comparison, a, b, where string) []block.Sentence {
	e := c.Extra
	if e == nil {
		return nil
	}
	weak, strong := a, b
	if e.Side == "b" {
		weak, strong = b, a
	}
	one := figure.Scale{Factor: 1}
	text := fmt.Sprintf("%s would reach the throughput of %s with %s than its %s (%s if throughput grew in proportion)",
		weak, strong, figure.Count(int(math.Ceil(*e.Hi)), "more CPU"), figure.Exact(e.Over),
		e.Around(e.CPUs).Interval(one))
	switch {
	case e.Never && e.Peak > 0:
		text = fmt.Sprintf("%s never reaches the throughput of %s with more CPUs: its own curve peaks at %d and "+
			"falls from there", weak, strong, e.Peak)
	case e.Never:
		text = fmt.Sprintf("%s does not reach the throughput of %s with twice the measured CPUs, by its own curve", weak,
			strong)
	case e.OnCurve != nil && e.Beyond:
		text += fmt.Sprintf("; by its own curve %s, an extrapolation", one.Number(*e.OnCurve, figure.Digits))
	case e.OnCurve != nil:
		text += "; by its own curve " + one.Number(*e.OnCurve, figure.Digits)
	}
	return []block.Sentence{{Lead: "CPUs", Tone: block.Dim, Text: text + ": " + where}}
}

// replacementNotes states the number of machines of one side that replace those of the other; where names the cell and
// the metric.
func replacementNotes(c finding.Comparison, a, b, where string) []block.Sentence {
	var parts []string
	for _, r := range c.ExtraMachines {
		text := fmt.Sprint(r.Lo)
		if r.Lo != r.Hi {
			text = fmt.Sprintf("%d to %d", r.Lo, r.Hi)
		}
		parts = append(parts, fmt.Sprintf("%d by %s", r.Of, text))
	}
	if len(parts) == 0 {
		return nil
	}
	return []block.Sentence{
		{Lead: "machines", Tone: block.Dim,
			Text: fmt.Sprintf("%s can be replaced by %s: %s: %s", a, b, strings.Join(parts, ", "), where)}}
}
