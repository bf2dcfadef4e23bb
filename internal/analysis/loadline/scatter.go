package loadline

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// The limits of a line that one search tells, as ratios.
const (
	sureFactor   = 1.25 // half-width of its interval
	surestFactor = 1.10 // the same, if its probes lie so well on a line that no bracket is needed
	mostOver     = 1.25 // of latency to limit, of a run that confirms it
)

// Sure reports whether the scatter of a search's own probes tells its line well enough to be stated, and not only
// bracketed. It takes probes that lie beyond it on both sides in all likelihood: a single one may have been disturbed.
func Sure(l stat.FoundLine, search stat.LineSearch, probes []stat.LineProbe) bool {
	f := factorOf(l, search, probes, estimate.Alpha)
	return l.Crossed && f > 0 && (l.Likely && f <= sureFactor || l.Probes > 0 && f <= surestFactor)
}

// mostAt returns the ratio of latency to limit up to which a fresh run at the line confirms it: what such a run exceeds
// with a probability of 5% if the line is true, the upper end of the regression's prediction interval, and never more
// than a reader would accept. It is 1 of a line in the middle of a bracket, whose lower end is run again.
func mostAt(l stat.FoundLine) float64 {
	if l.Scatter == 0 {
		return 1
	}
	return min(mostOver, math.Exp(student(max(1, l.Free), 1-estimate.Alpha)*l.Scatter*math.Sqrt(1+l.Height)))
}

// ConfirmAt returns the load of the fresh run that is to confirm a line.
func ConfirmAt(l stat.FoundLine) float64 {
	if l.Probes == 0 {
		return l.Within.Load
	}
	return l.Load
}

func student(free, q float64) float64 { return distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(q) }

// medianVariance is the variance of the median of normal values over that of their mean.
const medianVariance = math.Pi / 2

// factorOf returns the half-width, as a ratio, of a line's interval by the scatter of its search's own probes; 0 if
// unknown. Those near the line and those of the base are taken to scatter alike; an objective does not depend on the
// base. A line in the middle of a bracket has the bracket.
func factorOf(l stat.FoundLine, search stat.LineSearch, probes []stat.LineProbe, alpha float64) float64 {
	if l.Crossed && l.Probes == 0 {
		return math.Sqrt(l.Above.Load / l.Within.Load)
	}
	variance, free, height := l.Scatter*l.Scatter, max(1, l.Free), l.Height
	if variance == 0 {
		return 0
	}
	slope := l.Slope
	if g := square(student(free, 1-alpha/2)/slope) * variance * l.Tilt; g < mostTilt {
		slope *= 1 - g // Fieller: the slope scatters too
	} else {
		slope = min(slope, wideSlope(probes))
	}
	if !(slope > 0) {
		return 0
	}
	if base := search.IdleLatencies(probes); search.Objective == 0 && len(base) > 1 {
		n, sd := float64(len(base)), stat.SD(stat.Logs(base))
		variance = (variance*free + sd*sd*(n-1)) / (free + n - 1)
		free, height = free+n-1, height+medianVariance/n
	}
	return math.Exp(max(bend, placed*student(free, 1-alpha/2)*math.Sqrt(variance*height)/slope))
}

// placed is by how much wider an interval is because its probes were placed by the latencies of those before, and
// because lines are stated where few probes happen to scatter little: by simulation, for 95% to hold the truth
// (docs/derivations.md#searches).
const placed = 1.5

// bend is the least half-width of an interval, in logs: what a straight line is off on a curve, however little its
// probes scatter.
const bend = .04

// mostTilt is the share of a slope's square that its squared error may be, for the slope to be used.
const mostTilt = .5

func square(v float64) float64 { return v * v }

// wideSlope returns the slope of ln of latency over ln of load through all probes made to find the line. It is less
// steep than at the line, since latency bends upwards, and better known: the last probes are so near to each other that
// the slope through them is noise.
func wideSlope(probes []stat.LineProbe) float64 {
	usable := slices.DeleteFunc(slices.Clone(probes), func(p stat.LineProbe) bool {
		return p.Base || p.Over || p.Void || !(p.Latency > 0)
	})
	x, y := make([]float64, len(usable)), make([]float64, len(usable))
	for i, p := range usable {
		x[i], y[i] = math.Log(p.Load), math.Log(p.Latency)
	}
	return stat.Slope(x, y)
}

// hanging is a line without an objective that hangs on which of the probes at low load are believed.
type hanging struct {
	least, most float64 // seconds: latency of those probes
	low, high   float64 // op/s: the line at twice each
}

// hangsFrom is the ratio of the lines by two probes of the base from which on the line hangs on them.
const hangsFrom = 1.5

// hangs returns how a line depends on the probes at low load, or nil if it hardly does: where latency rises steeply,
// any of them leads to the same line, and where it is flat, the least of them may be a tenth of the way to another.
func hangs(search stat.LineSearch, made []stat.LineProbe) *hanging {
	out := hanging{}
	var ok bool
	if out.least, out.most, ok = search.LowLatencies(made); !ok {
		return nil
	}
	at := func(base float64) float64 {
		search.Objective = 2 * base
		found, _ := search.Line(made)
		return found.Load
	}
	if out.low, out.high = at(out.least), at(out.most); out.low > 0 && out.high <= hangsFrom*out.low {
		return nil
	}
	return &out
}
