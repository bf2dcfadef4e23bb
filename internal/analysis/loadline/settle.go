package loadline

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// settle combines the replicates into the line's figures.
func (l *Line) settle(found []roundLine) {
	var bases, limits, most []float64
	l.N, l.Crossed = len(found), true
	for _, f := range found {
		if f.base > 0 {
			bases = append(bases, f.base)
		}
		limits, most = append(limits, f.limit), append(most, f.max)
		if f.confirmed != nil {
			l.Confirmations = append(l.Confirmations, *f.confirmed)
		}
		l.Crossed = l.Crossed && f.crossed
	}
	if len(bases) > 0 {
		mean := stat.Mean(bases)
		l.BaseLatency = &mean
	}
	l.settleAbove(found)
	l.settleBetween(found)
	sustained := estimate.Of(most)
	l.Limit, l.MaxSustained = stat.Mean(limits), sustained.Value
	if l.Crossed {
		l.Bounds = sustained.Bounds
	}
	l.settleOne(found)
}

// settleOne sets where the line of a single search can lie.
func (l *Line) settleOne(found []roundLine) {
	if one := found[0]; l.N == 1 && l.Crossed && one.high > 0 {
		l.OneSearch = &OneSearch{figure.Between(one.low, one.high)}
	}
}

// settleBetween sets the probes that a line lies between if its searches tell no more.
func (l *Line) settleBetween(found []roundLine) {
	if l.Crossed || len(found) > 1 || found[0].bracket.Within.Load == 0 {
		return
	}
	one := found[0]
	l.Between = &Between{Contrary: one.bracket.Contrary, Higher: one.bracket.Higher}
	l.Between.Within = boundAt(one.bracket.Within)
	if one.bracket.Above.Load > 0 {
		above := boundAt(one.bracket.Above)
		l.Between.Above = &above
	}
	if one.hangs != nil {
		l.Between.LeastBase, l.Between.MostBase = one.hangs.least, one.hangs.most
	}
}

func boundAt(p stat.LineProbe) Bound {
	if p.Over {
		return Bound{Load: p.Load}
	}
	return Bound{Load: p.Load, Latency: &p.Latency}
}

// settleAbove sets the upper bound of a line that probes only bracket, if all replicates have one.
func (l *Line) settleAbove(found []roundLine) {
	sum := 0.0
	for _, f := range found {
		l.SteeredBy = f.steeredBy
		if f.atMost == 0 {
			return
		}
		sum += f.atMost
	}
	most := sum / float64(len(found))
	l.AtMost = &most
}

// relate compares the line with the rate at half of the CPU, if CPU use is known there.
func (l *Line) relate() {
	known, cpu, values := withCPU(l.Probes)
	if len(known) == 0 {
		return
	}
	if at, ok := stat.Between(cpu, values, halfCPU); ok {
		used, gain := at/l.MaxSustained, l.MaxSustained/at-1
		l.At50, l.UsedAt50, l.GainPast50 = &at, &used, &gain
	}
	nearest, near := NearHalf(known, func(p Probe) float64 { return *p.CPU })
	l.LinearFrom = &nearest
	if near {
		linear := nearest.Value * 100 / *nearest.CPU
		of := l.MaxSustained / linear
		l.Linear, l.OfLinear = &linear, &of
	}
}

// NearHalf returns the one of some points, of which there must be one, whose CPU use (%) is nearest to 50%, the first
// of several; and whether that is near enough for a linear expectation from there.
func NearHalf[P any](points []P, cpu func(P) float64) (P, bool) {
	away := func(p P) float64 { return math.Abs(cpu(p) - halfCPU) }
	nearest := slices.MinFunc(points, func(p, q P) int { return cmp.Compare(away(p), away(q)) })
	return nearest, away(nearest) <= tooFar
}

// Points of CPU use between a probe and half of the CPU. What uses 71% at a hundredth of the load is no load's, and a
// linear expectation from there would be a hundredth of the truth.
const (
	far    = 10 // noted
	tooFar = 20 // no linear expectation
)

// bound names the figures that are bounds if the line is only known to be at least MaxSustained.
func (l *Line) bound() {
	if l.Crossed {
		return
	}
	l.OneSided = map[string]string{"max_sustained": LowerBound}
	for key, side := range map[string]struct {
		of   *float64
		side string
	}{"of_linear": {l.OfLinear, LowerBound}, "used_at_50": {l.UsedAt50, UpperBound},
		"gain_past_50": {l.GainPast50, LowerBound}} {
		if side.of != nil {
			l.OneSided[key] = side.side
		}
	}
}

func (l *Line) doubt(code note.Code, args ...any) {
	l.Doubts = append(l.Doubts, note.New(code, args...))
}

// doubtSweep adds doubts about the figures.
func (l *Line) doubtSweep(r Ramp, found []roundLine, whole bool) {
	switch {
	case !whole:
		l.doubt("few-loads-a-replicate", MinRamp)
	case l.N < estimate.MinReplicates:
		l.doubt("too-few-sweeps", estimate.MinReplicates)
	}
	if !l.Crossed && l.SteeredBy == "" {
		l.doubtEnd(r, found)
	}
	l.doubtConfirmations()
	l.doubtCPU()
	l.doubtLag(r)
	if r.Searched == nil || r.asked.Sweep {
		// The interval of a search includes the distance between its probes and the noise of few requests.
		l.doubtSteps()
		l.doubtRequests()
	}
	l.doubtArrivals(r)
}

// doubtEnd adds a doubt if a sweep ended below its line.
func (l *Line) doubtEnd(r Ramp, found []roundLine) {
	crossed := 0
	for _, f := range found {
		if f.crossed {
			crossed++
		}
	}
	switch searched := r.Searched != nil && !r.asked.Sweep; {
	case crossed > 0 && searched:
		l.doubt("line-not-narrowed")
	case crossed > 0:
		l.doubt("some-crossed", crossed, len(found))
	}
	if l.AtMost != nil {
		return // the answer states the load that was not within the limit
	}
	for _, level := range r.void {
		if level <= r.Last().X {
			continue
		}
		if r.over[level] {
			l.doubt("not-carried-above", l.Probes[len(l.Probes)-1].Load)
		} else {
			l.doubt("void-above", l.Probes[len(l.Probes)-1].Load)
		}
		return
	}
}

// doubtCPU adds doubts if CPU use is unknown or was not measured near 50%.
func (l *Line) doubtCPU() {
	switch {
	case l.CPUScope == CPUScopeUnknown && l.BaseLatency != nil && l.Objective == 0:
		l.doubt("cpu-unknown-base", 100*idleShare)
	case l.CPUScope == CPUScopeUnknown:
		l.doubt("cpu-unknown")
	case l.LinearFrom != nil && math.Abs(*l.LinearFrom.CPU-halfCPU) > far:
		l.doubt("far-from-half-cpu", *l.LinearFrom.CPU)
	}
}

// doubtLag adds a doubt if requests were sent so late that latencies near the base are partly the generator's. It voids
// nothing: on a busy host the send lag of every probe can exceed 5% of a base of 0.1 ms, as can that of a thread that
// only spins.
func (l *Line) doubtLag(r Ramp) {
	if l.Objective > 0 || l.BaseLatency == nil {
		return
	}
	lag, control := 0.0, 0.0
	for t := range r.Trials() {
		// Above the line requests wait for a lane, which the target causes.
		if g := t.Generator; g != nil && t.Load.Kind == record.Open && t.Load.Level <= l.MaxSustained && g.SendLagP99 > lag {
			lag, control = g.SendLagP99, g.ControlP99
		}
	}
	if lag > trialset.MaxLag**l.BaseLatency {
		l.doubt("sent-late", 1e3*lag, 1e3**l.BaseLatency, 1e3*control)
	}
}

// doubtSteps adds a doubt if the loads on either side of the line are too far apart to locate it between them: latency
// bends upwards there, so the line lies further up.
func (l *Line) doubtSteps() {
	const wide, atLine = 1.1, .99
	for i := 1; i < len(l.Probes); i++ {
		below, above := l.Probes[i-1], l.Probes[i]
		if l.Crossed && below.Latency < atLine*l.Limit && above.Latency > l.Limit && above.Level/below.Level > wide {
			l.doubt("line-interpolated", below.Load, above.Load)
		}
	}
}

// doubtArrivals adds a note if requests arrived at random: many tools send at equal intervals, and find a higher line.
func (l *Line) doubtArrivals(r Ramp) {
	for t := range r.Trials() {
		if t.Load.Arrivals == record.Poisson {
			l.doubt("line-poisson")
			return
		}
	}
}

// doubtRequests adds a doubt if a p99 is of few operations.
func (l *Line) doubtRequests() {
	const enough = 10_000
	fewest := int64(enough)
	for _, p := range l.Probes {
		if p.Requests > 0 {
			fewest = min(fewest, p.Requests)
		}
	}
	if l.Statistic == "p99" && fewest < enough {
		l.doubt("few-operations-at-line", fewest, enough)
	}
}
