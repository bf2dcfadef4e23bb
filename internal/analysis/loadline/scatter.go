package loadline

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

const (
	sureFactor = 1.25 // half-width of the interval up to which one search states a line, as a ratio
	mostOver   = 1.25 // of latency to limit, up to which a fresh run confirms a line
)

// Sure reports whether a search's own probes tell its line well enough to be stated, and not only bracketed.
func Sure(l stat.FoundLine, search stat.LineSearch, probes []stat.LineProbe) bool {
	low, high := boundsOf(l, search, probes)
	return l.Crossed && high <= sureFactor*sureFactor*low
}

// mostAt returns the ratio of latency to limit up to which a fresh run at the line confirms it: what such a run exceeds
// with a probability of 5% if the line is true, and never more than a reader would accept.
func mostAt(l stat.FoundLine) float64 {
	return min(mostOver, math.Exp(distuv.UnitNormal.Quantile(1-estimate.Alpha)*l.Scatter))
}

// medianVariance is the variance of the median of normal values over that of their mean.
const medianVariance = math.Pi / 2

// boundsOf returns the 95% interval of a search's line, in op/s. Without an objective the limit follows from the base
// probes, whose scatter moves the line too.
func boundsOf(l stat.FoundLine, search stat.LineSearch, probes []stat.LineProbe) (low, high float64) {
	low, high = l.Low, l.High
	base := search.IdleLatencies(probes)
	if search.Objective > 0 || len(base) < 2 || !l.Crossed {
		return low, high
	}
	n := float64(len(base))
	students := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - estimate.Alpha/2)
	moves := students * stat.SD(stat.Logs(base)) * math.Sqrt(medianVariance/n) / l.Slope
	return l.Load / math.Exp(math.Hypot(math.Log(l.Load/low), moves)), l.Load * math.Exp(math.Hypot(math.Log(high/l.Load),
		moves))
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
